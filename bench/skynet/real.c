// Skynet as in language.c, in a function as people write it: thirty lines, a dozen pauses, errors
// and a defer. The pauses that are not those of skynet are seldom reached.
#include <fermata.h>

#include "../clock.h"
#include <stdlib.h>

enum { LEAVES = 1000000, ROUNDS = 5 };
struct refused {
  uint32_t number;
};

int stopped, open_nodes,
    most = 1 << 30; // not static: no compiler can know that these seldom change

static uint32_t checked(uint32_t number) throws(struct refused) {
  if (number > (uint32_t)LEAVES)
    throw(struct refused){ number };
  return number;
}

async static uint32_t node(uint32_t number, uint32_t size) {
  task(uint32_t) t[10];
  uint32_t sum = 0, part = size / 10;
  int tries = 0;
  open_nodes++;
  defer open_nodes--;
  try {
    while (stopped) {
      if (++tries > 100)
        throw(struct refused){ number };
      yield;
      yield;
    }
    if (size == 1)
      return checked(number);
    if (open_nodes > most) {
      yield;
      sum = await spawn node(number, 1);
      yield;
    }
    for (uint32_t i = 0; i < 10; i++)
      t[i] = spawn node(number + i * part, part);
    for (int i = 0; i < 10; i++)
      sum += await t[i];
    if (tries > 0) {
      yield;
      sum += await spawn node(number, 1);
      yield;
      sum -= await spawn node(number, 1);
      yield;
    }
  } catch (struct refused e) {
    sum = e.number;
    yield;
  }
  return sum;
}

int main(void) {
  double best = 0;
  for (int k = 0; k < chunks(ROUNDS); k++) {
    double start = now();
    if (run node(0, LEAVES) !=
            (uint32_t)((uint64_t)LEAVES * (LEAVES - 1) / 2) ||
        open_nodes != 0)
      abort();
    keep_best(&best, now() - start);
  }
  printf("skynet %.1f\n", best / 1e6);
  return 0;
}
