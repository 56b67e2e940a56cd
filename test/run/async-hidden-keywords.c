// Where the program has a variable called yield or spawn, that is the variable; __fm_yield and so on are always keywords.
#include "parts/async.h"

static __fm_async int twice(int x) {
  int yield = x, await = x;
  __fm_yield;
  return __fm_await later(yield) + await;
}

async int main(void) {
  int spawn = 3, atomic = 4;
  auto t = __fm_spawn twice(spawn);
  __fm_task(int) u = __fm_spawn now twice(atomic);
  printf("%d %d %d\n", await t, await u, __fm_atomic twice(spawn)); // expect: 6 8 6
}
