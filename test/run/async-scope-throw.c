// A throw out of a scope cancels its children first, waits until they have unwound, and goes on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static void child(int i) {
  defer {
    yield;
    printf("child %d out\n", i);
  }
  fm_sleep(1000);
  printf("no\n");
}

async static void thrower(void) throws(struct bad) {
  scope (s) {
    defer printf("defer in scope\n");
    spawn child(1);
    spawn child(2);
    fm_sleep(1);
    throw (struct bad){5};
  }
  else printf("no else\n");
}

async int main(void) {
  try {
    thrower();
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  // expect: defer in scope
  // expect: child 1 out
  // expect: child 2 out
  // expect: bad 5
  printf("%d\n", (int)(fm_now() / 1000000)); // expect: 1
}
