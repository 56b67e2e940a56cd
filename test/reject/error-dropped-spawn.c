// A dropped spawn of a function that throws must stand in a scope or be detached; a body of activate likewise.
#include <fermata.h>
struct bad { int v; };
static async int fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
async void a(void) { spawn fail(1); }
async void b(void) { scope { spawn fail(1); } }
async void c(void) throws(struct bad) { scope { spawn fail(1); } spawn detached fail(2); }
async void d(void) { activate { fail(1); } }
async void e(void) { activate { try { fail(1); } catch (struct bad e) { (void)e; } } }
async void f(void) { try { spawn fail(1); } catch (struct bad e) { (void)e; } }
async void g(void) { auto j = job fail(1); spawn j; }
// error: 5:22: this `spawn` may throw `struct bad`, and the error would be lost: put it inside a `scope`, keep the task and `await` it, or write `spawn detached`
// error: 6:30: `struct bad` may be thrown here
// error: 8:22: this body of `activate` may throw `struct bad`
// error: 10:28: this `spawn` may throw `struct bad`
// error: 11:44: this `spawn` may throw `struct bad`
