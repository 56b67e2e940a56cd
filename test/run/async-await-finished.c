// A finished task does not pause the waiter.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int quick(int x) { return x; }
static async void other(void) { printf("other\n"); }

async int main(void) {
  auto t = spawn quick(3);
  yield;
  spawn other();
  printf("%d\n", await t);        // expect: 3
  printf("before\n");             // expect: before
  yield;                          // expect: other
}
