// Spawn and await: one at a time, and 10^5 spawned, then awaited; nanoseconds for one, the best of many chunks. With an
// argument N: N idle coroutines; prints the bytes of each.
#include "../cpp20.hpp"
#include <unistd.h>

static Task one(int n) { co_return n; }

static Task in_turn(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += co_await spawn(one(1));
  co_return s;
}

static Task many(int n, Task *t) {
  int s = 0;
  for (int i = 0; i < n; i++) t[i] = spawn(one(1));
  for (int i = 0; i < n; i++) s += co_await t[i];
  co_return s;
}

struct Never {
  bool await_ready() { return false; }
  void await_suspend(Handle) {}
  void await_resume() {}
};
static Task idle(int n) {
  co_await Never();
  co_return n;
}

static double resident() {
  long pages = 0, rest;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &rest, &pages) != 2) abort();
  fclose(file);
  return double(pages) * double(sysconf(_SC_PAGESIZE));
}

static Task crowd(int n) {
  double before = resident();
  for (int i = 0; i < n; i++) spawn(idle(i));
  co_await Yield();
  printf("idle %.1f\n", (resident() - before) / n);
  co_return 0;
}

static double time_of(Task t, int n) {
  double start = now();
  if (run(t) != n) abort();
  return (now() - start) / n;
}

int main(int argc, char **argv) {
  enum { N = 100000, FEW = 2000 };
  static Task t[N];
  double turn = 1e30, all = 1e30;
  if (argc > 1) return run(crowd(atoi(argv[1])));
  for (int k = 0; k < chunks(200); k++) {
    double y = time_of(many(N, t), N);
    for (int i = 0; i < 50; i++) {
      double x = time_of(in_turn(FEW), FEW);
      if (x < turn) turn = x;
    }
    if (y < all) all = y;
  }
  printf("spawn %.2f\nmany %.2f\n", turn, all);
}
