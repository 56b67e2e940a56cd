// Where C leaves the order open, sub-expressions that pause are evaluated before those that do not, left to right.
#include "parts/async.h"

static int now(int c) {
  putchar(c);
  return 1;
}
static async int slow(int c) {
  yield;
  putchar(c);
  return 1;
}
static int three(int a, int b, int c) { return a + b + c; }
static async int three_slow(int a, int b, int c) {
  yield;
  putchar('!');
  return a + b + c;
}
static int *array(int c) {
  static int a[3];
  putchar(c);
  return a;
}

static int i, g;
static async int set(int *p, int v) {
  yield;
  *p = v;
  return v;
}
static async int zero(int x) {
  yield;
  return x - x;
}
static async int minus(int x) { return later(-x); }

static async void test(void) {
  int n = now('a') + slow('b');
  n += slow('c') * (slow('d') + now('e')) - slow('f');
  putchar('\n');
  n += three(slow('1'), now('2'), slow('3'));
  n += three_slow(slow('1'), now('2'), slow('3'));
  putchar('\n');
  array('x')[0] = slow('y');
  array('x')[1] += slow('y');
  putchar('\n');
  n += now('a') + (now('b'), slow('c')) + (now('d') && slow('e'));
  int a[2] = { 0 };
  putchar('\n');
  i = 0;
  g = 1;
  a[i] = set(&i, 1);                        // i is read afterwards
  int sum = g + set(&g, 10);                // so is g
  async int (*table[2])(int) = { zero, minus };
  i = 0;
  int r = table[i](set(&i, 1));             // and the table's index
  printf("%d %d %d %d\n", a[1], sum, r, n > 0);
}

async int main(void) {
  test();
  // expect: bacdfe
  // expect: 132132!
  // expect: yxyx
  // expect: bcdea
  // expect: 1 20 -1 1
}
