// fm_share gives one more handle, for one more waiter; waiters resume in the order they came.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int slow(int x) {
  for (int i = 0; i < 4; i++) yield;
  return x;
}
static async void waiter(const char *name, task(int) t) { printf("%s %d\n", name, await t); }

async int main(void) {
  auto t = spawn slow(42);
  spawn waiter("first", fm_share(t));
  spawn waiter("second", fm_share(t));
  yield;
  spawn waiter("third", fm_share(t));
  task(int) late = fm_share(t);
  printf("main %d\n", await t);
  // expect: first 42
  // expect: second 42
  // expect: main 42
  // expect: third 42
  yield;
  printf("late %d\n", await late); // expect: late 42
}
