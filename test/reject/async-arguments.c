// Too few or too many arguments of async calls are told with the user's types and lines, for calls, spawn, run, atomic and pointers.
#include <fermata.h>

async int f(int x, const char *s);
async int (*p)(int x, const char *s);

async int a(void) {
  int n = f(1);
  n += f(1, "a", 2);
  n += p(1);
  n += atomic f();
  auto t = spawn f(1, "a", 3);
  return n + await t;
}

int b(void) { return run f("a"); }
// error: 8:14: too few arguments to `f`: it takes `async int(int, const char *)`
// error: 9:18: too many arguments to `f`: it takes `async int(int, const char *)`
// error: 10:11: too few arguments to `p`: it takes `async int(int, const char *)`
// error: 11:17: too few arguments to `f`: it takes `async int(int, const char *)`
// error: 12:28: too many arguments to `f`: it takes `async int(int, const char *)`
// error: 16:31: too few arguments to `f`: it takes `async int(int, const char *)`
// error: 16:28: a value of type `char[2]` is given where `int` is expected
// note: 4:11: `f` is declared here
// note: 5:13: `p` is declared here
