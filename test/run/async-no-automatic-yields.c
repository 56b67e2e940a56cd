// -fauto-yield=off: only explicit pauses let others run.
// env: FERMATA_TICK=1
// flags: -fauto-yield=off
#include "parts/async.h"
#include <time.h>

static int flag;
static async void set(void) { flag = 1; }
static int busy(int ms) {
  struct timespec t, u;
  clock_gettime(CLOCK_MONOTONIC, &t);
  do clock_gettime(CLOCK_MONOTONIC, &u); while ((u.tv_sec - t.tv_sec) * 1000 + (u.tv_nsec - t.tv_nsec) / 1000000 < ms);
  return 0;
}
static async int calls(void) {
  for (int i = 0; i < 10; i++) busy(2);
  return flag;
}

async int main(void) {
  spawn set();
  printf("%d\n", calls());        // expect: 0
  yield;
  printf("%d\n", flag);           // expect: 1
}
