// `spawn now` of what needs more stack than there is: the child goes on at once on the heap, before its parent and others.
// env: FERMATA_TICK=off
#include "parts/async.h"

enum { DEEP = 1000000 };

static async int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }
static async void other(void) { printf("other\n"); }
static async int chain(int n) {
  if (n == 0) return 0;
  auto t = spawn now chain(n - 1);
  return await t + 1;
}

async int main(void) {
  spawn other();
  auto u = spawn now depth(DEEP);
  printf("spawned\n");            // expect: spawned
  printf("%d\n", await u);        // expect: 1000000
  yield;                          // expect: other
  printf("%d\n", chain(100000));  // expect: 100000
  spawn now depth(DEEP);
}
