// return f(x) inside try is no tail call: its error is caught; outside it is, and runs in bounded space.
#include "parts/async.h"

struct bad { int v; };
static async int down(int n) throws(struct bad) {
  if (n == 0) throw (struct bad){5};
  if (n % 1000 == 0) yield;
  return down(n - 1);
}
static async int caught(int n) {
  try { return down(n); } catch (struct bad e) { return e.v + 1; }
}
static async int deferred(int n, int *left) throws(struct bad) { defer *left += 1; return down(n); }
async int main(void) {
  int left = 0;
  printf("%d\n", caught(1000000));                // expect: 6
  try { deferred(10, &left); } catch (struct bad e) { printf("%d %d\n", e.v, left); } // expect: 5 1
}
