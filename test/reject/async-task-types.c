// task(T) is a type of its own for each T.
#include <fermata.h>

async int f(void);
async double g(void);

async void a(void) {
  task(int) t = spawn g();
  task(double) u = spawn f();
  t = u;
  int n = t;
  n = t + 1;
  t = 3;
}
// error: 8:17: a value of type `task(double)` is given where `task(int)` is expected
// error: 9:20: a value of type `task(int)` is given where `task(double)` is expected
// error: 10:7: a value of type `task(double)` is given where `task(int)` is expected
// error: 11:11: a value of type `task(int)` is given where `int` is expected
// error: 12:9: cannot take operands of types `task(int)` and `int`
// error: 13:7: a value of type `int` is given where `task(int)` is expected
