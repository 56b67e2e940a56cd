// One that is ready is stopped before it runs; so is one that has not begun; one that runs, at its next pause.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void counter(const char *who, int n) {
  for (int i = 0; i < n; i++) {
    printf("%s%d\n", who, i);
    yield;
  }
}

async static void stops_itself(void) {
  fm_pause(fm_self());
  printf("running on\n");
  yield;
  printf("resumed\n");
}

async int main(void) {
  auto a = spawn counter("a", 3);
  auto b = spawn counter("b", 3);
  yield;                          // expect: a0
                                  // expect: b0
  auto c = spawn counter("c", 1);
  fm_pause(fm_id(a));
  fm_pause(fm_id(c));
  yield;                          // expect: b1
  yield;                          // expect: b2
  fm_resume(fm_id(c));            // expect: c0
  fm_resume(fm_id(a));            // expect: a1
  yield;                          // expect: a2
  await a, await b, await c;
  auto s = spawn stops_itself();
  for (int i = 0; i < 5; i++) yield; // expect: running on
  printf("main\n");               // expect: main
  fm_resume(fm_id(s));
  await s;                        // expect: resumed
}
