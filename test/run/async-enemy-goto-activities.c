// goto out of nested blocks, each with an activity that shares its variables, inside a loop with a switch.
// warn: ok
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int log = 0;
  for (int i = 0; i < 4; i++) {
    int outer = i;
    activate { yield; outer += 10; log += outer; }
    switch (i) {
      int middle;
    case 1: {
      middle = 100;
      activate { yield; yield; middle += 100; log += middle; }
      for (int k = 0; k < 2; k++) {
        int inner = k;
        activate (k) { later(0); inner += 1000 + k; log += inner; }
        if (later(k)) goto next;
        if (i == 3) goto out;
      }
    } break;
    case 2:
      continue;
    case 3:
      goto out;
    }
    log += 10000;
  next:
    log += later(0);
  }
out:
  return log;                               // outer 10 + 11 + 12 + 13, middle 200, inner 1000 + 1002, and i == 0: 10000
}

async int main(void) {
  THREE(test);                    // expect: 12248 12248 12248
}
