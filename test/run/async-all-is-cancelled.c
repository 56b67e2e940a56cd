// Who waits in fm_all or fm_any is cancelled: it leaves at once, the tasks go on and keep their handles.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

async int main(void) {
  task(int) t[3];
  for (int i = 0; i < 3; i++) t[i] = spawn after(10 * i + 10, i);
  scope (s) {
    fm_cancel_after(s, 5);
    fm_all(t, 3);
    printf("no\n");
  }
  else printf("else at %d\n", (int)(fm_now() / 1000000)); // expect: else at 5
  scope (s) {
    fm_cancel_after(s, 1);
    fm_any(t, 3);
    printf("no\n");
  }
  else printf("else at %d\n", (int)(fm_now() / 1000000)); // expect: else at 6
  fm_all(t, 3);
  printf("%d %d %d at %d\n", await t[0], await t[1], await t[2], (int)(fm_now() / 1000000)); // expect: 0 1 2 at 30
}
