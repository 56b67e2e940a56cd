// If no one awaits a cancelled task, nothing is thrown: not in the parent, not in the scope, not when the handle is given up.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void forever(void) { for (;;) yield; }

async static int parent(void) {
  auto t = spawn forever();
  spawn forever();
  yield;
  fm_cancel(fm_id(t));
  yield;
  fm_detach(t);
  auto u = spawn forever();       // kept, never awaited
  fm_cancel(fm_id(u));
  scope (s) {
    auto v = spawn forever();
    spawn forever();
    yield;
    fm_cancel(fm_id(v));
    yield;
    printf("scope alive: %d\n", fm_alive(s) && !fm_cancelled(s)); // expect: scope alive: 1
    fm_cancel(s);
  }
  else printf("else\n");          // expect: else
  fm_cancel(fm_self());           // ends the other one
  return 3;
}

async int main(void) {
  auto p = spawn parent();
  printf("%d\n", await p);        // expect: 3
}
