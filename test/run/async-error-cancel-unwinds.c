// A cancel cannot be caught, runs finally and defer, which may pause; the task ends with an error that they throw.
#include "parts/async.h"

struct bad { int v; };
static async void work(int *t) throws(struct bad) {
  defer { *t = *t * 10 + 1; throw (struct bad){1}; }
  try {
    try { for (;;) yield; }
    catch (fm_error *e) { (void)e; *t = -1; }
    finally { yield; *t = *t * 10 + later(2); }
  } finally { *t = *t * 10 + 3; }
}
async int main(void) {
  int t = 0;
  auto a = spawn work(&t);
  yield;
  fm_cancel(fm_id(a));
  try { await a; }
  catch (struct bad e) { printf("bad %d, %d\n", e.v, t); } // expect: bad 1, 231
  catch (struct fm_cancelled e) { printf("cancelled %d %d\n", t, e.line); }
}
