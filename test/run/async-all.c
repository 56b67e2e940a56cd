// fm_all waits until all have ended; then each can be awaited without a pause.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

async int main(void) {
  task(int) t[5];
  for (int i = 0; i < 5; i++) t[i] = spawn after(10 * (5 - i), i);
  fm_all(t, 5);
  printf("at %d\n", (int)(fm_now() / 1000000)); // expect: at 50
  for (int i = 0; i < 5; i++) printf("%d", await t[i]);
  printf("\n");                   // expect: 01234
  fm_all(t, 0);
  task(void) none[2] = {spawn fm_sleep(1), spawn fm_sleep(2)};
  fm_join(fm_id(none[1]));
  fm_all(none, 2);                // all have ended already
  fm_detach(none[0]), fm_detach(none[1]);
  printf("end\n");                // expect: end
}
