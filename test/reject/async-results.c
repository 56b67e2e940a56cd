// The result of an async function has its declared type, wherever it is used.
#include <fermata.h>

struct s { int a; };
async struct s f(void);
async void g(void);

async int a(task(struct s) t, task(void) u) {
  int n = f();
  n = g();
  struct s v = f() + 1;
  f().b = 3;
  n = await t;
  n += await u;
  return f();
}
// error: 9:11: `struct s`
// error: 10:7: `void`
// error: 11:20: `struct s` and `int`
// error: 12:7: `struct s` has no member named `b`
// error: 13:7: `struct s`
// error: 14:8: `void`
// error: 15:10: `struct s`
