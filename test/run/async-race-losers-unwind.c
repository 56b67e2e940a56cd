// The losers have unwound, cleanups that pause and all, before the winner's statements run.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int busy;

async static void loser(int ms) {
  busy++;
  defer {
    fm_sleep(ms);
    busy--;
    printf("loser out at %d\n", (int)(fm_now() / 1000000));
  }
  spawn fm_sleep(10000);          // its children, too
  fm_sleep(1000);
}

async int main(void) {
  race {
    case loser(20): printf("no\n");
    case fm_sleep(10): printf("won at %d, busy %d\n", (int)(fm_now() / 1000000), busy);
    case loser(5): printf("no\n");
  }
  // expect: loser out at 15
  // expect: loser out at 30
  // expect: won at 30, busy 0
}
