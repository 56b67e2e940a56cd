// An error that is neither caught nor declared: the call, await or throw is named.
#include <fermata.h>
struct bad { int v; };
struct worse { int v; };
static async int fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static int plain(int n) throws(struct bad, struct worse) { if (n) throw (struct worse){n}; throw (struct bad){n}; }
async int a(void) { return 1 + fail(1); }
async int b(void) throws(struct worse) { auto t = spawn fail(1); return await t; }
int c(void) throws(struct bad) { return plain(2); }
int d(void) { return run fail(1); }
void e(void) { throw (struct bad){1}; }
async int f(void) { try { return fail(1); } catch (struct worse e) { return e.v; } }
int g(void) { try { return plain(1); } catch (struct bad e) { throw (struct worse){e.v}; } }
int h(void) { return atomic fail(3); }
// error: 7:32: `struct bad` may be thrown here and is neither caught nor declared: catch it, or add `throws(struct bad)` to the function
// error: 8:73: `struct bad` may be thrown here
// error: 9:41: `struct worse` may be thrown here
// error: 10:22: `struct bad` may be thrown here
// error: 11:16: `struct bad` may be thrown here
// error: 12:34: `struct bad` may be thrown here
// error: 13:28: `struct worse` may be thrown here
// error: 13:63: `struct worse` may be thrown here
// error: 14:29: `struct bad` may be thrown here
