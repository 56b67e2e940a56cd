// Activities that a pause has held go on in the order in which they blocked. One that was ready
// because it had yielded, had not begun, or was to unwind, counts from when it was to go on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

static async void sleeper(const char *name, int ms) {
  defer printf(" %s", name);
  fm_sleep((uint64_t)ms);
}

static async void begins(const char *name) {
  printf(" %s", name);
}

static async void group(void) {
  scope {
    spawn now sleeper("blocked-1", 5);
    task(void) t = spawn now sleeper("unwinds", 100);
    spawn now sleeper("blocked-2", 5);
    spawn begins("fresh");  // it has not begun when all are paused
    fm_cancel(fm_id(t));    // its wait is over, it has yet to unwind
    fm_detach(t);
    fm_sleep(50);
  }
}

async int main(void) {
  task(void) g = spawn now group();
  fm_pause(fm_id(g));
  fm_sleep(10);
  fm_resume(fm_id(g));
  await g;
  printf("\n"); // expect:  blocked-1 blocked-2 fresh unwinds
  return 0;
}
