// Spawn and await, in the language: one at a time, and 10^5 spawned, then awaited; nanoseconds for
// one, the best of many chunks. (fermata.c is the same with the functions lowered by hand.)
#include <fermata.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 200 };

async static int one(int n) {
  return n;
}

async static int in_turn(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += await spawn one(1);
  return s;
}

async static int many(int n, task(int) *t) {
  int s = 0;
  for (int i = 0; i < n; i++)
    t[i] = spawn one(1);
  for (int i = 0; i < n; i++)
    s += await t[i];
  return s;
}

static task(int) tasks[N];

static int run_in_turn(void) { return run in_turn(N); }
static int run_many(void) { return run many(N, tasks); }

static double time_of(int (*f)(void)) {
  double start = now();
  if (f() != N)
    abort();
  return (now() - start) / N;
}

int main(void) {
  double turn = 0, all = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    keep_best(&turn, time_of(run_in_turn));
    keep_best(&all, time_of(run_many));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, all);
  return 0;
}
