// const and volatile locals live across pauses; const ones are initialised by what pauses, too.
#include "parts/async.h"

struct s { int a; const char *t; };

static async int test(int first) {
  if (first) yield;
  const int c = later(3);
  const struct s cs = { c, "text" };
  const int ca[3] = { c, later(4), 5 };
  const char *const p = cs.t + 1;
  volatile int v = 6;
  volatile struct s vs = { 7, "v" };
  const volatile int cv = 8;
  int *restrict r = (int[1]){ 9 };
  register int reg = 10;
  yield;
  v += c;
  vs.a += later(ca[1]);
  yield;
  return v + vs.a * 100 + cv * 10000 + (*p == 'e') * 1000000 + cs.a * 10000000 + (r != 0) * 100000000 + reg + ca[2];
}

async int main(void) {
  THREE(test);                    // expect: 131081124 131081124 131081124
}
