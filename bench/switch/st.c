// State Threads: two threads that yield to each other (st_usleep(0): the version Debian has knows
// no yield; where it does, that is what it calls): nanoseconds for one switch.
#include "../clock.h"
#include <st.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 50000 };

static void *bouncer(void *n) {
  for (long i = 0; i < (long)n; i++)
    st_usleep(0);
  return n;
}

int main(void) {
  double best = 0;
  st_init();
  for (int k = 0; k < chunks(10); k++) {
    void *x, *y;
    double start = now();
    st_thread_t a = st_thread_create(bouncer, (void *)(long)N, 1, 0), b = st_thread_create(bouncer, (void *)(long)N, 1, 0);
    st_thread_join(a, &x);
    st_thread_join(b, &y);
    if ((long)x + (long)y != 2 * N)
      abort();
    keep_best(&best, (now() - start) / 2 / N);
  }
  printf("switch %.2f\n", best);
  return 0;
}
