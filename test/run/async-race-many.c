// Many races of library operations, withdrawn in the step in which another wins; a task raced by two.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) { fm_sleep(ms); return v; }

async static int waiter(task(int) t, int ms) {
  int v = -1;
  race {
    case v = await t: return v;
    case fm_sleep(ms): return -2;
  }
  return v;
}

async int main(void) {
  auto t = spawn after(50, 4);
  auto a = spawn waiter(fm_share(t), 100);
  auto b = spawn waiter(fm_share(t), 10);
  auto c = spawn waiter(t, 100);
  printf("%d %d %d\n", await a, await b, await c); // expect: 4 -2 4
  int wins[2] = {0};
  for (int i = 0; i < 500; i++)
    race {
      case fm_sleep(i % 2 + 1): wins[0]++;
      case fm_sleep(2 - i % 2): wins[1]++;
    }
  printf("%d %d\n", wins[0], wins[1]); // expect: 250 250
}
