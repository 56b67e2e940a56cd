// Who has not begun when it is cancelled runs to its first pause; if it has none, to its end, with a result.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int pauses(void) {
  defer printf("out\n");
  printf("begun\n");
  yield;
  return 1;
}

async static int straight(void) {
  printf("straight\n");
  return 2;
}

async int main(void) {
  auto a = spawn pauses();
  auto b = spawn straight();
  fm_cancel(fm_id(a));
  fm_cancel(fm_id(b));
  try {
    await a;                      // expect: begun
    printf("not reached\n");      // expect: straight
  } catch (struct fm_cancelled) { // expect: out
    printf("cancelled\n");        // expect: cancelled
  }
  printf("%d\n", await b);        // expect: 2
}
