// In `x op= e` all of e is done before x is read: several activities lose no update, whatever x is.
#include "parts/async.h"

static int shared, array[2], *pointer = &array[1];
static struct { int n : 20; long m; } s;
static double d = 1;

static async int f(int n) {
  for (int i = 0; i < n % 3; i++) yield;
  return n;
}

static async void worker(int k) {
  for (int i = 0; i < 20; i++) {
    shared += f(1);
    array[0] -= f(k);
    *pointer += f(2) * f(3);
    s.n += f(1) + 0;
    s.m ^= f(k) << f(1);
    shared += f(1) ? 1 : 0;
    d += f(2);
    yield;
  }
}

async int main(void) {
  task(void) t[5];
  for (int k = 0; k < 5; k++) t[k] = spawn worker(k);
  for (int k = 0; k < 5; k++) await t[k];
  printf("%d %d %d %d %ld %g\n", shared, array[0], array[1], s.n, s.m, d); // expect: 200 -200 600 100 0 201
}
