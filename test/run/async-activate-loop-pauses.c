// Pauses in a condition in a switch in a loop in an activate, with goto out of blocks whose variables activities share.
// warn: ok
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int log = 0, done = 0;
  activate {
    for (int i = 0; later(i) < 4; i += later(1)) {
      int step = i;
      switch (later(step) + (later(i) > 1 ? 10 : 0)) {
      case 0: continue;
      case 1: {
        int deep = 5;
        activate (deep) { deep += later(1); step += deep; }  // shares step: 1 + 6
        while (step == 1) yield;
        goto next;
      }
      case 12:
        if (later(0) || (later(1) && step == 2)) log += 100;
        break;
      default: {
        int local[2] = { 1, 2 };
        activate { yield; local[0] += local[1]; step += later(local[0]); } // 3 + 3
        while (local[0] != 3) yield;
        break;
      }
      }
      yield;
    next:
      log += step * 1000;
    }
    done = 1;
  }
  while (!done) yield;
  return log;
}

async int main(void) {
  int a = test(0), b = test(1);
  printf("%d %d\n", a == b, a);      // expect: 1 15100
}
