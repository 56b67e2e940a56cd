// An async function runs on the caller's stack, like any function, until it has to wait: nobody else runs before.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void other(void) { printf("other\n"); }

static async int inner(int pause) {
  printf("inner\n");
  if (pause) yield;
  return pause;
}

static async int outer(int pause) { return inner(pause) + 10; }

async int main(void) {
  spawn other();
  printf("%d\n", outer(0));       // expect: inner
                                  // expect: 10
  printf("%d\n", outer(1));       // expect: inner
                                  // expect: other
                                  // expect: 11
}
