// Channels as in language.c, in functions as people write them: a reader and a writer of some
// thirty lines with a dozen pauses each, which greet, agree on a limit, count, pause now and then,
// and say goodbye. Nanoseconds a message, the best of several chunks.
#include <fermata.h>
#include <fermata/sync.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 100, PAIRS = 100000, PAGE = 1 << 14 };
enum { HELLO = -1, LIMIT = -2, FLUSH = -3, BYE = -4 };

typedef fm_chan(int) int_chan;
struct bad_message {
  int value;
};

// Not static: no compiler can know that these seldom change.
int busy, sessions, most = 1 << 30;
static int_chan chans[PAIRS];
static task(int) readers[PAIRS], writers[PAIRS];

static int amount(int v) throws(struct bad_message) {
  if (v <= 0)
    throw(struct bad_message){ v };
  return v;
}

// ---- one way ----
static async int writer(int_chan *to, int n) {
  int sent = 0, page = 0;
  sessions++;
  defer sessions--;
  try {
    fm_send(to, HELLO);
    fm_send(to, LIMIT);
    fm_send(to, amount(most));
    for (int i = 0; i < n; i++) {
      while (busy)
        yield;
      fm_send(to, 1);
      sent += amount(1);
      if (++page == PAGE) {
        fm_send(to, FLUSH);
        page = 0;
        yield;
      }
      if (sent > most) {
        fm_send(to, LIMIT);
        fm_send(to, sent);
        yield;
      }
    }
    fm_send(to, FLUSH);
    fm_send(to, BYE);
    yield;
  } catch (struct bad_message e) {
    sent = e.value;
  } catch (struct fm_closed e) {
    sent = -1;
  }
  return sent;
}

static async int reader(int_chan *from) {
  int sum = 0, limit = 0, flushed = 0;
  sessions++;
  defer sessions--;
  try {
    if (fm_recv(from) != HELLO)
      throw(struct bad_message){ HELLO };
    for (;;) {
      int v = fm_recv(from);
      while (busy)
        yield;
      if (v > 0) {
        sum += v;
        continue;
      }
      if (v == BYE)
        break;
      if (v == FLUSH) {
        flushed = sum;
        yield;
      } else if (v == LIMIT) {
        limit = amount(fm_recv(from));
        yield;
      }
      if (sum > limit) {
        yield;
        limit = amount(fm_recv(from));
        yield;
      }
    }
    yield;
    sum = amount(flushed);
  } catch (struct bad_message e) {
    sum = e.value;
  } catch (struct fm_closed e) {
    sum = -1;
  }
  return sum;
}

static async int pair(int cap, int n) {
  int_chan c;
  fm_chan_init(&c, cap);
  auto t = spawn writer(&c, n);
  int sum = reader(&c);
  if (await t != n)
    abort();
  fm_chan_free(&c);
  return sum;
}

// ---- there and back ----
static async int client(int_chan *to, int_chan *from, int n) {
  int sum = 0, page = 0, limit;
  sessions++;
  defer sessions--;
  try {
    fm_send(to, HELLO);
    limit = amount(fm_recv(from));
    for (int i = 0; i < n; i++) {
      fm_send(to, 1);
      sum += amount(fm_recv(from));
      while (busy)
        yield;
      if (++page == PAGE) {
        fm_send(to, FLUSH);
        sum += fm_recv(from);
        page = 0;
        yield;
      }
      if (sum > limit) {
        fm_send(to, LIMIT);
        limit = amount(fm_recv(from));
      }
    }
    yield;
    fm_send(to, BYE);
    sum -= fm_recv(from);
  } catch (struct bad_message e) {
    sum = e.value;
  } catch (struct fm_closed e) {
    sum = -1;
  }
  return sum;
}

static async int server(int_chan *from, int_chan *to) {
  int served = 0, limit = most;
  sessions++;
  defer sessions--;
  try {
    if (fm_recv(from) != HELLO)
      throw(struct bad_message){ HELLO };
    fm_send(to, limit);
    for (;;) {
      int v = fm_recv(from);
      while (busy)
        yield;
      if (v > 0) {
        fm_send(to, v);
        served++;
        continue;
      }
      if (v == BYE)
        break;
      if (v == FLUSH) {
        yield;
        fm_send(to, 0);
      } else if (v == LIMIT) {
        yield;
        limit += amount(served);
        fm_send(to, limit);
      }
    }
    yield;
    fm_send(to, 0);
    yield;
  } catch (struct bad_message e) {
    served = e.value;
  } catch (struct fm_closed e) {
    served = -1;
  }
  return served;
}

static async int pingpong(int n) {
  int_chan a, b;
  fm_chan_init(&a, 0);
  fm_chan_init(&b, 0);
  auto t = spawn server(&a, &b);
  int sum = client(&a, &b, n);
  if (await t != n)
    abort();
  return sum;
}

// ---- many pairs: all of the conversation, with one message in it ----
static async int pairs(void) {
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    fm_chan_init(&chans[i], 0);
    readers[i] = spawn reader(&chans[i]);
    writers[i] = spawn writer(&chans[i], 1);
  }
  for (int i = 0; i < PAIRS; i++) {
    sum += await readers[i];
    if (await writers[i] != 1)
      abort();
  }
  return sum;
}

#define BEST(name, work, n, want)              \
  do {                                         \
    double best = 0;                           \
    for (int k = 0; k < chunks(CHUNKS); k++) { \
      double start = now();                    \
      if ((work) != (want) || sessions != 0)   \
        abort();                               \
      keep_best(&best, (now() - start) / (n)); \
    }                                          \
    printf(name " %.2f\n", best);              \
  } while (0)

int main(void) {
  BEST("pair0", run pair(0, N), N, N);
  BEST("pair1", run pair(1, N), N, N);
  BEST("pair128", run pair(128, N), N, N);
  BEST("pingpong", run pingpong(N), 2.0 * N, N);
  BEST("pairs", run pairs(), PAIRS, PAIRS);
  return 0;
}
