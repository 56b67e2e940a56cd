// try, catch, finally, throw, return, one rule after the other, with pauses in every part.
// env: FERMATA_TICK=off
#include "parts/async.h"

struct a { int n; };
struct b { int n; };

async static int raise_a(int n) throws(struct a) { yield; throw (struct a){n}; }
async static int raise_b(int n) throws(struct b) { yield; throw (struct b){n}; }
static int plain(int n) throws(struct a) { if (n) throw (struct a){n}; return 0; }

async static int no_error(void) {               // the catch is passed over, finally runs
  int v = 0;
  try { v = later(1); } catch (struct a) { v = 100; } finally { v += later(10); }
  return v;
}
async static int caught(void) {
  int v = 0;
  try { v = raise_a(2); v = 100; } catch (struct a e) { yield; v = e.n; } finally { v += later(10); }
  return v;
}
async static int not_caught(void) throws(struct b) { // another type: on its way out, with finally
  try { return raise_b(3); } catch (struct a) { printf("no\n"); } finally { yield; printf("finally\n"); }
  return 0;
}
async static int in_catch(void) throws(struct b) { // an error in a catch: the same finally, then out
  try { raise_a(1); } catch (struct a) { raise_b(4); } finally { printf("finally\n"); }
  return 0;
}
async static int replaced(void) throws(struct a, struct b) { // an error in finally takes the place of the other
  try { raise_a(1); } catch (struct b) { printf("no\n"); } finally { raise_b(5); }
  return 0;
}
async static int returned(void) {               // a return waits for finally; it keeps its value
  int v = 1;
  try { return later(v); } finally { v = later(50); printf("finally %d\n", v); }
}
async static int lost(void) throws(struct a) { // an error in finally takes the place of a return
  try { return later(1); } finally { raise_a(6); }
}
async static int again(void) throws(struct a) { // throw; as it was
  try { raise_a(7); } catch (struct a) { yield; throw; }
  return 0;
}
async static int from_plain(void) throws(struct a) { return plain(0) + plain(8); }
async static int order(void) throws(struct a) {
  defer printf("1\n");
  { defer printf("3\n"); defer printf("2\n"); yield; }
  defer { yield; printf("4\n"); }
  return raise_a(9);
}

#define SHOW(f)                                             \
  try {                                              \
    printf(#f " %d\n", f());                         \
  } catch (struct a e) {                             \
    printf(#f " a %d\n", e.n);                       \
  } catch (fm_error *e) {                            \
    printf(#f " %s %d\n", fm_error_name(e), *(const int *)fm_error_value(e)); \
  }

async int main(void) {
  SHOW(no_error);                 // expect: no_error 11
  SHOW(caught);                   // expect: caught 12
  SHOW(not_caught);               // expect: finally
                                  // expect: not_caught b 3
  SHOW(in_catch);                 // expect: finally
                                  // expect: in_catch b 4
  SHOW(replaced);                 // expect: replaced b 5
  SHOW(returned);                 // expect: finally 50
                                  // expect: returned 1
  SHOW(lost);                     // expect: lost a 6
  SHOW(again);                    // expect: again a 7
  SHOW(from_plain);               // expect: from_plain a 8
  SHOW(order);                    // expect: 2
                                  // expect: 3
                                  // expect: 4
                                  // expect: 1
                                  // expect: order a 9
  auto t = spawn raise_a(3);      // a task that failed: each who awaits it is thrown the error
  auto u = fm_share(t);
  fm_join(fm_id(t));
  try { await t; } catch (struct a e) { printf("t %d\n", e.n); } // expect: t 3
  try { await u; } catch (struct a e) { printf("u %d\n", e.n); } // expect: u 3
}
