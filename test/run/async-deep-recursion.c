// Async recursion cannot overflow the C stack: a million deep, without a pause, with one at the bottom, and in the middle.
#include "parts/async.h"

enum { DEEP = 1000000 };

static async int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }

static async int pausing(int n) {
  if (n == 0) {
    yield;
    return 0;
  }
  return pausing(n - 1) + 1;
}

static async int middle(int n) {
  if (n == DEEP / 2) yield;
  int below = n == 0 ? 0 : middle(n - 1);
  return below + 1;
}

static async int b(int n, async int (*f)(int));
static async int a(int n) { return n == 0 ? 0 : 1 + b(n - 1, a); }
static async int b(int n, async int (*f)(int)) { return n == 0 ? 0 : f(n - 1) + 1; }

static async void nothing(int n) {
  if (n) nothing(n - 1);
}

async int main(void) {
  printf("%d\n", depth(DEEP));    // expect: 1000000
  printf("%d\n", pausing(DEEP));  // expect: 1000000
  printf("%d\n", middle(DEEP));   // expect: 1000001
  printf("%d\n", a(DEEP));        // expect: 1000000
  nothing(DEEP);
  auto t = spawn depth(DEEP);
  auto u = spawn pausing(DEEP);
  printf("%d\n", await t + await u); // expect: 2000000
}
