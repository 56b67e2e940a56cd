// `await f(x)` means `f(x)`: if f returns a task, one more await waits for that.
#include "parts/async.h"

static async task(int) begin(int x) {
  yield;
  return spawn detached later(x);
}

static async int test(int first) {
  if (first) yield;
  task(int) t = await begin(1);
  return await t + await await begin(20);
}

async int main(void) {
  THREE(test);                    // expect: 21 21 21
}
