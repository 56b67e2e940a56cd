// Locals keep C's rules across pauses: block scopes, shadowing, initialisers that run anew each time, uninitialised reuse.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int sum = 1000;                           // 1000
  int x = 1;
  yield;
  sum += x;                                 // 1001
  {
    int x = sum, y = x + 1;                 // 1001 1002
    yield;
    for (int x = 0; x < 3; x++) {
      int y = later(x) * 10, z = y;
      yield;
      { int x = z; yield; sum += x + y; }   // + 0 + 20 + 40
    }
    sum += y - x;                           // + 1: 1062
  }
  for (int i = 0; i < 3; i++) {
    int fresh = 5;                          // initialised each time round
    fresh += later(i);
    sum += fresh;                           // + 5 + 6 + 7: 1080
  }
  { extern int elsewhere; sum += later(elsewhere); } // 1087
  return sum + x;                           // 1088
}

int elsewhere = 7;

async int main(void) {
  THREE(test);                    // expect: 1088 1088 1088
}
