// Races in arms, in statements of arms, in loops; a race in a function called by an arm.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  defer if (v == 99) printf("99 out\n");
  fm_sleep(ms);
  return v;
}

async static int quicker(int a, int b) {
  int v = 0;
  race {
    case v = after(a, a): v += 1000;
    case v = after(b, b): v += 2000;
  }
  return v;
}

async int main(void) {
  int v, sum = 0;
  race {
    case v = quicker(30, 20): printf("%d\n", v); // expect: 2020
    case v = quicker(50, 40): printf("no\n");
  }
  race {
    case fm_sleep(1):
      race {
        case v = after(1000, 99): printf("no\n");
        case fm_sleep(2): printf("inner\n");
      }
      printf("outer\n");
    case v = after(100, 99): printf("no\n");
  }
  // expect: 99 out
  // expect: 99 out
  // expect: inner
  // expect: outer
  for (int i = 0; i < 1000; i++)
    race {
      case v = quicker(i % 3 + 1, 2): sum += v;
      case fm_sleep(i % 5 + 1): sum++;
    }
  printf("%d\n", sum);            // expect: 868400
}
