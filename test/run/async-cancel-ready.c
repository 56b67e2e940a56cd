// Who is ready when it is cancelled, behind a yield, unwinds from there when its turn comes, not before.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void worker(void) {
  defer printf("out\n");
  printf("begun\n");
  yield;
  printf("not reached\n");
}

async int main(void) {
  auto t = spawn worker();
  yield;                          // expect: begun
  fm_cancel(fm_id(t));
  printf("cancelled, %s\n", fm_alive(fm_id(t)) ? "alive" : "ended"); // expect: cancelled, alive
  yield;                          // expect: out
  printf("%s\n", fm_alive(fm_id(t)) ? "alive" : "ended"); // expect: ended
  fm_detach(t);
}
