// POSIX threads on one processor that yield to each other: nanoseconds for one switch.
#define _GNU_SOURCE
#include "../clock.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };

static void *bouncer(void *n) {
  for (long i = 0; i < (long)n; i++)
    sched_yield();
  return n;
}

static void stay_here(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

int main(void) {
  double best = 0;
  stay_here();
  for (int k = 0; k < chunks(10); k++) {
    pthread_t a, b;
    void *x, *y;
    double start = now();
    if (pthread_create(&a, NULL, bouncer, (void *)(long)N) || pthread_create(&b, NULL, bouncer, (void *)(long)N))
      abort();
    pthread_join(a, &x);
    pthread_join(b, &y);
    if ((long)x + (long)y != 2 * N)
      abort();
    keep_best(&best, (now() - start) / 2 / N);
  }
  printf("switch %.2f\n", best);
  return 0;
}
