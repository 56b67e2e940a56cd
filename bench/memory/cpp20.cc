// 10^6 coroutines that wait for one: bytes for each. Then that one goes, and all run on.
#include "../cpp20.hpp"
#include "resident.h"

constexpr int N = 1000000;
static Promise *first;                            // of those that wait, linked
static long passed;

struct Gate {
  bool await_ready() { return false; }
  void await_suspend(Handle h) { h.promise().link = first; first = &h.promise(); }
  void await_resume() {}
};

static Task idle(void *, void *) {
  co_await Gate();
  passed++;
  co_return 0;
}

static Task crowd() {
  double before = resident();
  for (int i = 0; i < N; i++) spawn(idle(nullptr, nullptr));
  co_await Yield();
  printf("idle %.1f\n", (resident() - before) / N);
  while (Promise *p = first) { first = p->link; queue.push(p); }
  co_await Yield();
  co_return 0;
}

int main() {
  run(crowd());
  if (passed != N) abort();
}
