// A detached activity is no one's child: the one that made it ends without it.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void slow(const char *name) {
  yield;
  yield;
  printf("%s\n", name);
}

static async void parent(void) {
  spawn detached slow("detached");
  printf("parent\n");
}

async int main(void) {
  task(void) t = spawn parent();
  await t;                        // expect: parent
  printf("ended\n");              // expect: ended
  yield;
  yield;
  yield;                          // expect: detached
  printf("done\n");               // expect: done
}
