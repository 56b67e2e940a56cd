// POSIX threads: one at a time, and 1000 started, then joined; nanoseconds for one.
#include "../clock.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *one(void *v) {
  return v;
}

static pthread_t start(void) {
  pthread_t t;
  if (pthread_create(&t, NULL, one, (void *)1))
    abort();
  return t;
}

static long result(pthread_t t) {
  void *v;
  if (pthread_join(t, &v))
    abort();
  return (long)v;
}

static double in_turn(int n) {
  double begin = now();
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += result(start());
  if (sum != n)
    abort();
  return (now() - begin) / n;
}

static double many(int n, pthread_t *all) {
  double begin = now();
  long sum = 0;
  for (int i = 0; i < n; i++)
    all[i] = start();
  for (int i = 0; i < n; i++)
    sum += result(all[i]);
  if (sum != n)
    abort();
  return (now() - begin) / n;
}

int main(void) {
  static pthread_t all[1000];
  double turn = 0, rest = 0;
  for (int k = 0; k < chunks(10); k++) {
    keep_best(&turn, in_turn(1000));
    keep_best(&rest, many(1000, all));
  }
  printf("spawn %.2f\nmany %.2f\n", turn, rest);
  return 0;
}
