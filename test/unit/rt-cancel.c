// Cancel: who is blocked, ready, not begun, running; sticky; what has completed wins; order; shields; atomics; the end of a run.
#include "play.h"

static void states(void) {
  PLAY("=0..^0{@0}x", "?9y");                     // blocked (it waits for itself)
  said("(fm_cancelled)x");
  PLAY("=0.^0{@0}x", "a.b.c");                    // ready, behind a yield
  said("a(fm_cancelled)x");
  PLAY("=0^0{@0}x", "a.b");                       // not begun: runs to its first pause
  said("a(fm_cancelled)x");
  PLAY("=0^0{@0}x", "a$3");                       // … and if there is none, to its end
  said("a3x");
  PLAY("=0{@0}x", "a^^b.c");                      // itself: at the next pause
  said("ab(fm_cancelled)x");
  PLAY("=0{@0}x", "a^^b:c");                      // a checkpoint is one
  said("ab(fm_cancelled)x");
  PLAY("a:b");
  said("ab");
  PLAY("=0{@0}x", "^^=1@1b", "$5");               // a wait is one
  said("(fm_cancelled)x");
  PLAY("=0{@0}x", "=1.^^@1b", "$5");              // but a finished task does not pause
  said("5b0x");
  PLAY("=0..^0x", "?9");                          // no one awaits: nothing is thrown
  said("x");
  PLAY("=0..^0^0?0^0x", "?9");                    // again, and when it has ended
  said("x");
  PLAY("=0.^0{@0}", "a,b,c.d");                   // automatic yields do not deliver it
  said("abc(fm_cancelled)");
}

static void cleanup(void) {
  PLAY("=0..^0{@0}x", "/aa?9");
  said("aAa(fm_cancelled)x");
  PLAY("=0..^0{@0}x", "a{?9}b");                  // it cannot be caught
  said("a(fm_cancelled)x");
  PLAY("=0.^0{@0}x", "/a/bc.d");                  // it stays, but does not end a defer
  said("cBbAa(fm_cancelled)x");
}

static void below(void) {
  PLAY("=0...^0{@0}x", "/a+1+2?9", "/b?9", "/c?9");
  said("ABCabc(fm_cancelled)x");
  PLAY("=0..^0{@0}x", "^^+1a.", "/bc.d");          // made by who is cancelled: cancelled as well
  said("acBb(fm_cancelled)x");
  PLAY("+0...U0", "+1+2.", "+3..", "..", "..");
  said("0123");
  PLAY("=0=1..^0{@0}@1x", "?9", "..b$1");         // no one else
  said("b(fm_cancelled)1x");
}

// Those released go on in the order they had blocked, whatever the tree says.
static void order(void) {
  PLAY("[0+1+2+3....^0]x", "", "../a?9", "./b?9", "/c?9");
  said("CBAcbaEx");
  PLAY("[0+1+2+3....^0]x", "", "+4../a?9", "/b?9.", "/c?9", "...........");
  said("BCAbcaEx");
}

static void shields(void) {
  PLAY("=0..^0a{@0}x", "<b.c.>d.e");              // held back until its end
  said("bcad(fm_cancelled)x");
  PLAY("=0..^0{@0}x", "<[1.a.]b.>c.d");           // from above, scopes inside do not hear it
  said("abc(fm_cancelled)x");
  PLAY("=0..^1{@0}x", "<[1.a.]b.>c.d");           // they can be cancelled themselves
  said("aEbcd0x");
  PLAY("=0..^0{@0}x", "<+1.a.>b.c", "/d..e.f");   // children made inside are shielded as long as it lasts
  said("abDd(fm_cancelled)x");
}

static void groups(void) {
  PLAY("=0...^0{@0}x", "/a#1;b", "/c?9");         // the end of a block waits: its members are cancelled, and it unwinds
  said("CcAa(fm_cancelled)x");
  PLAY("{=0@0}x", "/a#1.!e", "/c?9");             // left by an error: they are cancelled first
  said("AaCc(e)x");
}

static void end_of_run(void) {
  PLAY("~0..x", "/a+1?9", "/b?9");                // what is detached unwinds
  said("xABab");
  PLAY("~0.x", "<..~1.>", "/b?9");                // and what it starts meanwhile
  said("xBb");
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  states();
  cleanup();
  below();
  order();
  shields();
  groups();
  end_of_run();
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
