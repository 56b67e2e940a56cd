// Inside finally and defer: a whole try, loops with break and continue, a switch, another defer, goto within.
#include "parts/async.h"

struct bad { int v; };
static async int test(int first) {
  if (first) yield;
  int t = 0;
  try {
    try { yield; throw (struct bad){1}; }
    finally {
      defer t = t * 10 + 9;
      try { yield; throw (struct bad){2}; } catch (struct bad e) { t = t * 10 + e.v; } finally { t = t * 10 + 3; }
      for (int i = 0; i < 5; i++) { if (i == 1) continue; if (i == 3) break; t = t * 10 + later(i); }
      switch (t) { case 1: t = 0; break; default: { yield; t = t * 10 + 4; break; } }
      goto end;
    end:
      yield;
    }
  } catch (struct bad e) { t = t * 10 + e.v; }
  return t;
}
async int main(void) {
  THREE(test);                    // expect: 2302491 2302491 2302491
}
