// clock.h: nanoseconds, and the best of many chunks; for C and C++.
#ifndef CLOCK_H
#define CLOCK_H
#include <stdlib.h>
#include <time.h>

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Of this process, all threads together: what others do on a busy machine is not in it.
static inline double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void keep_best(double *best, double t) {
  if (*best == 0 || t < *best)
    *best = t;
}

// How many chunks to measure: n, but one where the tests only want to see that the program works.
static inline int chunks(int n) {
  return getenv("BENCH_MOMENT") ? 1 : n;
}
#endif
