// Arms with await: the loser gives its handle back, and the task, which is no child of the race, goes on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

async int main(void) {
  auto t = spawn after(50, 5);
  int v = 0;
  for (int i = 0; i < 3; i++)
    race {
      case v = await t: printf("no\n");
      case fm_sleep(10): printf("not yet\n");
    }
  // expect: not yet
  // expect: not yet
  // expect: not yet
  race {
    case fm_sleep(100): printf("no\n");
    case v = await t: printf("%d at %d\n", v, (int)(fm_now() / 1000000)); // expect: 5 at 50
  }
  auto u = spawn after(5, 6);
  fm_sleep(10);
  race {
    case v = await u + 1: printf("%d\n", v); // expect: 7
    case fm_sleep(0): printf("no\n");
  }
}
