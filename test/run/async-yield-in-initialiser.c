// A statement expression in an initialiser may yield: the other elements keep their values.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int a[3] = { 5, ({ yield; 1; }), ({ int i = later(3); yield; i; }) };
  struct { int x, y; } s = { 7, ({ yield; 8; }) };
  return a[0] + a[1] * 10 + a[2] * 100 + s.x * 1000 + s.y * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 87315 87315 87315
}
