// job: a call of an async function or a body; not assigned to another type; its captures are variables, once.
#include <fermata.h>

async int f(int);
static int plain(int v) { return v; }

async static void uses(void) {
  job(int) a = job plain(1);
}

async static void types(void) {
  job(char *) b = job f(1);
  int c = job f(2);
  (void)b, (void)c;
}

async static void captures(void) {
  int x = 1;
  auto j = job (x, x) { return x; };
  auto k = job (plain) { return 1; };
  (void)j, (void)k;
}
// error: 8:16: `job` needs a call of an async function, or `(variables) { … }`, after it
// error: 12:19: a value of type `job(int)` is given where `job(char *)` is expected
// error: 13:11: a value of type `job(int)` is given where `int` is expected
// error: 19:20: `x` is in this list already
// error: 20:17: `plain` is not a variable: there is nothing to copy
