// clock.h: nanoseconds, and the best of many chunks.
#ifndef CLOCK_H
#define CLOCK_H
#include <time.h>

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline void keep_best(double *best, double t) {
  if (*best == 0 || t < *best)
    *best = t;
}
#endif
