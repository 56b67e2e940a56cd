// task(T) for every T: void, scalars, pointers, structs small and large, unions; in arrays, members, parameters and results.
#include "parts/async.h"

struct small { char c; };
struct large { int a[200]; };
union u { double d; int i; };
typedef struct large large_t;

static async void none(void) { yield; }
static async char character(void) { return 'c'; }
static async double real(void) { return later(5) / 2.0; }
static async struct small small(void) { yield; return (struct small){ 's' }; }
static async large_t large(int n) {
  struct large l = { { 0 } };
  l.a[199] = later(n);
  return l;
}
static async union u both(void) { return (union u){ .i = later(3) }; }
static async long long wide(void) { return 1ll << 40; }
static async int add(task(int) a, task(int) b) { return await a + await b; }
static async task(int) begin(int x) { return spawn detached later(x); }

struct holder { task(int) t; const char *name; };

async int main(void) {
  task(void) v = spawn none();
  task(char) c = spawn character();
  task(double) r = spawn real();
  task(struct small) s = spawn small();
  task(struct large) l = spawn large(42);
  task(large_t) l2 = spawn large(43);
  task(union u) u = spawn both();
  task(long long) w = spawn wide();
  await v;
  printf("%c %g %c %d %d %d %lld\n", await c, await r, (await s).c, (await l).a[199], (await l2).a[199], (await u).i, await w);
  // expect: c 2.5 s 42 43 3 1099511627776
  struct holder h = { spawn later(1), "h" }, *p = &h;
  task(int) many[3] = { spawn later(10), spawn later(20) };
  many[2] = spawn later(30);
  task(int) *q = many + 1;
  printf("%d %d\n", add(p->t, many[0]), await *q + await q[1]);        // expect: 11 50
  task(int) begun = begin(7);
  printf("%d\n", await begun);                                         // expect: 7
  printf("%d\n", await spawn later(8));                                // expect: 8
  const struct large big = await spawn large(44);
  printf("%d\n", big.a[199]);                                          // expect: 44
}
