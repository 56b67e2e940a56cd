// 10^6 coroutines that wait for a message of one channel: bytes for each. chan.c, in C++20.
#include "../channels/channel.hpp"
#include "resident.h"
#include <sys/wait.h>

enum { N = 1000000, BYE = -1, AGAIN = -2 };
struct BadMessage {
  int value;
};

int busy, sessions, most = 1 << 30; // not static: no compiler can know that these seldom change
static Channel messages;
static long waiting, passed;

struct Session {
  Session() { sessions++; }
  ~Session() { sessions--; }
};

static Task idle(Channel *c) {
  waiting++;
  passed += co_await c->recv();
  co_return 0;
}

static int amount(int v) {
  if (v <= 0) throw BadMessage{ v };
  return v;
}

static Task session(Channel *c) {
  int sum = 0, limit = most, tries = 0;
  Session here;
  try {
    while (busy) {
      if (++tries > 9) throw BadMessage{ tries };
      co_await Yield();
    }
    if (limit < 1) {
      co_await c->send(AGAIN);
      limit = amount(co_await c->recv());
      co_await Yield();
    }
    waiting++;
    for (int v = AGAIN; v != BYE && sum < 1;) {
      v = co_await c->recv();
      if (v == AGAIN) {
        co_await Yield();
        co_await c->send(sum);
        continue;
      }
      sum += amount(v);
      if (sum > limit) {
        co_await c->send(limit);
        sum = amount(co_await c->recv());
        co_await Yield();
      }
    }
    if (sum > 1) {
      co_await Yield();
      co_await c->send(sum);
      co_await Yield();
    }
  } catch (const BadMessage &e) {
    sum = e.value;
  }
  passed += sum;
  co_return 0;
}

template <class F> static Task crowd(const char *name, F f) {
  double before = resident();
  for (int i = 0; i < N; i++) spawn(f(&messages));
  while (waiting < N) co_await Yield();
  co_await Yield();
  printf("%s %.1f\n", name, (resident() - before) / double(N));
  for (int i = 0; i < N; i++) co_await messages.send(1);
  co_return 0;
}

template <class F> static int measure(const char *name, F f) {
  run(crowd(name, f));
  fflush(stdout);
  return passed != N || sessions != 0;
}

int main() {
  int status;
  pid_t child = fork();
  if (child == 0) _exit(measure("chan", idle));
  if (waitpid(child, &status, 0) != child || status != 0) abort();
  return measure("real", session);
}
