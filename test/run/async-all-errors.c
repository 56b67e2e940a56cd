// fm_all: the first error cancels the rest, and is thrown when all have ended; further ones hang on it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static int fails(int ms, int n) throws(struct bad) {
  defer printf("%d out at %d\n", n, (int)(fm_now() / 1000000));
  if (n == 3) shield fm_sleep(ms);
  else fm_sleep(ms);
  if (n) throw (struct bad){n};
  return 1;
}

async int main(void) {
  task(int) t[4] = {spawn fails(100, 1), spawn fails(10, 2), spawn fails(30, 3), spawn fails(5, 0)};
  try {
    fm_all(t, 4);
    printf("no\n");
  } catch (fm_error *e) {
    for (const fm_error *k = e; k; k = fm_error_next(k)) printf("%s %d\n", fm_error_name(k), ((const struct bad *)fm_error_value(k))->n);
  }
  // expect: 0 out at 5
  // expect: 2 out at 10
  // expect: 1 out at 10
  // expect: 3 out at 30
  // expect: bad 2
  // expect: bad 3
}
