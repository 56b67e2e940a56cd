// fm_every: moments counted from its making, however long the loop takes; missed ones are counted; a cancel leaves it in order.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int ms(void) { return (int)(fm_now() / 1000000); }

async int main(void) {
  fm_timer t = fm_every(10);
  int work[] = {3, 25, 1, 0, 10};
  for (int i = 0; i < 5; i++) {
    fm_tick(&t);
    printf("%d missed %d\n", ms(), (int)t.missed);
    fm_sleep((uint64_t)work[i]);
  }
  // expect: 10 missed 0
  // expect: 20 missed 0
  // expect: 45 missed 1
  // expect: 50 missed 0
  // expect: 60 missed 0
  printf("at %d\n", ms());        // expect: at 70
  scope (s) {
    fm_cancel_after(s, 5);
    fm_tick(&t);
    fm_tick(&t);
    printf("no\n");
  }
  else printf("else at %d\n", ms()); // expect: else at 75
  fm_tick(&t);
  printf("%d\n", ms());           // expect: 80
}
