// What pauses is a value: no variable, no constant. Arguments are of the right types; so are declarations.
#include <fermata.h>
struct pair { int a, b; };
static async int f(int x) { yield; return x; } static async int g(int x) { return f(x); }
static async struct pair two(const char *s, unsigned *p, void *v) { yield; return (struct pair){ *s, (int)*p + (v != NULL) }; }
async int f(long x);                              // error: 6:11: `f` is declared as `async int(long)` here
                                                  // note: 4:18: `f` is declared as `async int(int)` before
struct s { async int m(int); };                   // error: 8:22: a structure cannot have a function as its member
async int z;                                      // error: 9:11: `async` applies to functions and to pointers to functions

async void places(unsigned u) {
  f(1) = 3;                                       // error: 12:3: this is a value, not a variable: it cannot be assigned to
  f(1)++;                                         // error: 13:3: this is a value, not a variable: it cannot be changed
  --(f(1));                                       // error: 14:5: this is a value, not a variable: it cannot be changed
  two("", &u, 0).a = 1;                           // error: 15:3: this is a value, not a variable: it cannot be assigned to
  int *p = &f(1);                                 // error: 16:13: this is a value, not a variable: it cannot be pointed at
  await f(2) += 1;                                // error: 17:9: this is a value, not a variable: it cannot be assigned to
  (void)p;
}

async void constants(int n) {
  switch (n) {
    case f(1): break;                             // error: 23:10: this has to be a constant, and this expression may pause
    case 4 ... f(7): break;                       // error: 24:16: this has to be a constant, and this expression may pause
  }
  enum { e = f(2) };                              // error: 26:14: this has to be a constant, and this expression may pause
  struct { int b : f(3); } x;                     // error: 27:20: this has to be a constant, and this expression may pause
  static int s = f(1);                            // error: 28:18: a static variable is initialised before the program runs
  int a[4] = { [f(1)] = 2 };                      // error: 29:17: this has to be a constant, and this expression may pause
  _Static_assert(f(1), "x");                      // error: 30:18: this has to be a constant, and this expression may pause
}

async void arguments(unsigned *u, signed char *c, double *d, int n) {
  g("x");                                         // error: 34:5: a value of type `char[2]` is given where `int` is expected
  g(u);                                           // error: 35:5: a value of type `unsigned int *` is given where `int` is expected
  two(n, u, 0);                                   // error: 36:7: a value of type `int` is given where `const char *` is expected
  two("x", d, 0);                                 // error: 37:12: a value of type `double *` is given where `unsigned int *` is expected
  two(c, (unsigned *)&n, d);
  two(0, 0, u);
  two("x", &n, "y");
}
