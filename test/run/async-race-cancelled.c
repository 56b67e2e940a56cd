// A cancel during a race: all arms unwind, none wins, no statements run; the cancel goes on.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int arm(int i) {
  defer {
    yield;
    printf("arm %d out\n", i);
  }
  fm_sleep(100);
  return i;
}

async static void racer(void) {
  defer printf("racer out\n");
  int v = 0;
  race {
    case v = arm(1): printf("no %d\n", v);
    case v = arm(2): printf("no\n");
  }
  printf("no\n");
}

async static void during_win(void) { // decided already: the losers take their time
  defer printf("out\n");
  race {
    case fm_sleep(1): printf("won\n");
    case arm(3): printf("no\n");
  }
  yield;
  printf("no\n");
}

async int main(void) {
  auto t = spawn racer();
  fm_sleep(10);
  fm_cancel(fm_id(t));
  fm_join(fm_id(t));
  // expect: arm 1 out
  // expect: arm 2 out
  // expect: racer out
  fm_detach(t);
  scope (s) {
    fm_cancel_after(s, 10);
    racer();
  }
  else printf("else\n");
  // expect: arm 1 out
  // expect: arm 2 out
  // expect: racer out
  // expect: else
  auto d = spawn during_win();
  fm_sleep(1);
  fm_cancel(fm_id(d));
  fm_join(fm_id(d));
  // expect: arm 3 out
  // expect: won
  // expect: out
  fm_detach(d);
  auto c = spawn racer();         // cancelled before it begins: a race is a wait, no arm starts
  fm_cancel(fm_id(c));
  fm_join(fm_id(c));
  fm_detach(c);
  // expect: racer out
}
