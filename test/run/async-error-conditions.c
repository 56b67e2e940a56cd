// Throwing calls in the headings of if, while, do, for and switch, and in initialisers.
#include "parts/async.h"

struct bad { int v; };
static async int upto(int i, int n) throws(struct bad) { yield; if (i >= n) throw (struct bad){i}; return 1; }
static int pupto(int i, int n) throws(struct bad) { if (i >= n) throw (struct bad){i}; return 1; }

static async int test(int first) {
  if (first) yield;
  int s = 0, i = 0;
  try { while (upto(i, 3)) i++; } catch (struct bad e) { s += e.v; }
  try { for (i = 0; pupto(i, 4); i++) s++; } catch (struct bad e) { s += e.v * 10; }
  try { for (i = 0;; i += upto(i, 5)) s++; } catch (struct bad e) { s += e.v * 100; }
  try { i = 0; do { defer i++; } while (pupto(i, 6)); } catch (struct bad e) { s += e.v * 1000; }
  try { if (upto(7, 7)) s = 0; else s = 1; } catch (struct bad e) { s += e.v * 10000; }
  try { switch (pupto(8, 8)) { case 0: s = 1; } } catch (struct bad e) { s += e.v * 100000; }
  try { int x = upto(1, 2), y = upto(9, 9); s = x + y; } catch (struct bad e) { s += e.v * 1000000; }
  return s;
}
async int main(void) {
  THREE(test);                    // expect: 9876553 9876553 9876553
}
