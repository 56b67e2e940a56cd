// A variable that is assigned on one path only, or before a jump back, is kept on all of them.
// warn: ok
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int x, y = 0, z;
  for (int i = 0; i < 4; i++) {
    if (i % 2) x = later(i);
    else yield;
    if (i > 0) y += x;                      // 1, 1, 3
    switch (i) {
    case 0: z = 100; break;
    case 2: z += later(10); yield; break;
    }
  }
  return y + z;                             // 5 + 110
}

async int main(void) {
  THREE(test);                    // expect: 115 115 115
}
