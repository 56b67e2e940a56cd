// Pauses in the operands of asm, in the lengths of a type in a cast, and in the address for an activity's identity.
#include "parts/async.h"

static async int *where(int *p) { yield; return p; }

static async int assembler(int x) {
  int y = 0, z[2] = {0, 0};
  __asm__("" : "=r"(y) : "0"(later(x) + 1));
  __asm__("" : "+r"(*where(&z[1])) : "r"(later(3)));
  return y + z[1];
}

static async int cast(int x) {
  int a[6] = {0, 1, 2, 3, 4, 5};
  return ((int (*)[later(x + 2)])where(a))[1][later(1)];
}

static async int identity(int x) {
  fm_activity ids[3];
  int shared = x;
  activate [&ids[later(2)]] { yield; shared += later(5); }
  fm_join(ids[later(2)]);
  return shared;
}

async int main(void) {
  THREE(assembler);     // expect: 1 2 1
  THREE(cast);          // expect: 3 4 3
  THREE(identity);      // expect: 5 6 5
}
