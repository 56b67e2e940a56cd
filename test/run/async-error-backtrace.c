// fm_error_print tells where an error was thrown and which functions it has left, across activities.
#include "parts/async.h"

struct bad { int v; };
static async int inner(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static async int middle(int n) throws(struct bad) {
  int r = inner(n);
  return r + 1;
}
static async int outer(int n) throws(struct bad) {
  auto t = spawn middle(n);
  return 1 + await t;
}
async int main(void) {
  try { outer(1); }
  catch (fm_error *e) { fm_error_print(e, stdout); }
  // expect: bad, thrown at async-error-backtrace.c:5
  // expect:     at async-error-backtrace.c:5 in inner
  // expect:     at async-error-backtrace.c:7 in middle
  // expect:     at async-error-backtrace.c:12 in outer
}
