// Two activities that yield to each other, in the language: nanoseconds for one switch, the best of
// many chunks.
#include <fermata.h>

#include "../clock.h"
#include <stdlib.h>

enum { N = 100000, CHUNKS = 300 };

async static int bouncer(int n) {
  for (int i = 0; i < n; i++)
    yield;
  return n;
}

async static int chunk(int n) {
  auto a = spawn bouncer(n);
  auto b = spawn bouncer(n);
  return await a + await b;
}

int main(void) {
  double best = 0;
  for (int k = 0; k < chunks(CHUNKS); k++) {
    double start = now();
    if (run chunk(N) != 2 * N)
      abort();
    keep_best(&best, (now() - start) / 2 / N);
  }
  printf("switch %.2f\n", best);
  return 0;
}
