// Each level of a recursion has its own arrays, structs and address-taken locals, 100000 deep and with pauses on the way.
#include "parts/async.h"

struct pair { int a, b; };

static async int level(int n, int *above) {
  int own[4] = { n, n + 1 }, sum = 0;
  struct pair p = { n, *above };
  static int deepest;
  if (n % 1000 == 0) yield;
  *above += 1;
  if (n > 0) sum = level(n - 1, &own[0]);
  else deepest++;
  if (n % 999 == 0) yield;
  return sum + (own[0] == n + (n > 0) && own[1] == n + 1 && p.a == n) + deepest * 0;
}

static async int fib(int n) {
  int a[2];
  if (n < 2) return later(n);
  a[0] = fib(n - 1);
  a[1] = fib(n - 2);
  return a[0] + a[1];
}

async int main(void) {
  int top = 5;
  printf("%d ", level(100000, &top));
  printf("%d\n", top);                      // expect: 100001 6
  printf("%d %d\n", fib(15), atomic fib(16)); // expect: 610 987
}
