// A wait that is cancelled leaves nothing behind: neither sleeping nor its timer holds the program up.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void sleeper(int i) { fm_sleep(1000 + i); }

async int main(void) {
  for (int i = 0; i < 50; i++) {
    scope (s) {
      for (int k = 0; k < 10; k++) spawn sleeper(k);
      fm_cancel_after(s, 1);
    }
  }
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 50
}
