// Variables whose lives do not overlap may share memory, those whose lives do must not: many locals, many pauses.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int a = later(1), b = later(2);
  long c = a + b;
  yield;
  { int d = later(4), e = later(5); yield; c += d * e; }         // 23
  { long f = later(6); char g = 7; yield; c += f + g; }          // 36
  a = later(8);                                                  // a lives on, changed
  short h = (short)later(9), i = (short)(h + a);                 // 9 17
  yield;
  b += h;                                                        // 11
  for (int j = 0; j < 2; j++) {
    int k = j + b, l;
    yield;
    l = k + later(j);
    yield;
    c += l;                                                      // + 11 + 13: 60
  }
  double x = 0.5, y = later(2);
  yield;
  return (int)(c + a + i + x * y);                               // 60 + 8 + 17 + 1
}

async int main(void) {
  THREE(test);                    // expect: 86 86 86
}
