// A deadlock is thrown in the one that blocked last: its cleanup runs, it may catch it, and then the program goes on.
#include "parts/async.h"

static task(int) a, b;

static async int first(void) {
  return await b;
}

static async int waits(void) {
  defer printf("left\n");
  return await a;
}

static async int second(void) {
  try {
    return await waits();
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("caught\n");
  }
  yield;
  return 4;
}

static async int third(void) {
  try {
    fm_join(fm_self());
  } catch (fm_error *e) {
    printf("%s\n", fm_error_name(e));
    return 5;
  }
  return 6;
}

async int main(void) {
  a = spawn first();
  b = spawn second();
  printf("%d\n", await fm_share(a));
  printf("%d\n", await spawn third());
}
// expect: left
// expect: caught
// expect: 4
// expect: fm_deadlock
// expect: 5
