// However a function that throws is called: through ?:, *, &, a comma, a function that returns it, auto, typeof.
// flags: --translate=auto
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
static int quiet(int n) { return n; }
int a(int c) { return (c ? fail : quiet)(1); }
int b(int c) { return (c ? quiet : fail)(1); }
int c(void) { return (*&fail)(1); }
int d(void) { return (0, fail)(1); }
static int (*get(void))(int) throws(struct bad) { return fail; }
int e(void) { return get()(1); }
int f(void) { auto p = fail; return p(1); }
static __typeof__(&fail) g = fail;
int h(void) { return g(1); }
int i(void) { return (int)sizeof(fail(1)); }
// error: 7:23: `struct bad` may be thrown here
// error: 8:23: `struct bad` may be thrown here
// error: 9:22: `struct bad` may be thrown here
// error: 10:22: `struct bad` may be thrown here
// error: 12:22: `struct bad` may be thrown here
// error: 13:37: `struct bad` may be thrown here
// error: 15:22: `struct bad` may be thrown here
