// Channels in functions as people write them: real.c, in C++20.
#include "channel.hpp"

enum { N = 100000, CHUNKS = 100, PAIRS = 100000, PAGE = 1 << 14 };
enum { HELLO = -1, LIMIT = -2, FLUSH = -3, BYE = -4 };

struct BadMessage {
  int value;
};

// Not static: no compiler can know that these seldom change.
int busy, sessions, most = 1 << 30;
static Channel *chans;
static Task readers[PAIRS], writers[PAIRS];

struct Session {
  Session() { sessions++; }
  ~Session() { sessions--; }
};

static int amount(int v) {
  if (v <= 0)
    throw BadMessage{ v };
  return v;
}

// ---- one way ----
static Task writer(Channel *to, int n) {
  int sent = 0, page = 0;
  Session here;
  try {
    co_await to->send(HELLO);
    co_await to->send(LIMIT);
    co_await to->send(amount(most));
    for (int i = 0; i < n; i++) {
      while (busy)
        co_await Yield();
      co_await to->send(1);
      sent += amount(1);
      if (++page == PAGE) {
        co_await to->send(FLUSH);
        page = 0;
        co_await Yield();
      }
      if (sent > most) {
        co_await to->send(LIMIT);
        co_await to->send(sent);
        co_await Yield();
      }
    }
    co_await to->send(FLUSH);
    co_await to->send(BYE);
    co_await Yield();
  } catch (const BadMessage &e) {
    sent = e.value;
  }
  co_return sent;
}

static Task reader(Channel *from) {
  int sum = 0, limit = 0, flushed = 0;
  Session here;
  try {
    int hello = co_await from->recv();
    if (hello != HELLO)
      throw BadMessage{ HELLO };
    for (;;) {
      int v = co_await from->recv();
      while (busy)
        co_await Yield();
      if (v > 0) {
        sum += v;
        continue;
      }
      if (v == BYE)
        break;
      if (v == FLUSH) {
        flushed = sum;
        co_await Yield();
      } else if (v == LIMIT) {
        limit = amount(co_await from->recv());
        co_await Yield();
      }
      if (sum > limit) {
        co_await Yield();
        limit = amount(co_await from->recv());
        co_await Yield();
      }
    }
    co_await Yield();
    sum = amount(flushed);
  } catch (const BadMessage &e) {
    sum = e.value;
  }
  co_return sum;
}

static Task pair(size_t cap, int n) {
  Channel c(cap);
  Task w = spawn(writer(&c, n)), r = spawn(reader(&c));
  int sum = co_await r;
  int sent = co_await w;
  if (sent != n) abort();
  co_return sum;
}

// ---- there and back ----
static Task client(Channel *to, Channel *from, int n) {
  int sum = 0, page = 0, limit;
  Session here;
  try {
    co_await to->send(HELLO);
    limit = amount(co_await from->recv());
    for (int i = 0; i < n; i++) {
      co_await to->send(1);
      sum += amount(co_await from->recv());
      while (busy)
        co_await Yield();
      if (++page == PAGE) {
        co_await to->send(FLUSH);
        sum += co_await from->recv();
        page = 0;
        co_await Yield();
      }
      if (sum > limit) {
        co_await to->send(LIMIT);
        limit = amount(co_await from->recv());
      }
    }
    co_await Yield();
    co_await to->send(BYE);
    sum -= co_await from->recv();
  } catch (const BadMessage &e) {
    sum = e.value;
  }
  co_return sum;
}

static Task server(Channel *from, Channel *to) {
  int served = 0, limit = most;
  Session here;
  try {
    int hello = co_await from->recv();
    if (hello != HELLO)
      throw BadMessage{ HELLO };
    co_await to->send(limit);
    for (;;) {
      int v = co_await from->recv();
      while (busy)
        co_await Yield();
      if (v > 0) {
        co_await to->send(v);
        served++;
        continue;
      }
      if (v == BYE)
        break;
      if (v == FLUSH) {
        co_await Yield();
        co_await to->send(0);
      } else if (v == LIMIT) {
        co_await Yield();
        limit += amount(served);
        co_await to->send(limit);
      }
    }
    co_await Yield();
    co_await to->send(0);
    co_await Yield();
  } catch (const BadMessage &e) {
    served = e.value;
  }
  co_return served;
}

static Task pingpong(int n) {
  Channel a, b;
  Task y = spawn(server(&a, &b)), x = spawn(client(&a, &b, n));
  int sum = co_await x;
  int served = co_await y;
  if (served != n) abort();
  co_return sum;
}

// ---- many pairs: all of the conversation, with one message in it ----
static Task pairs() {
  int sum = 0;
  for (int i = 0; i < PAIRS; i++) {
    new (&chans[i]) Channel(0);
    readers[i] = spawn(reader(&chans[i]));
    writers[i] = spawn(writer(&chans[i], 1));
  }
  for (int i = 0; i < PAIRS; i++) {
    sum += co_await readers[i];
    int sent = co_await writers[i];
    if (sent != 1) abort();
  }
  co_return sum;
}

template <class F> static void best(const char *name, double n, int want, F work) {
  double best = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double start = now();
    if (run(work()) != want || sessions != 0) abort();
    keep_best(&best, (now() - start) / n);
  }
  printf("%s %.2f\n", name, best);
}

int main() {
  chans = (Channel *)malloc(PAIRS * sizeof *chans);
  best("pair0", N, N, [] { return pair(0, N); });
  best("pair1", N, N, [] { return pair(1, N); });
  best("pair128", N, N, [] { return pair(128, N); });
  best("pingpong", 2.0 * double(N), N, [] { return pingpong(N); });
  best("pairs", PAIRS, PAIRS, [] { return pairs(); });
}
