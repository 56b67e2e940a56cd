// An error through recursion so deep that frames are on the heap; each level cleans up.
#include "parts/async.h"

struct bad { int v; };
static int left;
static async int deep(int n) throws(struct bad) {
  defer left++;
  if (n == 0) throw (struct bad){1};
  return deep(n - 1) + 1;
}
static async int deep_finally(int n) throws(struct bad) {
  try { if (n == 0) { yield; throw (struct bad){2}; } return deep_finally(n - 1) + 1; }
  finally { left++; }
}
async int main(void) {
  try { deep(100000); } catch (struct bad e) { printf("%d %d\n", e.v, left); } // expect: 1 100001
  left = 0;
  try { deep_finally(100000); } catch (struct bad e) { printf("%d %d\n", e.v, left); } // expect: 2 100001
}
