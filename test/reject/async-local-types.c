// Types of an async function's own are called as the user calls them.
#include <fermata.h>
async int g(int);
async void f(void) {
  struct local { int x; } v = { 1 };
  typedef int number;
  number *p = 0;
  enum answer { NO } a = NO;
  g(v);
  g(p);
  g(&a);
  throw v;
}
// error: 9:5: a value of type `struct local` is given where `int` is expected
// error: 10:5: a value of type `number *` is given where `int` is expected
// error: 11:5: a value of type `enum answer *` is given where `int` is expected
// error: 12:3: add `throws(struct local)` to the function
