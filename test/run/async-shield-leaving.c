// A shield is left by return, break, goto and throw as any block; the cancel it held back is met behind it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

struct bad { int n; };

async static int by(int how) throws(struct bad) {
  for (;;) {
    shield {
      yield;
      if (how == 0) return 10;
      if (how == 1) break;
      if (how == 2) goto out;
      if (how == 3) throw (struct bad){13};
    }
  }
  return 11;
out:
  return 12;
}

async static void pauses_after(int how) {
  defer printf("out\n");
  try {
    printf("%d\n", by(how));
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  yield;
  printf("not reached\n");
}

async int main(void) {
  for (int i = 0; i < 4; i++) {
    auto t = spawn pauses_after(i);
    yield;
    fm_cancel(fm_id(t));
    fm_join(fm_id(t));
    fm_detach(t);
  }
  // expect: 10
  // expect: out
  // expect: 11
  // expect: out
  // expect: 12
  // expect: out
  // expect: bad 13
  // expect: out
}
