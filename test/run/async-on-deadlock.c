// When all domains wait for one another, that is a deadlock; domains that have nothing to do, or a timer in one of them, are none.
// status: 1
#include "parts/async.h"
#include <fermata/pool.h>
#include <fermata/time.h>

static async void waits_for(fm_activity a) { fm_join(a); }
static async int slow(int n) { fm_sleep(30); return n; }

async int main(void) {
  fm_pool *p = fm_pool_new(3);
  auto s = spawn on(p) slow(4);
  printf("%d\n", await s);                        // expect: 4
  auto t = spawn on(p) waits_for(fm_self());
  fm_sleep(20);
  printf("and now\n");                            // expect: and now
  await t;
  printf("not reached\n");
}
