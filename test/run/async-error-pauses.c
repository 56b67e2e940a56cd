// An error passes through functions that have paused and through such as have not; pauses stand in try, catch, finally and defer.
#include "parts/async.h"

struct bad { int v; };
static async int deep(int n) throws(struct bad) {
  defer { yield; printf("d%d ", n); }
  if (n == 0) { yield; throw (struct bad){7}; }
  return deep(n - 1) + 1;
}

static async int test(int first) {
  if (first) yield;
  int r = 0;
  try { yield; r = deep(3); }
  catch (struct bad e) { yield; r = e.v; yield; printf("c%d ", e.v); }
  finally { yield; printf("f\n"); }
  return r;
}

async int main(void) {
  THREE(test);
  // expect: d0 d1 d2 d3 c7 f
  // expect: d0 d1 d2 d3 c7 f
  // expect: d0 d1 d2 d3 c7 f
  // expect: 7 7 7
}
