// fm_all and a task that is cancelled by someone else: that is an error, fm_cancelled.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void killer(fm_activity a) {
  fm_sleep(5);
  fm_cancel(a);
}

async int main(void) {
  task(void) t[2] = {spawn fm_sleep(100), spawn fm_sleep(50)};
  spawn killer(fm_id(t[1]));
  try {
    fm_all(t, 2);
    printf("no\n");
  } catch (struct fm_cancelled c) {
    printf("cancelled in line %d at %d\n", c.line, (int)(fm_now() / 1000000)); // expect: cancelled in line 9 at 5
  }
}
