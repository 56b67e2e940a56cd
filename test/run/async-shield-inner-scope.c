// Scopes opened inside a shield are cancelled as usual; activities inside too, when they are aimed at.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void forever(void) {
  defer printf("forever out\n");
  fm_sleep(100000);
}

async static void worker(fm_activity *in) {
  shield {
    scope (s) {
      *in = s;
      spawn forever();
      fm_sleep(1000);
      printf("not reached\n");
    }
    else printf("else\n");
    auto t = spawn forever();
    fm_cancel_after(fm_id(t), 5);
    try {
      await t;
    } catch (struct fm_cancelled) {
      printf("caught\n");
    }
  }
  yield;
  printf("not reached\n");
}

async int main(void) {
  fm_activity in;
  auto t = spawn worker(&in);
  fm_sleep(1);
  fm_cancel(fm_id(t));
  fm_sleep(1);
  printf("scope next\n");         // expect: scope next
  fm_cancel(in);
  fm_join(fm_id(t));
  // expect: forever out
  // expect: else
  // expect: forever out
  // expect: caught
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 7
  fm_detach(t);
}
