// Leaving a block waits for the activities that share its variables: at its end, by break, continue, goto and return.
// env: FERMATA_TICK=off
// warn: ok
#include "parts/async.h"

static async int left(int how) {
  int result = 0;
  for (int round = 0; round < 2; round++) {
    int value = 1, *p = &result;
    activate (p) {
      for (int i = 0; i < 5; i++) yield;
      value += 10;
      *p += value;
    }
    if (how == 1) break;
    if (how == 2) continue;
    if (how == 3) goto out;
    if (how == 4) return result;            // its value is taken before
    if (how == 5 && round == 1) {
      int inner = 3;
      activate { inner++; yield; value += inner; yield; inner++; }
      goto out;
    }
    value = 5;
  }
out:
  return result;
}

async int main(void) {
  for (int how = 0; how < 6; how++) {
    int a = left(how), b = atomic left(how);
    printf("%d: %d %d\n", how, a, b);
  }
  // expect: 0: 30 30
  // expect: 1: 11 11
  // expect: 2: 22 22
  // expect: 3: 11 11
  // expect: 4: 0 0
  // expect: 5: 30 30
}
