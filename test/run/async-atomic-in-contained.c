// A contained activity may itself be atomic, spawn, and wait; the owner's atomic waits for all that is contained.
#include "parts/async.h"

static int sum;
static async int leaf(int x) {
  yield;
  sum += x;
  return x;
}
static async int branch(int depth) {
  if (depth == 0) return leaf(1);
  auto a = spawn branch(depth - 1);
  int n = atomic branch(depth - 1);
  yield;
  atomic { auto b = spawn contained leaf(1); n += await b; }
  return n + await a;
}

async int main(void) {
  int a = branch(4), b = atomic branch(4);
  printf("%d %d %d\n", a, b, sum);          // expect: 31 31 62
  atomic {
    for (int i = 0; i < 3; i++) spawn contained branch(i);
  }
  printf("%d\n", sum);                      // expect: 73
}
