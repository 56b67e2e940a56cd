// fm_any: a task that fails ends as well; who awaits it gets its error. What the others throw is lost.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static int fails(int ms, int n) throws(struct bad) {
  shield fm_sleep(ms);
  throw (struct bad){n};
}

async int main(void) {
  task(int) t[2] = {spawn fails(20, 1), spawn fails(10, 2)};
  try {
    size_t k = fm_any(t, 2);
    printf("%zu at %d\n", k, (int)(fm_now() / 1000000)); // expect: 1 at 20
    printf("no %d\n", await t[k]);
  } catch (struct bad b) {
    printf("bad %d\n", b.n);      // expect: bad 2
  }
}
