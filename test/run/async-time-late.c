// fm_every_with: what a timer does about moments that have passed.
// env: FERMATA_DRIVER=virtual FERMATA_TICK=off
#include <fermata.h>
#include <fermata/time.h>

static async void late_once(fm_late late) {
  uint64_t start = fm_now();
  fm_timer t = fm_every_with(10, late);
  for (int i = 0; i < 7; i++) {
    fm_tick(&t);
    printf(" %d", (int)((fm_now() - start) / 1000000));
    if (t.missed)
      printf("(%d)", (int)t.missed);
    if (i == 1)
      fm_sleep(35);
  }
  printf("\n");
}

// A cancelled tick is not lost: the next call waits for the same moment.
static async void cancelled(fm_late late) {
  uint64_t start = fm_now();
  fm_timer t = fm_every_with(10, late);
  race {
  case fm_tick(&t): printf("tick\n");
  case fm_sleep(5): printf("cancelled\n");
  }
  fm_tick(&t);
  printf("%d\n", (int)((fm_now() - start) / 1000000));
}

async int main(void) {
  late_once(FM_SKIP);     // expect:  10 20 55(2) 60 70 80 90
  late_once(FM_CATCH_UP); // expect:  10 20 55(2) 55(1) 55 60 70
  late_once(FM_DELAY);    // expect:  10 20 55(2) 65 75 85 95
  for (int i = FM_SKIP; i <= FM_DELAY; i++)
    cancelled((fm_late)i);
  // expect: cancelled
  // expect: 10
  // expect: cancelled
  // expect: 10
  // expect: cancelled
  // expect: 10
  return 0;
}
