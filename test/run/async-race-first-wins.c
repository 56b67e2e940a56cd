// The first arm to end wins: only its variable is assigned, only its statements run; there is no fall-through.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

async int main(void) {
  int a = -1, b = -1, c = -1;
  race {
    case a = after(30, 1): printf("no\n");
    case b = after(10, 2): printf("b\n");  // expect: b
    case c = after(20, 3): printf("no\n");
  }
  printf("%d %d %d at %d\n", a, b, c, (int)(fm_now() / 1000000)); // expect: -1 2 -1 at 10
  race {
    case a = after(5, 4):
    case b = after(6, 5): printf("no\n");
  }
  printf("%d %d\n", a, b);        // expect: 4 2
  race { case fm_sleep(3): printf("alone\n"); } // expect: alone
  int array[3] = {0};
  struct { int x; } s = {0};
  race {
    case array[1] = after(2, 7): printf("%d\n", array[1]); // expect: 7
    case s.x = after(1000, 8): printf("no\n");
  }
  race {
    case array[2] = after(1000, 7): printf("no\n");
    case s.x = after(1, 9): printf("%d %d\n", s.x, array[2]); // expect: 9 0
  }
}
