// atomic holds a cancel and a pause back until its end, from what it contains as well.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void inner(void) {
  yield;
  printf("inner\n");
}

async static void worker(void) {
  defer printf("out\n");
  atomic {
    fm_cancel(fm_self());
    fm_pause(fm_self());
    yield;
    fm_sleep(5);
    spawn contained inner();
    inner();
    printf("atomic\n");
  }
  printf("behind\n");
  yield;
  printf("not reached\n");
}

async int main(void) {
  auto t = spawn worker();
  fm_join(fm_id(t));
  // expect: inner
  // expect: atomic
  // expect: inner
  // expect: behind
  // expect: out
  fm_detach(t);
}
