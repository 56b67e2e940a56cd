// Pause acts on everything below: children, scopes and theirs, and those made while it lasts.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void counter(const char *who) {
  for (int i = 0;; i++) {
    printf("%s%d\n", who, i);
    yield;
  }
}

async static void tree(void) {
  spawn counter("a");
  scope (s) {
    spawn counter("b");
    yield;
    spawn counter("c");           // made by one that is paused already, in the same turn
    counter("d");
  }
}

async int main(void) {
  auto t = spawn tree();
  yield;
  yield;                          // expect: a0
                                  // expect: b0
                                  // expect: d0
  printf("pause\n");              // expect: pause
  fm_pause(fm_id(t));
  auto late = spawn in(fm_id(t)) counter("late");
  for (int i = 0; i < 9; i++) yield;
  printf("resume\n");             // expect: resume
  fm_resume(fm_id(t));
  yield;
  // expect: a1
  // expect: b1
  // expect: c0
  // expect: d1
  // expect: late0
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  fm_detach(late), fm_detach(t);
  printf("end\n");                // expect: end
}
