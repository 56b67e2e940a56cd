// shield holds a cancel back until its end, then it is met at the next pause; it can stand before any statement.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void worker(void) {
  defer printf("out\n");
  shield {
    fm_sleep(10);
    printf("shielded at %d\n", (int)(fm_now() / 1000000));
    shield fm_sleep(10);
    printf("still at %d\n", (int)(fm_now() / 1000000));
  }
  printf("no pause yet\n");
  yield;
  printf("not reached\n");
}

async static int value(void) {
  int v;
  shield v = later(5);
  shield return v + 1;
}

async int main(void) {
  auto t = spawn worker();
  fm_sleep(1);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  // expect: shielded at 10
  // expect: still at 20
  // expect: no pause yet
  // expect: out
  fm_detach(t);
  printf("%d\n", value());        // expect: 6
  auto v = spawn value();
  yield;
  fm_cancel(fm_id(v));
  printf("%d\n", await v);        // expect: 6
}
