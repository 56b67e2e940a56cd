// Arguments of the wrong type are told with the user's types and lines, for calls, spawn, run, atomic and pointers.
#include <fermata.h>

struct s { int a; };
async int f(int x, const char *s);
async int (*p)(int x, const char *s);

async int a(struct s v) {
  int n = f(v, "a");
  n += f(1, v);
  n += p(v, "b");
  n += atomic f(2, v);
  auto u = spawn f(v, "c");
  return n + await u;
}

int b(struct s v) { return run f(v, "d"); }
// error: 9:13: `struct s`
// error: 10:13: `struct s`
// error: 11:10: `struct s`
// error: 12:20: `struct s`
// error: 13:20: `struct s`
// error: 17:34: `struct s`
