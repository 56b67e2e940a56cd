// An arm can be any expression that waits: around calls, with several, with variables of the function.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

static int twice(int v) { return 2 * v; }

async int main(void) {
  int x = 3, v = 0, ms = 10;
  long l = 0;
  race {
    case v = after(ms, x) + after(ms, x * x): printf("%d at %d\n", v, (int)(fm_now() / 1000000)); // expect: 12 at 20
    case fm_sleep(30): printf("no\n");
  }
  race {
    case v = x > 2 ? after(5, 1) : 4: printf("%d\n", v); // expect: 1
    case fm_sleep(30): printf("no\n");
  }
  race {
    case l = twice(after(1, x)) * 1000000000L: printf("%ld\n", l); // expect: 6000000000
    case fm_sleep(30): printf("no\n");
  }
  race {
    case (x = after(1, 8), x + after(1, 1)): printf("%d\n", x); // expect: 8
    case fm_sleep(30): printf("no\n");
  }
  int *p = &v;
  race {
    case *p = await spawn after(2, 77): printf("%d\n", v); // expect: 77
    case *p = after(10, 3): printf("no\n");
  }
}
