// Where a task or job that throws is stored or handed on, the type there has to say so.
#include <fermata.h>
struct bad { int v; };
struct worse { int v; };
static async int fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static async int take(task(int) t) { return await t; }
static async int take_bad(task(int) throws(struct bad) t) throws(struct bad) { return await t; }
struct holder { task(int) t; task(int) throws(struct bad) u; job(int) j; };
static task(int) global;
async task(int) a(void) { return spawn fail(1); }
async task(int) throws(struct bad) b(void) { return spawn fail(1); }
async void c(void) throws(struct bad) { take(spawn fail(1)); take_bad(spawn fail(2)); }
async void d(struct holder *h) { h->t = spawn fail(1); h->u = spawn fail(2); h->j = job fail(3); }
async void e(void) { auto t = spawn fail(1); global = t; }
async void f(void) { task(int) t[2]; t[1] = spawn fail(1); fm_all(t, 2); }
async void g(void) { auto t = spawn fail(1), u = fm_share(t); await u; }
async void h(void) { task(int) t = spawn fail(1), *p = &t; await *p; }
async void i(task(int) throws(struct worse) t) throws(struct worse) { t = spawn fail(1); await t; }
// error: 10:34: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it: add `throws(struct bad)` to that type
// error: 12:46: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 13:41: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 13:85: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 14:55: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 15:60: `struct bad` may be thrown here
// error: 16:63: `struct bad` may be thrown here
// error: 17:60: `struct bad` may be thrown here
// error: 18:75: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
