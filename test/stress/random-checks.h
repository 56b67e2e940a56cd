// random-checks.h: random numbers from a seed, and a check that names where it failed.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state; // the seed, at first

static inline unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

static inline void check(bool ok, const char *what, long where) {
  if (ok)
    return;
  printf("wrong: %s at %ld\n", what, where);
  exit(1);
}
