// Cancel lifts every pause below it; what is cancelled cannot be paused nor resumed; a pause above it still holds.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void leaf(fm_activity *id) {
  defer printf("leaf out\n");
  *id = fm_self();
  fm_sleep(1000);
  printf("no\n");
}

async static void tree(fm_activity *id) {
  defer printf("tree out\n");
  auto t = spawn leaf(id);
  await t;
}

async int main(void) {
  fm_activity id;
  auto t = spawn tree(&id);
  fm_sleep(1);
  fm_pause(id);
  fm_pause(fm_id(t));
  fm_cancel(fm_id(t));            // expect: tree out
  fm_pause(fm_id(t));             // expect: leaf out
  fm_resume(fm_id(t));
  fm_join(fm_id(t));
  printf("ended\n");              // expect: ended
  fm_detach(t);

  auto u = spawn tree(&id);
  fm_sleep(1);
  fm_pause(fm_id(u));
  fm_cancel(id);                  // the pause of its parent is not below it
  for (int i = 0; i < 5; i++) yield;
  printf("held\n");               // expect: held
  fm_resume(fm_id(u));            // expect: leaf out
  try {
    await u;                      // expect: tree out
  } catch (struct fm_cancelled) {
    printf("cancelled\n");        // expect: cancelled
  }
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 2
}
