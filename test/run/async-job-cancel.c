// A run of a job is cancelled like any activity; the job is as good as new. In a race, in a scope, in a loop.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int slow(int ms) {
  defer printf("out\n");
  fm_sleep((uint64_t)ms);
  return ms;
}

async int main(void) {
  job(int) j = job slow(20);
  auto t = spawn j;
  yield;
  fm_cancel(fm_id(t));
  try {
    await t;
  } catch (struct fm_cancelled) {
    printf("cancelled\n");        // expect: out
  }                               // expect: cancelled
  int v = 0;
  race {
    case v = await j: printf("no\n");
    case fm_sleep(10): printf("too slow\n"); // expect: out
  }                               // expect: too slow
  race {
    case v = await j: printf("%d\n", v); // expect: out
    case fm_sleep(30): printf("no\n"); // expect: 20
  }
  scope (s) {
    fm_cancel_after(s, 5);
    v += await j;
  }
  printf("%d\n", v);              // expect: out
  fm_job_free(j);                 // expect: 20
}
