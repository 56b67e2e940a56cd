// Tail calls run in bounded space: to itself, mutual, through pointers and tables, of void functions, pausing or not.
#include "parts/async.h"
#include <sys/resource.h>

enum { LONG = 1000000 };

static async int self(int n, int sum) {
  if (n == 0) return sum;
  if (n % 1000 == 0) yield;
  return self(n - 1, sum + 1);
}

static async int odd(int n);
static async int even(int n) {
  if (n == 0) return 1;
  return odd(n - 1);
}
static async int odd(int n) {
  yield;
  if (n == 0) return 0;
  return even(n - 1);
}

static async int by_pointer(int n, int k);
static async int other(int n, int k);
static async int (*const table[2])(int, int) = { by_pointer, other };
static async int by_pointer(int n, int k) {
  if (n == 0) return k;
  return table[n & 1](n - 1, k + 1);
}
static async int other(int n, int k) {
  if (n % 7 == 0) yield;
  async int (*next)(int, int) = table[n & 1];
  if (n == 0) return k;
  return next(n - 1, k + 2);
}

static int steps;
static async void count(int n) {
  steps++;
  if (n > 1) {
    yield;
    return count(n - 1);
  }
}

static long megabytes(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_maxrss >> 10;
}

async int main(void) {
  long before = megabytes();
  printf("%d\n", self(LONG, 0));            // expect: 1000000
  printf("%d %d\n", even(LONG), odd(LONG)); // expect: 1 0
  printf("%d\n", by_pointer(LONG, 0));      // expect: 1499999
  count(LONG);
  printf("%d\n", steps);                    // expect: 1000000
  printf("%d\n", megabytes() - before < 30); // expect: 1
}
