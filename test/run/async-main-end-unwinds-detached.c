// The end of async main cancels and unwinds detached activities: their defers run, pauses and all, and those of what they started.
// It is one cancel: all that it releases go on in the order in which they had blocked.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void leaf(const char *who) {
  defer printf("%s leaf out\n", who);
  fm_sleep(1000);
}

async static void root(const char *who) {
  defer {
    fm_sleep(5);
    printf("%s out at %d\n", who, (int)(fm_now() / 1000000));
  }
  spawn leaf(who);
  scope (s) {
    race {
      case fm_sleep(1000): printf("no\n");
      case leaf("race"): printf("no\n");
    }
  }
  else printf("no\n");
}

async int main(void) {
  defer printf("main out\n");     // expect: main out
  spawn detached root("a");
  auto t = spawn detached root("b");
  fm_sleep(10);
  fm_detach(t);
  // expect: race leaf out
  // expect: race leaf out
  // expect: a leaf out
  // expect: b leaf out
  // expect: a out at 15
  // expect: b out at 15
}
