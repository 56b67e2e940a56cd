// The bound of a variable length array may pause.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int sum = 0;
  for (int k = 1; k < 4; k++) {
    char text[later(k)], m[later(2)][k + later(1)];
    text[k - 1] = (char)k;
    yield;
    sum += (int)sizeof text + text[k - 1] * 10 + (int)sizeof m * 100;   // 6 + 60 + (4 + 6 + 8) * 100
  }
  return sum;
}

async int main(void) {
  THREE(test);                    // expect: 1866 1866 1866
}
