// Bodies of job, arms of race: what gets out of them counts where they are used.
#include <fermata.h>
struct bad { int v; };
static async int fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
async int a(void) { int k = 1; auto j = job (k) { return fail(k); }; return await j; }
int b(void) { auto j = job fail(1); return run j; }
async int c(void) { int n = 0; race { case n = fail(1): n++; case fm_checkpoint(): n = 3; } return n; }
async int d(void) { int n = 0; race { case n = 1: n++; } return n; }
async void e(void) { race { } }
async int f(void) { return await job fail(1); }
// error: 5:77: `struct bad` may be thrown here
// error: 6:44: `struct bad` may be thrown here
// error: 7:48: `struct bad` may be thrown here
// error: 8:48: this arm of `race` waits for nothing
// error: 9:22: `race` needs at least one arm
// error: 10:28: `struct bad` may be thrown here
