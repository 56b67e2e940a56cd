// A job is cold: nothing runs when it is made; it runs each time it is used, from the arguments of then.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int add(int a, int b) {
  printf("add %d %d\n", a, b);
  yield;
  a += b;                         // its own copy
  return a;
}

static int calls;
static int argument(void) { return ++calls; }

async int main(void) {
  int x = 10;
  job(int) j = job add(x, argument());
  x = 99;
  printf("made, %d\n", calls);    // expect: made, 1
  printf("%d\n", await j);        // expect: add 10 1
                                  // expect: 11
  auto t = spawn j;
  auto u = spawn j;
  printf("%d %d\n", await t, await u);
  // expect: add 10 1
  // expect: add 10 1
  // expect: 11 11
  printf("%d\n", atomic await j); // expect: add 10 1
                                  // expect: 11
  printf("%d\n", calls);          // expect: 1
  fm_job_free(j);
}
