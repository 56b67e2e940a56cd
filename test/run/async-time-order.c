// Equal deadlines in the order begun; fm_sleep(0) is yield; a longer sleep that began earlier and ends in the same moment comes first.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void sleeper(const char *who, int first, int second) {
  fm_sleep((uint64_t)first);
  fm_sleep((uint64_t)second);
  printf("%s at %d\n", who, (int)(fm_now() / 1000000));
}

async static void yields(void) {
  for (int i = 0; i < 3; i++) {
    printf("y%d\n", i);
    yield;
  }
}

async static void zeros(void) {
  for (int i = 0; i < 3; i++) {
    printf("z%d\n", i);
    fm_sleep(0);
  }
}

async int main(void) {
  scope (s) {
    spawn yields();
    spawn zeros();
  }
  // expect: y0
  // expect: z0
  // expect: y1
  // expect: z1
  // expect: y2
  // expect: z2
  scope (s) {
    spawn sleeper("a", 10, 20);
    spawn sleeper("b", 0, 30);
    spawn sleeper("c", 20, 10);
    spawn sleeper("d", 0, 30);
  }
  // expect: b at 30
  // expect: d at 30
  // expect: a at 30
  // expect: c at 30
}
