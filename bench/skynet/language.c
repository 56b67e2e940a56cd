// Skynet: an activity starts ten, those ten each, down to 10^6 leaves; their numbers are added up
// on the way back, modulo 2^32. Milliseconds, the best of a few.
#include <fermata.h>

#include "../clock.h"
#include <stdlib.h>

enum { LEAVES = 1000000, ROUNDS = 5 };

async static uint32_t skynet(uint32_t number, uint32_t size) {
  task(uint32_t) t[10];
  uint32_t sum = 0;
  if (size == 1)
    return number;
  for (uint32_t i = 0; i < 10; i++)
    t[i] = spawn skynet(number + i * (size / 10), size / 10);
  for (int i = 0; i < 10; i++)
    sum += await t[i];
  return sum;
}

int main(void) {
  double best = 0;
  for (int k = 0; k < chunks(ROUNDS); k++) {
    double start = now();
    if (run skynet(0, LEAVES) != (uint32_t)((uint64_t)LEAVES * (LEAVES - 1) / 2))
      abort();
    keep_best(&best, now() - start);
  }
  printf("skynet %.1f\n", best / 1e6);
  return 0;
}
