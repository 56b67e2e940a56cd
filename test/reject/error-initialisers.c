// Functions and tasks in lists: each element and member is looked at, with and without designators and inner braces.
#include <fermata.h>
struct bad { int v; };
static async int fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static int plain(int n) throws(struct bad) { throw (struct bad){n}; }
struct ops { int n; int (*f)(int); async int (*g[2])(int); };
static struct ops a = { 1, plain, { fail } };
static struct ops b[] = { [2].g[1] = fail, { .f = plain }, { 1, 0, 0, fail } };
static struct ops c = { .n = 2, .f = 0 }, d = { 1, plain, fail, 0 };
struct holder { int n; task(int) t; };
async void e(void) { struct holder h = { 1, spawn fail(1) }, i = { .t = spawn fail(2) }; (void)h; (void)i; }
async void f(void) throws(struct bad) { fm_all((task(int)[]){ spawn fail(1) }, 1); fm_all((task(int) throws(struct bad)[]){ spawn fail(1) }, 1); }
static int (*g[])(int) = { fail };
// error: 7:28: this function may throw `struct bad`
// error: 7:37: this function may throw `struct bad`
// error: 8:38: this function may throw `struct bad`
// error: 8:51: this function may throw `struct bad`
// error: 8:71: this function may throw `struct bad`
// error: 9:52: this function may throw `struct bad`
// error: 9:59: this function may throw `struct bad`
// error: 11:45: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 11:73: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 12:63: this may throw `struct bad`, and the type that it is stored in or passed as does not declare it
// error: 13:28: this is an async function
