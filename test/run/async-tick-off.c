// FERMATA_TICK=off: an activity runs until it pauses, yields or ends, however long that takes.
// env: FERMATA_TICK=off
#include "parts/async.h"
#include <time.h>

static int flag;
static async void set(void) { flag = 1; }
static int busy(void) {
  clock_t end = clock() + CLOCKS_PER_SEC / 50;
  while (clock() < end) {}
  return flag;
}

async int main(void) {
  spawn set();
  int n = busy();
  n += busy();
  n += busy();
  printf("%d\n", n);              // expect: 0
  yield;
  printf("%d\n", busy());         // expect: 1
}
