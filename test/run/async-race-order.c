// Arms start in the order they stand; when one has ended at once, no later one starts.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int arm(int i, int pauses) {
  printf("arm %d\n", i);
  defer printf("out %d\n", i);
  for (; pauses > 0; pauses--) yield;
  return i;
}

async int main(void) {
  int v;
  race {
    case v = arm(1, 2): printf("no\n");
    case v = arm(2, 0): printf("won %d\n", v);
    case v = arm(3, 0): printf("no\n");
    case arm(4, 1): printf("no\n");
  }
  // expect: arm 1
  // expect: arm 2
  // expect: out 2
  // expect: out 1
  // expect: won 2
  race {
    case v = arm(5, 0): printf("won %d\n", v);
    case v = arm(6, 0): printf("no\n");
  }
  // expect: arm 5
  // expect: out 5
  // expect: won 5
  race {                          // equal: the first one
    case v = arm(7, 1): printf("won %d\n", v);
    case v = arm(8, 1): printf("no\n");
  }
  // expect: arm 7
  // expect: arm 8
  // expect: out 7
  // expect: out 8
  // expect: won 7
}
