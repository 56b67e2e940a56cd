// A race that is paused: its arms stop; what they wait for goes on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void racer(void) {
  race {
    case fm_sleep(10): printf("ten at %d\n", (int)(fm_now() / 1000000));
    case fm_sleep(20): printf("no\n");
  }
}

async int main(void) {
  auto t = spawn racer();
  fm_sleep(5);
  fm_pause(fm_id(t));
  fm_sleep(100);
  printf("resume\n");             // expect: resume
  fm_resume(fm_id(t));
  await t;                        // expect: ten at 105
}
