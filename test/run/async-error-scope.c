// A scope throws what its children throw, when all have ended; the others are cancelled, further errors hang on the first.
#include "parts/async.h"

struct bad { int v; };
static async void fail(int n) throws(struct bad) {
  defer { if (n == 2) throw (struct bad){20}; }   // during a cancel: it hangs on the first
  for (int i = 0; i < n; i++) yield;
  throw (struct bad){n};
}
static async void quiet(void) { defer puts("quiet left"); for (;;) yield; }

async int main(void) {
  try {
    scope {
      spawn quiet();
      spawn fail(1);
      spawn fail(2);
      yield;
    }
    puts("not here");
  }
  catch (fm_error *e) {
    int n = 0;
    for (const fm_error *k = e; k; k = fm_error_next(k)) printf("%d: %d\n", n++, *(const int *)fm_error_value(k));
  }
  // expect: quiet left
  // expect: 0: 1
  // expect: 1: 20
}
