// State Threads: one at a time, and 1000 started (each has a stack), then joined; nanoseconds for
// one.
#include "../clock.h"
#include <st.h>
#include <stdio.h>
#include <stdlib.h>

static void *one(void *v) {
  return v;
}

static double in_turn(int n) {
  double start = now();
  long sum = 0;
  for (int i = 0; i < n; i++) {
    void *v;
    st_thread_join(st_thread_create(one, (void *)1, 1, 0), &v);
    sum += (long)v;
  }
  if (sum != n)
    abort();
  return (now() - start) / n;
}

static double many(int n, st_thread_t *all) {
  double start = now();
  long sum = 0;
  for (int i = 0; i < n; i++)
    all[i] = st_thread_create(one, (void *)1, 1, 0);
  for (int i = 0; i < n; i++) {
    void *v;
    st_thread_join(all[i], &v);
    sum += (long)v;
  }
  if (sum != n)
    abort();
  return (now() - start) / n;
}

int main(void) {
  static st_thread_t all[1000];
  double turn = 0, rest = 0;
  st_init();
  for (int k = 0; k < chunks(20); k++) {
    keep_best(&turn, in_turn(10000));
    keep_best(&rest, many(1000, all));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, rest);
  return 0;
}
