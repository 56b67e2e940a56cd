// A shield holds cancels from outside back from the children made inside as well, as long as it lasts; then they get them.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(void) {
  defer printf("child out\n");
  for (int i = 0;; i++) {
    fm_sleep(10);
    printf("child %d\n", (int)(fm_now() / 1000000));
  }
}

async static void worker(void) {
  shield {
    spawn child();
    fm_sleep(35);
  }
  printf("shield left\n");
  fm_sleep(1000);
  printf("not reached\n");
}

async int main(void) {
  auto t = spawn worker();
  fm_sleep(15);                   // expect: child 10
  fm_cancel(fm_id(t));            // expect: child 20
  fm_join(fm_id(t));              // expect: child 30
                                  // expect: shield left
                                  // expect: child out
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 35
  fm_detach(t);
}
