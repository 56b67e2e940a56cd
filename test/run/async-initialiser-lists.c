// Initialisers may pause at any depth: arrays, structs, designators, ranges, statement expressions.
#include "parts/async.h"

struct in { int a, b; };
struct out { struct in in[2]; int n; };

static async int test(int first) {
  if (first) yield;
  int a[3] = { ({ int i = later(1); i; }), ({ int i = 2; i; }), later(3) };
  struct out o = { .n = later(4), .in = { [1] = { .b = later(5) } } };
#ifdef __clang__                                  // which cannot compile a range with a call, in plain C either
  int six = later(6), r[6] = { 0, six, six, six, later(7) };
#else
  int r[6] = { [1 ... 3] = later(6), later(7) };
#endif
  char s[4] = { 'a', (char)later('b') };
  struct in copy = ({ struct in t = { later(8), 9 }; yield; t; });
  return a[0] + a[1] + a[2] + o.n + o.in[1].b * 10 + o.in[0].a + r[0] + r[1] + r[3] + r[4] * 100 + r[5] + (s[1] == 'b') * 1000 +
         copy.a + copy.b;
}

async int main(void) {
  THREE(test);                    // expect: 1789 1789 1789
}
