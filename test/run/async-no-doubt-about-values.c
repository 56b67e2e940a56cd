// A variable without an initialiser that gets its value from what pauses, inside try, defer, shield, scope, race: the C compiler
// sees no use without a value, and at no pause is more kept than needed.
#include "parts/async.h"

struct bad { int n; };
struct two { int a, b; };
async static int fails(int v) throws(struct bad) {
  if (v == 0) throw (struct bad){-1};
  return later(v);
}
async static struct two pair(int v) {
  yield;
  return (struct two){v, v + 1};
}
static int cleaned;
static void clean(void) { cleaned++; }

async static int by_await(task(int) t) { int v; v = await t; return v; }
async static int by_finally(void) { int v; try { v = later(1); } finally { clean(); } return v; }
async static int by_throw(void) throws(struct bad) { int v; try { v = fails(2); } finally { clean(); } return v; }
async static int by_catch(int x) { int v; try { v = fails(x); } catch (struct bad b) { return b.n; } return v; }
async static int by_defer(void) { int v; { defer { clean(); yield; } v = later(4); } return v; }
async static int by_shield(void) { int v; shield v = later(5); return v; }
async static int by_scope(void) { int v; scope (s) { v = later(6); } else return 3; return v; }
async static int by_race(void) { int v, u; race { case v = later(7): return v; case u = later(8): return u; } return 0; }
async static int by_arms(void) { int v; race { case v = later(8): break; case later(2): v = 2; } return v; }
async static int by_struct(void) { struct two p; try { p = pair(9); } finally { clean(); yield; } return p.a * 10 + p.b; }
async static int by_loop(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    int v;
    if (i == 1) {
      try { v = later(i); } finally { clean(); }
    } else {
      v = 10;
    }
    yield;
    sum += v;
  }
  return sum;
}
async static int by_goto(void) {
  int v, n = 0;
again:
  try { v = later(n); } finally { clean(); }
  if (n++ < 3) goto again;
  return v;
}

async int main(void) {
  auto t = spawn later(11);
  printf("%d\n", by_await(t));    // expect: 11
  printf("%d\n", by_finally());   // expect: 1
  try {
    printf("%d\n", by_throw());   // expect: 2
  } catch (struct bad) {
  }
  printf("%d\n", by_catch(3));    // expect: 3
  printf("%d\n", by_catch(0));    // expect: -1
  printf("%d\n", by_defer());     // expect: 4
  printf("%d\n", by_shield());    // expect: 5
  printf("%d\n", by_scope());     // expect: 6
  printf("%d\n", by_race());      // expect: 7
  printf("%d\n", by_arms());      // expect: 8
  printf("%d\n", by_struct());    // expect: 100
  printf("%d\n", by_loop());      // expect: 21
  printf("%d\n", by_goto());      // expect: 3
  printf("%d\n", cleaned);        // expect: 9
  printf("%d %d %d\n", atomic by_defer(), atomic by_scope(), atomic by_goto()); // expect: 4 6 3
}
