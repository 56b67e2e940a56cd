// Types, enums and typedefs declared in a block serve locals that live across pauses; two blocks may use one name.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int sum = 0;
  struct local { int a, b[2]; } l = { 1, { 2, 3 } };
  enum { SMALL = 5, BIG = 1000 };
  typedef long number;
  number n = BIG;
  yield;
  {
    struct local { double d; char text[6]; } l = { 2.5, "inner" }, *p = &l;
    union { int i; char c; } u = { SMALL };
    yield;
    sum += (int)(p->d * 2) + (l.text[4] == 'r') + u.i;   // 5 + 1 + 5
  }
  struct local m = l;
  yield;
  for (int i = 0; i < 2; i++) {
    typedef struct { int i; } number;
    number k = { later(i) };
    yield;
    sum += k.i;                                          // + 1: 12
  }
  return sum + m.a + m.b[1] + (int)n;                    // 12 + 1 + 3 + 1000
}

async int main(void) {
  THREE(test);                    // expect: 1016 1016 1016
}
