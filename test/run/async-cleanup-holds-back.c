// finally and defer hold cancels back, pauses and all, also one that comes while they run normally.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void worker(void) {
  defer printf("out\n");
  {
    defer {
      fm_sleep(10);
      printf("defer at %d\n", (int)(fm_now() / 1000000));
    }
    try {
      printf("body\n");
    } finally {
      fm_sleep(10);
      printf("finally at %d\n", (int)(fm_now() / 1000000));
    }
    printf("behind finally\n");
  }
  printf("behind defer\n");
  fm_checkpoint();
  printf("not reached\n");
}

async int main(void) {
  auto t = spawn worker();
  fm_sleep(1);                    // expect: body
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  // expect: finally at 10
  // expect: behind finally
  // expect: defer at 20
  // expect: behind defer
  // expect: out
  fm_detach(t);
}
