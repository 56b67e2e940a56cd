// spawn puts the child at the end of the ready queue and goes on; the queue is first in, first out; yield goes to the end.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void say(const char *who, int times) {
  for (int i = 0; i < times; i++) {
    printf("%s%d ", who, i);
    yield;
  }
}

static async void parent(void) {
  printf("p ");
  spawn say("c", 2);
  printf("q ");
  yield;
  printf("r ");
}

async int main(void) {
  auto a = spawn say("a", 3);
  auto b = spawn say("b", 2);
  auto p = spawn parent();
  printf("m ");
  yield;
  printf("m ");
  await a;
  await b;
  await p;
  printf("end\n");
}
// main: spawns a b p; m; | a0 b0 p q (c queued after main) | main: m, waits for a; a1 b1 c0 r: p ended but for c | a2, b ends, c1, p …
// expect: m a0 b0 p q m a1 b1 c0 r a2 c1 end
