// An operation that has completed delivers its result though a cancel came in between; the pause after it meets the cancel.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int seven(void) {
  yield;
  return 7;
}

async static void waiter(task(int) t) {
  defer printf("out\n");
  int v = await t;
  printf("got %d\n", v);
  yield;
  printf("not reached\n");
}

async static void sleeper(void) {
  fm_sleep(10);
  printf("slept\n");
  fm_sleep(10);
  printf("not reached\n");
}

async static void killer(fm_activity a) {
  fm_sleep(10);
  fm_cancel(a);
}

async int main(void) {
  auto s = spawn seven();
  auto w = spawn waiter(s);
  fm_activity id = fm_id(s);
  fm_join(id);                    // woken behind the waiter, which has not run yet … or before it
  fm_cancel(fm_id(w));
  fm_join(fm_id(w));              // expect: got 7
                                  // expect: out
  auto z = spawn sleeper();
  auto k = spawn killer(fm_id(z)); // both wake in the same moment, the sleeper first
  await k;                        // expect: slept
  fm_join(fm_id(z));
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 10
  fm_detach(w), fm_detach(z);
}
