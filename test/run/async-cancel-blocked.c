// Who is blocked is made ready at once and unwinds from where it waits: in a sleep, an await, a join.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void sleeper(void) {
  defer printf("sleeper out at %d\n", (int)(fm_now() / 1000000));
  fm_sleep(1000000);
  printf("not reached\n");
}

async static void awaiter(task(void) t) {
  defer printf("awaiter out\n");
  await t;
  printf("not reached\n");
}

async static void joiner(fm_activity a) {
  defer printf("joiner out\n");
  fm_join(a);
  printf("not reached\n");
}

async int main(void) {
  auto s = spawn fm_sleep(500);
  auto a = spawn awaiter(fm_share(s));
  auto j = spawn joiner(fm_id(s));
  auto t = spawn sleeper();
  fm_sleep(3);
  fm_cancel(fm_id(j));
  fm_cancel(fm_id(t));
  fm_cancel(fm_id(a));            // they go on in the order of these calls
  printf("cancelled\n");          // expect: cancelled
  yield;                          // expect: joiner out
                                  // expect: sleeper out at 3
                                  // expect: awaiter out
  printf("%d %d %d %d\n", fm_alive(fm_id(a)), fm_alive(fm_id(j)), fm_alive(fm_id(t)), fm_alive(fm_id(s))); // expect: 0 0 0 1
  await s;
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 500
  fm_detach(a), fm_detach(j), fm_detach(t);
}
