// fm_all throws the first error of its tasks, cancels the others, and passes what they throw on to the checker.
#include "parts/async.h"

struct bad { int v; };
static async int work(int n) throws(struct bad) {
  defer printf("left %d\n", n);
  for (int i = 0; i < n; i++) yield;
  if (n == 2) throw (struct bad){n};
  return n;
}
async int main(void) {
  task(int) t[3];
  for (int i = 0; i < 3; i++) t[i] = spawn work(i * 2);
  try { fm_all(t, 3); puts("all"); }
  catch (struct bad e) { printf("bad %d\n", e.v); }
  // expect: left 0
  // expect: left 2
  // expect: left 4
  // expect: bad 2
}
