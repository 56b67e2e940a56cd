// switch with pauses: in its condition, between cases, falling through, with ranges, a default in the middle.
// flags: -Wno-implicit-fallthrough
#include "parts/async.h"

static async int one(int x) {
  int n = 0;
  switch (later(x)) {
    int hoisted;
  case 1:
    n += 1;
    yield;
  case 2:
    n += later(2);
    break;
  default:
    hoisted = 100;
    yield;
    n += hoisted;
  case 5 ... 8:
    n += 10;
    yield;
    if (x == 6) break;
    n += 20;
    break;
  case -1: {
    int local = 5;
    yield;
    return local;
  }
  }
  return n;
}

static async int test(int first) {
  if (first) yield;
  return one(1) + one(2) * 10 + one(3) * 100 + one(6) * 100000 + one(8) * 10000000 + one(-1);
}

async int main(void) {
  THREE(test);                    // expect: 301013028 301013028 301013028
}
