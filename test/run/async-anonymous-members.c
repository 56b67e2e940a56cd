// Structures declared in an async function may have nameless members; their members stay the outer structure's.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  struct { int a; struct { char x; union { short h; char k; }; }; enum { RED = 5, BLUE } c; } v = { .h = 7, .a = later(2), .c = BLUE };
  yield;
  v.x = (char)later(1);
  return v.h * 1000 + v.a * 100 + v.x * 10 + (int)v.c;
}

async int main(void) {
  THREE(test);                    // expect: 7216 7216 7216
}
