// Jobs throw what their function or body throws, each time they are used.
#include "parts/async.h"

struct bad { int v; };
static int uses;
static async int fail(int n) throws(struct bad) { yield; if (++uses > 1) throw (struct bad){n + uses}; return n; }

async int main(void) {
  auto j = job fail(10);
  for (int i = 0; i < 3; i++) {
    try { printf("%d\n", i == 2 ? await spawn j : await j); } catch (struct bad e) { printf("bad %d\n", e.v); }
  }
  fm_job_free(j);
  int k = 7;
  auto b = job (k) { defer puts("body left"); yield; if (k) throw (struct bad){k}; return 1; };
  k = 0;
  try { await b; } catch (struct bad e) { printf("bad %d\n", e.v); }
  fm_job_free(b);
  // expect: 10
  // expect: bad 12
  // expect: bad 13
  // expect: body left
  // expect: bad 7
}
