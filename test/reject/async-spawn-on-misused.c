// What stands behind `on` is a domain or a pool, and another domain's activity cannot run here first, nor be contained, nor
// be the child of any node.
#include <fermata.h>
#include <fermata/pool.h>

struct bad { int n; };
async int f(int x);
async void g(void) throws(struct bad);
int on(int x);

async void a(fm_pool *p, fm_domain *d) { spawn on(3) f(1); }       // error: 11:51: a value of type `int` is neither a domain nor a pool
async void b(fm_domain *d) { spawn on(*d) f(1); }                  // error: 12:39: is neither a domain nor a pool
async void c(fm_domain *d) { spawn now on(d) f(1); }               // error: 13:30: an activity of another domain cannot run here first
async void e(fm_pool *p) { auto t = spawn on(p) contained f(1); (void)t; } // error: 14:37: an atomic contains only activities of its own domain
async void h(fm_pool *p, fm_activity x) { spawn in(x) on(p) f(1); } // error: 15:43: the parent of an activity in another domain is the current one
async void i(fm_pool *p) { spawn on(p) g(); }                      // error: 16:28: bad
void j(fm_pool *p) { spawn on(p) f(1); }                           // error: 17:22: plain code has no activity that could be the parent
async void k(fm_pool *p) { spawn on(p); }                          // error: 18:28: `spawn` needs a call of an async function
