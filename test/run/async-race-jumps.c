// break leaves the race; continue, return and goto leave what is around; declarations and labels in arms.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int by(int how) {
  int seen = 0;
  for (int i = 0; i < 3; i++) {
    race {
      case fm_sleep(1):
        int local = i * 10;
        seen += 1;
        if (how == 0) break;
        if (how == 1) continue;
        if (how == 2) return seen + local;
        if (how == 3) goto out;
        for (;;) break;           // its own
        switch (how) { case 4: break; }
        while (1) {
          if (local++ > 3) break;
          continue;
        }
        seen += 10;
      case fm_sleep(1000): printf("no\n");
    }
    seen += 100;
  }
  return seen;
out:
  return -seen;
}

async int main(void) {
  for (int i = 0; i < 5; i++) printf("%d %d\n", by(i), (int)(fm_now() / 1000000));
  // expect: 303 3
  // expect: 3 6
  // expect: 1 7
  // expect: -1 8
  // expect: 333 11
}
