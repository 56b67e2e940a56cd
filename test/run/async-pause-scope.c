// A scope can be paused: its body and its children stop, not its owner elsewhere; a resume of the scope goes on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(void) {
  for (int i = 0; i < 3; i++) {
    printf("child %d\n", i);
    yield;
  }
}

async static void owner(fm_activity *id) {
  scope (s) {
    *id = s;
    spawn child();
    for (int i = 0; i < 3; i++) {
      printf("body %d\n", i);
      yield;
    }
  }
  printf("left\n");
}

async int main(void) {
  fm_activity id = {0};
  auto t = spawn owner(&id);
  yield;                          // expect: body 0
  yield;                          // expect: child 0
                                  // expect: body 1
  fm_pause(id);
  for (int i = 0; i < 5; i++) yield;
  printf("paused\n");             // expect: paused
  fm_resume(fm_id(t));            // not the same node
  for (int i = 0; i < 5; i++) yield;
  printf("still\n");              // expect: still
  fm_resume(id);
  await t;
  // expect: child 1
  // expect: body 2
  // expect: child 2
  // expect: left
}
