// throws belongs to the types of functions: pointers, tables, typedefs and members throw what their type says, async and plain.
#include "parts/async.h"

struct bad { int v; };
typedef async int op(int) throws(struct bad);
typedef int (*plain_op)(int) throws(struct bad);
static async int fails(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static async int works(int n) { yield; return n + 1; }
static int plain_fails(int n) throws(struct bad) { throw (struct bad){n + 50}; }
static int plain_works(int n) { return n + 60; }
static async int (*const table[])(int) throws(struct bad) = { works, fails };
struct ops { op *f; plain_op g; };
static async int apply(op *f, int n) throws(struct bad) { return f(n); }

async int main(void) {
  struct ops all[2] = {{works, plain_works}, {fails, plain_fails}};
  for (int i = 0; i < 2; i++) {
    try { printf("%d\n", table[i](1)); } catch (struct bad e) { printf("bad %d\n", e.v); }
    try { printf("%d\n", all[i].f(2)); } catch (struct bad e) { printf("bad %d\n", e.v); }
    try { printf("%d\n", all[i].g(3)); } catch (struct bad e) { printf("bad %d\n", e.v); }
    try { printf("%d\n", apply(all[i].f, 4)); } catch (struct bad e) { printf("bad %d\n", e.v); }
    try { printf("%d\n", (*all[i].g)(5)); } catch (struct bad e) { printf("bad %d\n", e.v); }
  }
  // expect: 2
  // expect: 3
  // expect: 63
  // expect: 5
  // expect: 65
  // expect: bad 1
  // expect: bad 2
  // expect: bad 53
  // expect: bad 4
  // expect: bad 55
}
