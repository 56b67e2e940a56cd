// The end of a slice counts as blocking: an activity that a pause held there goes on after those
// that had blocked before.
// env: FERMATA_TICK=always
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>
#include <stdio.h>

static char order[3];
static int n;
static bool enough;

volatile int sum;

static void compute(void) {
  sum++;
}

static async void sleeper(void) {
  fm_sleep(5);
  order[n++] = 's';
}

static async void computer(void) {
  while (!enough)
    compute(); // its slice is over here
  order[n++] = 'c';
}

static async void group(void) {
  scope {
    spawn now sleeper();
    spawn now computer();
    fm_sleep(50);
  }
}

async int main(void) {
  task(void) g = spawn now group();
  for (int i = 0; i < 9; i++)
    yield; // they begin
  fm_pause(fm_id(g));
  enough = true;
  fm_sleep(10);
  fm_resume(fm_id(g));
  await g;
  printf("%s\n", order); // expect: sc
  return 0;
}
