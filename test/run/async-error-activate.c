// A body of activate that throws, in a scope; one that catches by itself; variables it shares are waited for.
#include "parts/async.h"

struct bad { int v; };
static async int fail(int n) throws(struct bad) { yield; if (n) throw (struct bad){n}; return 1; }
static async int test(int first) {
  if (first) yield;
  int sum = 0, order = 0;
  try {
    scope {
      activate { defer order = order * 10 + 1; sum += fail(4); }
      activate { defer order = order * 10 + 2; for (;;) yield; }
    }
    order = 100;
  } catch (struct bad e) { order = order * 10 + e.v; }
  {
    int shared = 0;
    defer sum += shared;
    activate { try { fail(5); } catch (struct bad e) { yield; shared = e.v; } }
    activate { shared += 0; yield; sum += 10; }
  }
  return order * 100 + sum;
}
async int main(void) {
  int a = test(0), b = test(1);
  printf("%d %d\n", a, b);        // expect: 12415 12415
}
// env: FERMATA_TICK=off
