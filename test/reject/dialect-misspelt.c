// Mistakes that the C compiler would only report as a syntax error.
#include <fermata.h>
struct bad { int v; };
async int f(int x);
asnyc int m(void) { // error: 5:1: unknown type name `asnyc`: did you mean `async`?
  return 1;
}
throws(struct bad) async int z(int x); // error: 8:1: `throws` has to follow the parameters
async void cancels(void) {
  auto t = spawn f(1);
  fm_cancel(t); // error: 11:13: a value of type `task(int)` is given where `fm_activity` is expected; `fm_id(…)` gives the activity of a task
  await t;
}
