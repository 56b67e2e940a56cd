// Sleeping in virtual time: order, equal deadlines, fm_every, in atomic code, through a pointer.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include <fermata.h>
#include <fermata/time.h>

async static void sleeper(int id, int ms) {
  fm_sleep(ms);
  printf("%d at %d\n", id, (int)(fm_now() / 1000000));
}

async static void ticks(void) {
  fm_timer t = fm_every(100);
  for (int i = 0; i < 3; i++) {
    fm_tick(&t);
    printf("tick %d\n", (int)(fm_now() / 1000000));
    fm_sleep(70);
  }
}

async int main(void) {
  spawn sleeper(9, 50);
  spawn sleeper(1, 30);   // expect: 4 at 0
  spawn sleeper(2, 10);   // expect: 2 at 10
  spawn sleeper(3, 30);   // expect: 1 at 30
  spawn sleeper(4, 0);    // expect: 3 at 30
  auto t = spawn fm_sleep(40);
  await t;
  printf("main at %d\n", (int)(fm_now() / 1000000)); // expect: main at 40
  atomic {
    fm_sleep(60);
    printf("atomic at %d\n", (int)(fm_now() / 1000000)); // expect: atomic at 100
  }
  async void (*op)(uint64_t) = fm_sleep;
  op(100);                // expect: 9 at 100
  ticks();
  // expect: tick 300
  // expect: tick 400
  // expect: tick 500
  return 0;
}
