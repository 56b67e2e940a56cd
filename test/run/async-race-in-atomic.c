// race in atomic code: its arms are contained, others do not run.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  defer printf("%d out\n", v);
  fm_sleep(ms);
  return v;
}

async static int quicker(void) {
  int v = 0;
  race {
    case v = after(20, 1): return v;
    case v = after(10, 2): return 10 * v;
  }
  return 0;
}

async static void other(void) { printf("other\n"); }

async int main(void) {
  spawn other();
  printf("%d\n", atomic quicker());
  // expect: 2 out
  // expect: 1 out
  // expect: 20
  yield;                          // expect: other
}
