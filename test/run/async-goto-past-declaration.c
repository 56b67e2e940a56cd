// A goto into a block, past the declaration of a variable, from where the function pauses: the variable is not kept there.
#include "parts/async.h"

struct pair {
  int a, b;
};

static async int few(int n) {
  int sum = 0, fresh = 1;
  if (n) {
    struct pair x = { n, n + 1 };
    const int y = n;
  again:
    sum += 100;
    if (fresh)
      sum += x.a + x.b + y;
  }
  yield;
  fresh = 0;
  if (sum < 300)
    goto again;
  return sum;
}

static async int many(int n) {
  int sum = 0, fresh = 1;
  sum += later(1) + later(2) + later(3) + later(4);
  if (n) {
    struct pair x = { n, n + 1 };
  again:
    sum += 100;
    if (fresh)
      sum += x.a + x.b;
  }
  sum += later(1) + later(2) + later(3) + later(4);
  fresh = 0;
  if (sum < 300)
    goto again;
  return sum + later(1) + later(2);
}

async int main(void) {
  printf("%d %d\n", few(5), few(0));        // expect: 316 300
  printf("%d %d\n", many(5), many(0));      // expect: 354 353
  return 0;
}
