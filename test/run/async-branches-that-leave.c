// A branch of an expression that leaves the function takes nothing from the other branch: what had a
// value before has it after the pause.
#include "parts/async.h"

#include <stdio.h>

static async int conditional(int n, int kept) {
  int v = n < 0 ? ({ return -1; 0; }) : n;
  later(0);
  return v + kept;
}

static async int disjunction(int n, int kept) {
  int v = 1, ok = n > 0 || ({ return -1; 1; });
  later(0);
  return ok * v + kept;
}

static async int conjunction(int n, int kept) {
  int v = 1, left = n < 0 && ({ return -1; 1; });
  later(0);
  return left + v + kept;
}

async int main(void) {
  printf("%d %d\n", conditional(1, 40), conditional(-1, 3)); // expect: 41 -1
  printf("%d %d\n", disjunction(1, 40), disjunction(0, 3));  // expect: 41 -1
  printf("%d %d\n", conjunction(1, 40), conjunction(-1, 3)); // expect: 41 -1
  return 0;
}
