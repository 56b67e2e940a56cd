// A child that is made by who is cancelled is cancelled as well.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(void) {
  defer printf("child out\n");
  printf("child begun\n");
  fm_sleep(1000);
  printf("no\n");
}

async static void parent(void) {
  defer printf("parent out\n");
  fm_cancel(fm_self());
  auto t = spawn child();
  printf("%d\n", fm_cancelled(fm_id(t))); // expect: 1
  fm_detach(t);
  yield;                          // expect: child begun
  printf("no\n");                 // expect: child out
}                                 // expect: parent out

async int main(void) {
  spawn parent();
}
