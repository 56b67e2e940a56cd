// Bit-fields keep their values and their widths across pauses; assignments to them may pause, compound ones too.
#include "parts/async.h"

struct bits { unsigned a : 3, b : 5; int : 0; signed c : 4; _Bool d : 1; unsigned long long e : 40; };

static async int test(int first) {
  if (first) yield;
  struct bits s = { .a = 7, .b = 30, .c = -8 }, *p = &s;
  yield;
  s.a += later(2);                          // 9 mod 8 = 1
  p->b++;                                   // 31
  yield;
  p->b += later(1);                         // 0
  s.c = later(7);
  s.c -= later(8);                          // -1
  s.d = later(4);                           // 1
  s.e = 1ull << 39 | (unsigned)later(5);
  struct bits copy = s;
  yield;
  int assigned = copy.a = later(12);        // 12 mod 8 = 4
  return s.a + p->b * 10 + (s.c + 2) * 100 + s.d * 1000 + (int)(s.e >> 39) * 10000 + (int)(s.e & 7) * 100000 +
         assigned * 1000000 + copy.a * 10000000;
}

async int main(void) {
  THREE(test);                    // expect: 44511101 44511101 44511101
}
