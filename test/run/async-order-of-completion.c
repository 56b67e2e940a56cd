// Completion puts the waiters to the end of the queue; an activity runs until it pauses, yields or ends.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int work(const char *s) {
  yield;
  printf("%s done\n", s);
  return 0;
}
static async void waits(const char *s) {
  work(s);
  printf("%s returned\n", s);
  auto t = spawn work("task");
  await t;
  printf("%s awaited\n", s);
}
static async void ticks(void) {
  for (int i = 0; i < 4; i++) {
    printf("tick %d\n", i);
    yield;
  }
}

async int main(void) {
  auto a = spawn waits("a");
  auto b = spawn ticks();
  await a;
  await b;
}
// queue: main, then a b: a pauses in work; tick 0
// expect: tick 0
// expect: a done
// expect: a returned
// a awaits the task, which stands behind b: tick 1, the task yields, tick 2, it ends and a goes behind b: tick 3, a
// expect: tick 1
// expect: tick 2
// expect: task done
// expect: tick 3
// expect: a awaited
