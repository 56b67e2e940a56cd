// A compound literal in a block is an object of that block: its address stays valid across pauses.
#include "parts/async.h"

struct p { int x, y; };

static async int use(const struct p *p, int *a) {
  yield;
  a[1]++;
  return p->x + p->y + a[0] + a[1];
}

static async int test(int first) {
  if (first) yield;
  struct p *p = &(struct p){ 1, later(2) };
  int *a = (int[]){ 10, 20, 30 }, sum = 0;
  yield;
  p->x += 3;
  sum += p->x + p->y + a[2];                                   // 36
  sum += use(&(struct p){ .y = 5 }, (int[3]){ later(6) });     // + 5 + 6 + 1: 48
  for (int i = 0; i < 2; i++) {
    int *q = (int[2]){ i };
    yield;
    sum += q[0]++ + q[1];                                      // + 0 + 1: 49
  }
  return sum + (struct p){ later(100), 1 }.x;                  // 149
}

async int main(void) {
  THREE(test);                    // expect: 149 149 149
}
