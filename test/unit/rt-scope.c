// Scopes: how they are left, whom they wait for, their errors; races.
#include "play.h"

static void exits(void) {
  PLAY("[0+1a]bx", "", ".c.d");                   // its end waits for its children
  said("acdbx");
  PLAY("[0]x");
  said("x");
  PLAY("[0+1..^0a.b]x", "", "/c?9");              // cancelled by its own body: unwinds to its end
  said("aCcEx");
  PLAY("=1..^0{@1}x", "", "[0a?9b]c$4");          // by another
  said("aEc4x");
  PLAY("[0^0a]x");                                // the body came to its end without a pause: nothing is cut short
  said("ax");
  PLAY("[0+1]x", "", "^0a.b");                    // while the body has ended, and it waits
  said("aEx");
  PLAY("[0+1.!e]x", "", "/a?9");                  // left by an error: children are cancelled
  said("Aa threw e");
  PLAY("=1..^1{@1}x", "", "/a[0+2?0]b", "/c?9");  // a cancel from above unwinds on
  said("CcAa(fm_cancelled)x");
  PLAY("[0[1..^1a.b]c]x");                        // the inner one alone
  said("aEcx");
  PLAY("[0[1..^0a.b]c]x");                        // the outer one
  said("aEx");
  PLAY("=1..?0b@1x", "", "[0...]a");              // a scope can be joined
  said("ab0x");
  PLAY("[0+1[2+3]a]x", "", "..b", "", ".c");      // nested ones have their own children
  said("cbax");
  PLAY("[0.%10x]y", "", "");
  said("xy");
}

static void errors(void) {
  PLAY("{[0+1?9b]}x", "", "!a");                  // a child's error cancels the rest
  said("(a)x");
  PLAY("{[0+1+2c]}x", "", ".!a", "/b?9");         // also when the body has ended
  said("cBb(a)x");
  PLAY("{[0+1+2.c.]}x", "", "!a", "!b");          // later ones hang on it
  said("(ab)x");
  PLAY("{[0+1+2.c.!e]}x", "", "..!a", "!b");
  said("(b)x");
  PLAY("{[0=1+2.c.]}x", "", "!a", "d");           // a kept one is thrown at the end if no one awaits it
  said("dc(a)x");
  PLAY("{[0=1{@1}c]}x", "", "!a");
  said("(a)cx");
  PLAY("{[0+1^0.]}x", "", "!a");                  // an error wins over the scope's own cancel
  said("(a)x");
  PLAY("{[0+1]}x", "", "+2.", "!a");              // of a grandchild
  said("(a)x");
  PLAY("{[0<+1.>.c]}x", "", "!a");                // of a child made in a shield
  said("(a)x");
  PLAY("[0{[1+2.a.]}b.]c", "", "", "!e");         // to the innermost
  said("(e)bc");
}

static void races(void) {
  PLAY("R01.x", "..a$1", ".b$2");
  said("b1 wins 2x");
  PLAY("R01.x", "a$1", "b$2");                    // the second does not start
  said("a0 wins 1x");
  PLAY("R01.x", "/a?9", ".b$2");                  // the loser has unwound before the winner's statements
  said("bAa1 wins 2x");
  PLAY("{R01.}x", "/a?9", ".!e");                 // the winner throws
  said("Aa1 wins (e)x");
  PLAY("R01.x", "..!a", ".b$2");                  // the loser's error is dropped
  said("b1 wins 2x");
  PLAY("R01.x", "/a.!a", ".b$2");
  said("Aba1 wins 2x");
  PLAY("=0...^0{@0}x", "R12.y", "/a?9", "/b?9");  // cancelled from above: no one wins
  said("ABab(fm_cancelled)x");
  PLAY("=0{@0}x", "^^R12.y", "a", "b");           // cancelled before
  said("(fm_cancelled)x");
  PLAY("=0..^0{@0}x", "<R12.>y.z", "..a$1", "...b$2"); // shielded
  said("a0 wins 1y(fm_cancelled)x");
  PLAY("=0..^1{@0}x", "{R12.}y", "?9", "...b$2"); // an arm is cancelled by itself: it is the first to end
  said("0 wins (fm_cancelled)y0x");
  PLAY("R01.x", "R23.$5", "..c", "..d", ".e");    // nested
  said("ec1 wins 01 wins 0x");
  PLAY("=0..^0{@0}x", "R12.y.z", ".a$1", "?9");   // completed in the step before: the winner's value is not lost
  said("a0 wins 1y(fm_cancelled)x");
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  exits();
  errors();
  races();
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
