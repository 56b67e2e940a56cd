// Cancelling oneself takes effect at the next pause, not at the call, and not at an automatic yield.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int plain(int v) { return v + 1; }

async static void by_yield(void) {
  defer printf("yield out\n");
  fm_cancel(fm_self());
  printf("still here %d\n", plain(plain(0)));
  yield;
  printf("not reached\n");
}

async static void by_checkpoint(void) {
  defer printf("checkpoint out\n");
  fm_checkpoint();
  fm_cancel(fm_self());
  printf("here\n");
  fm_checkpoint();
  printf("not reached\n");
}

async static void by_sleep(void) {
  defer printf("sleep out\n");
  fm_cancel(fm_self());
  fm_sleep(100);
  printf("not reached\n");
}

async static int callee(void) { return 7; }

async static void by_none(void) {
  defer printf("none out\n");
  fm_cancel(fm_self());
  printf("%d\n", callee());       // a call that does not pause is no pause
}

#define LOOK(f)                                   \
  do {                                            \
    auto t = spawn f();                           \
    try {                                         \
      await t;                                    \
      printf("as ever\n");                        \
    } catch (struct fm_cancelled c) {             \
      printf("cancelled by itself: %d\n", c.by.node == fm_id(t).node); \
    }                                             \
  } while (0)

async int main(void) {
  LOOK(by_yield);                 // expect: still here 2
  // expect: yield out
  // expect: cancelled by itself: 1
  LOOK(by_checkpoint);            // expect: here
  // expect: checkpoint out
  // expect: cancelled by itself: 1
  LOOK(by_sleep);                 // expect: sleep out
  // expect: cancelled by itself: 1
  LOOK(by_none);                  // expect: 7
  // expect: none out
  // expect: as ever
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 0
}
