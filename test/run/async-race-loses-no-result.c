// An arm that awaits a task wins when that has ended, before another can: its result is not lost. An arm whose arguments wait does not
// win by them, nor one that waits in an atomic of its own.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep((uint64_t)ms);
  return v;
}

async static int yields(int n, int v) {
  for (; n > 0; n--) yield;
  return v;
}

struct bad { int n; };
async static int fails(int n) throws(struct bad) {
  for (int i = 0; i < n; i++) yield;
  throw (struct bad){n};
}

async static int in_atomic(void) {
  atomic fm_sleep(1);
  return atomic after(1, 1) + atomic after(1, 1);
}

async int main(void) {
  int v = 0, won[2] = {0}, values = 0;
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) {
      auto t = spawn yields(i, 1);
      bool got = false;
      race {
        case v = yields(k, 5): won[0]++;
        case v = await t: got = true; values += v; won[1]++;
      }
      if (!got) values += await t;
    }
  printf("%d, %d\n", won[0] + won[1], values); // expect: 36, 36

  auto t = spawn yields(3, 7);
  race {                          // both arms await the same
    case v = await fm_share(t): printf("first %d\n", v); // expect: first 7
    case v = await t: printf("no\n");
  }
  for (int i = 0; i < 6; i++) {
    auto f = spawn fails(i);
    bool got = false;
    try {
      race {
        case v = yields(2, 1): break;
        case v = await f: printf("no\n");
      }
      v = await f;
      printf("no\n");
    } catch (struct bad b) {
      got = b.n == i;
    }
    printf("%d", got);
  }
  printf("\n");                   // expect: 111111
  race {
    case v = in_atomic(): printf("%d\n", v); // expect: 2
    case fm_sleep(4): printf("no\n");
  }
  race {
    case v = after((fm_sleep(5), 100), 1): printf("no\n");
    case v = after(later(100), 1): printf("no\n");
    case v = await (fm_sleep(1), spawn after(100, 2)): printf("no\n");
    case fm_sleep((fm_sleep(2), 100)): printf("no\n");
    case fm_sleep(20): printf("at %d\n", (int)(fm_now() / 1000000)); // expect: at 23
  }
}
