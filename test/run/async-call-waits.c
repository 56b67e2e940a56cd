// Calling an async function from async code waits for its result; `await` before the call means the same.
#include "parts/async.h"

static async int add(int a, int b) {
  yield;
  return a + b;
}

async int main(void) {
  int n = add(1, 2);
  printf("%d\n", n);                                            // expect: 3
  n = await add(n, 4);
  printf("%d\n", n);                                            // expect: 7
  printf("%d\n", add(add(1, 10), add(100, 1000)));              // expect: 1111
  printf("%d\n", await add(await add(1, 10), add(100, 1000)));  // expect: 1111
  printf("%d\n", await add(1, 2) + await add(3, 4) * 10);       // expect: 73
  printf("%d\n", atomic add(add(1, 10), await add(100, 1000))); // expect: 1111
}
