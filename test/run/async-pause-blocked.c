// Pause of one that is blocked: what it waits for goes on; it stops when it would come back from there.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int ms(void) { return (int)(fm_now() / 1000000); }

async static int sleeper(void) {
  fm_sleep(10);
  printf("woken at %d\n", ms());
  return 1;
}

async int main(void) {
  auto t = spawn sleeper();
  fm_sleep(1);
  fm_pause(fm_id(t));
  fm_sleep(49);
  printf("at %d\n", ms());        // expect: at 50
  fm_resume(fm_id(t));
  printf("%d\n", await t);        // expect: woken at 50
                                  // expect: 1
  auto u = spawn sleeper();       // resumed before its timer: as if nothing had been
  fm_sleep(1);
  fm_pause(fm_id(u));
  fm_resume(fm_id(u));
  printf("%d\n", await u);        // expect: woken at 60
                                  // expect: 1
}
