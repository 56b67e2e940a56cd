// Those that a resume or a cancel releases go to the end of the queue, in the order they had blocked.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void sleeper(int i, int ms) {
  for (int k = 0; k < 5 - i; k++) yield;
  defer printf("%d", i);
  fm_sleep(ms);
}

async int main(void) {
  for (int how = 0; how < 2; how++) {
    scope (s) {
      for (int i = 0; i < 5; i++) spawn sleeper(i, 100 + how);
      fm_sleep(1);
      if (how) {
        fm_pause(s);
        fm_resume(s);
        fm_pause(s);
        fm_cancel(s);
      } else {
        fm_cancel(s);
      }
    }
    printf("\n");                 // expect: 43210
  }                               // expect: 43210
}
