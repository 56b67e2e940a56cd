// If the winner throws, race throws, after the losers have unwound; what losers throw is lost with them.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static int fails(int ms, int n) throws(struct bad) {
  fm_sleep(ms);
  throw (struct bad){n};
}

async static void loser(void) throws(struct bad) {
  shield fm_sleep(20);
  printf("loser throws\n");
  throw (struct bad){9};
}

async int main(void) {
  int v = 0;
  try {
    race {
      case loser(): printf("no\n");
      case v = fails(10, 1): printf("no\n");
      case fm_sleep(100): printf("no\n");
    }
    printf("no\n");
  } catch (struct bad b) {
    printf("bad %d, v %d\n", b.n, v);
  }
  // expect: loser throws
  // expect: bad 1, v 0
  try {
    race {
      case v = fails(10, 1): printf("no\n");
      case fm_sleep(5): printf("slept\n"); // expect: slept
    }
    race {
      case fm_sleep(1): throw (struct bad){2};
    }
  } catch (struct bad b) {
    printf("bad %d\n", b.n);      // expect: bad 2
  }
}
