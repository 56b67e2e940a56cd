// Structures with const members, caught and kept across pauses in the handler.
#include "parts/async.h"

struct fixed { const int a; const char *const s; };
static async void fail(int n) throws(struct fixed) { yield; throw (struct fixed){ n, "s" }; }
static async int test(int first) {
  if (first) yield;
  try { fail(3); }
  catch (struct fixed e) { yield; const struct fixed *p = &e; yield; return p->a * 10 + e.s[0]; }
  finally { yield; }
  return 0;
}
async int main(void) {
  THREE(test);                    // expect: 145 145 145
}
