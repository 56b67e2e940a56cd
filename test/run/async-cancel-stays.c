// A cancel stays: a scope that is then cancelled itself does not stop it, and has no else; a second cancel changes nothing.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void worker(int *rounds) {
  for (int i = 0; i < 3; i++) {
    scope (s) {
      defer printf("scope out\n");
      ++*rounds;
      fm_cancel(s);
      yield;
      printf("not reached\n");
    }
    else printf("not reached\n");
  }
  yield;
  printf("not reached\n");
}

async static void outer(void) {
  defer {                         // runs to its end, pauses and all
    for (int i = 0; i < 3; i++) {
      yield;
      printf("cleanup %d\n", i);
    }
  }
  int rounds = 0;
  fm_activity me = fm_self();
  defer printf("rounds %d, cancelled %d\n", rounds, fm_cancelled(me));
  worker(&rounds);                // expect: scope out
  printf("not reached\n");        // expect: rounds 1, cancelled 1
}

async int main(void) {
  auto t = spawn outer();
  fm_cancel(fm_id(t));
  fm_cancel(fm_id(t));
  yield;
  fm_cancel(fm_id(t));            // expect: cleanup 0
  fm_join(fm_id(t));              // expect: cleanup 1
  fm_cancel(fm_id(t));            // expect: cleanup 2
  try {
    await t;
  } catch (struct fm_cancelled c) {
    printf("line %d\n", c.line);  // expect: line 38
  }
}
