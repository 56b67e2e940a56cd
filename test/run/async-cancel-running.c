// A cancel of the function that is calling, by way of a child it starts at once: it meets it at its next wait.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void killer(fm_activity a) {
  fm_cancel(a);
  printf("killed\n");
}

async static int worker(void) {
  defer printf("out\n");
  spawn now killer(fm_self());
  printf("running on\n");
  fm_sleep(1);
  printf("not reached\n");
  return 1;
}

async int main(void) {
  auto t = spawn worker();        // expect: killed
  try {                           // expect: running on
    printf("%d\n", await t);      // expect: out
  } catch (struct fm_cancelled) {
    printf("cancelled\n");        // expect: cancelled
  }
}
