// An error leaves an atomic block, an atomic expression and an atomic function; atomicity ends with them.
#include "parts/async.h"

struct bad { int v; };
static int others;
static async int fail(int n) throws(struct bad) { yield; if (n) throw (struct bad){n}; return 1; }
static atomic int whole(int n) throws(struct bad) { return fail(n) + 1; }
static async void other(void) { for (int i = 0; i < 100; i++) { others++; yield; } }
static async int child(int n) throws(struct bad) { auto t = spawn fail(n); return await t; }

async int main(void) {
  spawn other();
  int x = 0, before = others;
  try { atomic { yield; x = 1; fail(3); x = 2; } } catch (struct bad e) { printf("%d %d %d\n", e.v, x, others - before); } // expect: 3 1 0
  try { x = atomic fail(4); } catch (struct bad e) { printf("%d %d %d\n", e.v, x, others - before); } // expect: 4 1 0
  try { x = whole(5); } catch (struct bad e) { printf("%d %d %d\n", e.v, x, others - before); } // expect: 5 1 0
  try { x = atomic child(6); } catch (struct bad e) { printf("%d %d %d\n", e.v, x, others - before); } // expect: 6 1 0
  try { x = atomic child(0) + whole(0); } catch (struct bad e) { x = e.v; }
  printf("%d %d\n", x, others - before);          // expect: 3 0
  yield;
  printf("%d\n", others - before);                // expect: 1
}
// env: FERMATA_TICK=off
