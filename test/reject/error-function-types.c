// What a pointer may throw must cover what the function may throw: assignments, arguments, initialisers, tables, returns, members.
#include <fermata.h>
struct bad { int v; };
struct worse { int v; };
static async int afail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static int pfail(int n) throws(struct bad) { throw (struct bad){n}; }
typedef async int quiet(int);
typedef int (*pquiet)(int);
typedef int (*other)(int) throws(struct worse);
static void take(pquiet f) { f(1); }
struct ops { pquiet f; quiet *g; };
static quiet *q = afail;
static pquiet table[2] = { pfail };
void a(void) { pquiet p; p = pfail; take(pfail); take(p); other o = pfail; (void)o; }
pquiet b(void) { return pfail; }
void c(void) { struct ops s = { .f = pfail, .g = afail }; s.f = pfail; }
int (*ok)(int) throws(struct worse, struct bad) = pfail;
int (*any)(int) throws(fm_error) = pfail;
void d(void) { ok = any; }
// error: 12:19: this function may throw `struct bad`, and the type that is expected here
// error: 13:28: this function may throw `struct bad`
// error: 14:30: this function may throw `struct bad`
// error: 14:42: this function may throw `struct bad`
// error: 14:69: this function may throw `struct bad`
// error: 15:25: this function may throw `struct bad`
// error: 16:38: this function may throw `struct bad`
// error: 16:50: this function may throw `struct bad`
// error: 16:65: this function may throw `struct bad`
// error: 19:21: this function may throw `fm_error`
