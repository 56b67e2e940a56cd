// 10^6 activities that wait for a message of one channel: bytes for each, its frame included. chan:
// in a tiny function; real: in the middle of one of thirty lines with a dozen pauses. Then each
// gets its message, and all run on. A process each, so that none finds the other's free memory.
#include <fermata.h>
#include <fermata/sync.h>

#include "resident.h"
#include <sys/wait.h>

enum { N = 1000000, BYE = -1, AGAIN = -2 };
typedef fm_chan(int) int_chan;
struct bad_message {
  int value;
};

int busy, sessions,
    most = 1 << 30; // not static: no compiler can know that these seldom change
static int_chan messages;
static long waiting, passed;

async static void idle(int_chan *c) throws(struct fm_closed) {
  waiting++;
  passed += fm_recv(c);
}

static int amount(int v) throws(struct bad_message) {
  if (v <= 0)
    throw(struct bad_message){ v };
  return v;
}

async static void session(int_chan *c) throws(struct fm_closed) {
  int sum = 0, limit = most, tries = 0;
  sessions++;
  defer sessions--;
  try {
    while (busy) {
      if (++tries > 9)
        throw(struct bad_message){ tries };
      yield;
    }
    if (limit < 1) {
      fm_send(c, AGAIN);
      limit = amount(fm_recv(c));
      yield;
    }
    waiting++;
    for (int v = AGAIN; v != BYE && sum < 1;) {
      v = fm_recv(c);
      if (v == AGAIN) {
        yield;
        fm_send(c, sum);
        continue;
      }
      sum += amount(v);
      if (sum > limit) {
        fm_send(c, limit);
        sum = amount(fm_recv(c));
        yield;
      }
    }
    if (sum > 1) {
      yield;
      fm_send(c, sum);
      yield;
    }
  } catch (struct bad_message e) {
    sum = e.value;
  }
  passed += sum;
}

async static void crowd(const char *name,
                        async void (*f)(int_chan *) throws(struct fm_closed))
    throws(struct fm_closed) {
  fm_chan_init(&messages, 0);
  double before = resident();
  scope {
    for (int i = 0; i < N; i++)
      spawn f(&messages);
    while (waiting < N)
      yield;
    yield;
    printf("%s %.1f\n", name, (resident() - before) / N);
    for (int i = 0; i < N; i++)
      fm_send(&messages, 1);
  }
}

static int measure(const char *name,
                   async void (*f)(int_chan *) throws(struct fm_closed)) {
  try {
    run crowd(name, f);
  } catch (struct fm_closed e) {
    (void)e;
  }
  fflush(stdout);
  return passed != N || sessions != 0;
}

int main(void) {
  int status;
  pid_t child = fork();
  if (child == 0)
    _exit(measure("chan", idle));
  if (waitpid(child, &status, 0) != child || status != 0)
    abort();
  return measure("real", session);
}
