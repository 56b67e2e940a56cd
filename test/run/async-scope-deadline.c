// fm_cancel_after is a deadline: of several the first counts; one that passes after the end has no effect.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int ms(void) { return (int)(fm_now() / 1000000); }

async int main(void) {
  scope (s) {
    fm_cancel_after(s, 100);
    fm_cancel_after(s, 50);
    fm_cancel_after(s, 200);
    fm_sleep(1000);
  }
  else printf("else at %d\n", ms()); // expect: else at 50
  scope (s) {
    fm_cancel_after(s, 100);
    fm_sleep(10);
  }
  else printf("no\n");
  scope (s) {
    fm_sleep(500);                // the deadlines of the other scopes pass
    printf("at %d\n", ms());      // expect: at 560
  }
  else printf("no\n");
  scope (s) {
    fm_cancel_after(s, 0);
    yield;
    yield;
    yield;
    fm_sleep(1);
    printf("no\n");
  }
  else printf("at once\n");       // expect: at once
  scope (s) {
    fm_cancel_after(s, 20);
    shield fm_sleep(30);          // it is held back until the shield ends
    printf("at %d\n", ms());      // expect: at 590
    yield;
    printf("no\n");
  }
  else printf("else at %d\n", ms()); // expect: else at 590
}
