// Values that are not used: of calls, tasks, conditions, commas, casts to void.
// flags: -Wno-unused-value
#include "parts/async.h"

static int calls;
static async int f(int x) {
  yield;
  calls++;
  return x;
}
static async void all(void) {
  f(1);
  (void)f(1);
  f(1) ? 1 : 2;
  f(1) ? f(2) : f(3);
  f(0), f(1);
  f(1) + f(2);
  !f(1);
  f(1) == 1;
  auto t = spawn f(1);
  await t;
  ({ f(1); });
  (f(1));
  f(1), (void)0;
}

async int main(void) {
  all();
  printf("%d\n", calls);          // expect: 15
  atomic all();
  printf("%d\n", calls);          // expect: 30
}
