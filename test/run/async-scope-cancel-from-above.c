// A cancel from above unwinds on through scopes, without their else.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void worker(void) {
  defer printf("worker out\n");
  scope (a) {
    scope (b) {
      defer printf("inner defer\n");
      fm_sleep(1000);
    }
    else printf("no b\n");
    printf("no\n");
  }
  else printf("no a\n");
  printf("no\n");
}

async static void between(void) {
  scope (a) {
    scope (b) {
      fm_cancel(a);
      fm_sleep(10);
    }
    else printf("no b\n");
    printf("no\n");
  }
  else printf("a else\n");
}

async static void both(void) {    // the inner one first, then the outer one, before anything is met: that one wins
  scope (a) {
    scope (b) {
      fm_cancel(b);
      fm_cancel(a);
      fm_sleep(10);
    }
    else printf("no b\n");
    printf("no\n");
  }
  else printf("a else\n");
}

async int main(void) {
  auto t = spawn worker();
  fm_sleep(1);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(t);
  // expect: inner defer
  // expect: worker out
  between();                      // expect: a else
  both();                         // expect: a else
}
