// In the dynamic extent of atomic no other activity runs and yields vanish: statement, expression, what they call.
// env: FERMATA_TICK=off
#include "parts/async.h"

static int shared;
static async void other(void) {
  for (;;) {
    shared++;
    yield;
  }
}
static async int watch(int n) {
  int before = shared;
  while (n--) yield;
  return shared - before;
}

async int main(void) {
  spawn detached other();
  yield;
  printf("%d\n", watch(3));                 // expect: 3
  printf("%d\n", atomic watch(3));          // expect: 0
  int n;
  atomic {
    n = watch(2);
    yield;
    n += watch(2);
    for (int i = 0; i < 3; i++) n += later(0);
  }
  printf("%d\n", n);                        // expect: 0
  n = 5;
  atomic n += watch(1) + watch(2);
  printf("%d\n", n);                        // expect: 5
  atomic if (later(1)) n = watch(4);
  printf("%d\n", n);                        // expect: 0
  atomic for (int i = 0; i < 3; i++) n += watch(1);
  printf("%d\n", n);                        // expect: 0
  async int (*pointer)(int) = watch;
  printf("%d\n", atomic pointer(2) + pointer(2)); // expect: 2
}
