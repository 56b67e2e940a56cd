// A scope inside atomic: its children are contained; its own cancel takes effect, a cancel of what is around does not.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(int i) {
  defer printf("child %d out\n", i);
  fm_sleep(10);
  printf("child %d\n", i);
}

async static int work(void) {
  int n = 0;
  scope (s) {
    spawn child(1);
    spawn child(2);
    n++;
  }
  scope (s) {
    spawn child(3);
    yield;
    fm_cancel(s);
    n++;
  }
  else n += 10;
  return n;
}

async static void other(void) {
  printf("other\n");
}

async int main(void) {
  spawn other();
  printf("%d\n", atomic work());
  // expect: child 1
  // expect: child 1 out
  // expect: child 2
  // expect: child 2 out
  // expect: child 3 out
  // expect: 12
  yield;                          // expect: other
}
