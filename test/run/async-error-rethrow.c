// `throw;` throws what was caught as it was: type, value, place; also from inside inner blocks, loops and another try.
#include "parts/async.h"

struct bad { int v; };
struct worse { int w; };
static async void fail(int v) throws(struct bad) { yield; throw (struct bad){v}; }
static async void again(int v) throws(struct bad, struct worse) {
  try { fail(v); }
  catch (struct bad e) {
    e.v = 100;                    // a copy
    for (;;) {
      try { yield; if (v == 1) throw; throw (struct worse){v}; }
      catch (struct worse w) { if (w.w == 2) throw; break; }
    }
    if (v == 3) throw;
  }
}
static async void any(int v) throws(fm_error) {
  try { again(v); }
  catch (fm_error *e) { yield; printf("%s ", fm_error_name(e)); throw; }
}

static async int inside(void) {
  try { fail(5); }
  catch (struct bad e) {
    try { yield; throw; }
    catch (struct bad f) { yield; return e.v * 10 + f.v; }
    finally { yield; printf("finally "); }
  }
  return 0;
}

async int main(void) {
  for (int v = 1; v < 5; v++) {
    try { any(v); printf("none\n"); }
    catch (struct bad e) { printf("%d\n", e.v); }
    catch (fm_error *e) { printf("line %d value %d\n", fm_error_line(e), *(const int *)fm_error_value(e)); }
  }
  printf("%d\n", inside());
  // expect: bad 1
  // expect: worse line 12 value 2
  // expect: bad 3
  // expect: none
  // expect: finally 55
}
