// Inside an expression `atomic` binds like a cast; at the start of a statement it covers the whole statement.
// env: FERMATA_TICK=off
#include "parts/async.h"

static int runs;
static async void other(void) {
  for (;;) {
    runs++;
    yield;
  }
}
static async int f(int x) {
  yield;
  return x;
}

async int main(void) {
  spawn detached other();
  yield;
  runs = 0;
  int n = atomic f(1) + f(2);               // the second may be interrupted
  printf("%d %d\n", n, runs);               // expect: 3 1
  runs = 0;
  atomic n = f(1) + f(2);
  printf("%d %d\n", n, runs);               // expect: 3 0
  n = atomic (f(1) + f(2));
  printf("%d %d\n", n, runs);               // expect: 3 0
  n = -atomic f(4) * 2;
  printf("%d %d\n", n, !atomic f(0));       // expect: -8 1
  n = atomic (int)sizeof(int) + atomic n;
  printf("%d\n", n + runs);                 // expect: -4
}
