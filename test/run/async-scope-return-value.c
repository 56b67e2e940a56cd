// A return out of a scope keeps its value while the children end, and a child that fails takes its place.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };
static int shared = 1;

async static void child(void) {
  fm_sleep(10);
  shared = 2;
}

async static void fails(void) throws(struct bad) {
  fm_sleep(10);
  throw (struct bad){3};
}

async static int value(void) {
  scope (s) {
    spawn child();
    return shared;
  }
  return -1;                      // if it is cancelled
}

async static int lost(void) throws(struct bad) {
  scope (s) {
    spawn fails();
    return shared;
  }
  return -1;
}

async static int cancelled(void) {
  scope (s) {
    spawn child();
    fm_cancel(s);
    return 1;
  }
  else return 2;
  return 3;
}

async int main(void) {
  int v = value();
  printf("%d %d\n", v, shared);   // expect: 1 2
  try {
    printf("no %d\n", lost());
  } catch (struct bad b) {
    printf("bad %d\n", b.n);      // expect: bad 3
  }
  printf("%d\n", cancelled());    // expect: 2
}
