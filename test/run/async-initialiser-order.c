// C leaves the order within an initialiser list open: there, too, pauses come first.
#include "parts/async.h"

static int order;
static int now(void) { return ++order; }
static async int slow(void) {
  yield;
  return ++order;
}

static async int test(int first) {
  if (first) yield;
  order = 0;
  int a[2] = { now(), slow() };
  struct { int x, y; } s = { now(), slow() };
  return a[0] * 1000 + a[1] * 100 + s.x * 10 + s.y;
}

async int main(void) {
  int a = test(0), b = test(1);
  printf("%d %d\n", a, b);        // expect: 2143 2143
}
