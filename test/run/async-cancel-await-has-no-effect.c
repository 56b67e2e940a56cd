// An await that is cancelled has had no effect: the handle is still good, and its owner can await it again.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int seven(void) {
  fm_sleep(100);
  return 7;
}

static task(int) shared;

async static void waiter(void) {
  defer printf("out\n");
  printf("no: %d\n", await shared);
}

async static int in_cleanup(void) {
  int v = 0;
  scope (s) {
    fm_cancel_after(s, 10);
    v = await shared;
  }
  printf("v %d at %d\n", v, (int)(fm_now() / 1000000));
  return await shared;
}

async int main(void) {
  shared = spawn seven();
  for (int i = 0; i < 3; i++) {
    auto w = spawn waiter();
    yield;
    fm_cancel(fm_id(w));
    fm_join(fm_id(w));            // expect: out
    fm_detach(w);                 // expect: out
  }                               // expect: out
  printf("%d\n", in_cleanup());   // expect: v 0 at 10
                                  // expect: 7
}
