// Functions that return early without a check on entry: they do the rest once, whenever the check makes them leave.
// env: FERMATA_TICK=always
#include "parts/async.h"

static int effects, calls;
static struct list { struct list *next; int v; } three = { 0, 3 }, two = { &three, 2 }, one = { &two, 1 };

static async long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static async int sum(const struct list *l) {
  if (!l) return 0;
  int v = l->v;
  return v + sum(l->next);
}
// the parameter changes before the first pause
static async int changes(int n) {
  if (n < 0) return -1;
  n += 5;
  yield;
  return n;
}
static async int counts_down(int n) {
  if (n-- == 0) return 0;
  yield;
  return n + 1 + counts_down(n);
}
// an effect before the first pause happens once
static async int once(int n) {
  if (n == 0) return 0;
  effects++;
  later(0);
  return effects;
}
static async int once_in_branch(int n) {
  if (n == 0) { effects += 10; return effects; }
  if (n == 1) effects += 100; else later(1);
  return later(effects);
}
static int called(void) { return ++calls; }
static async int after_call(int n) {
  if (called() == n) return -n;
  return later(calls);
}
// a variable of the parameter's name
static async int hides(int n) {
  if (n == 1) return 1;
  else {
    int n = 7;
    n += later(1);
    return n;
  }
}
// the label is before the first pause
static async int again(int n) {
  int turns = 0;
back:
  if (n == 0) return turns;
  later(n);
  n--;
  turns++;
  goto back;
}
static volatile int sensor = 1;
static async int reads_volatile(void) {
  if (sensor == 5) return 5;
  return later(sensor);
}
static async int array(int n) {
  int a[3] = { n, 2, 3 };
  if (n == 0) return a[1];
  return later(a[0]) + a[2];
}
static async void nothing(int n) {
  if (n == 0) return;
  nothing(n - 1);
  effects++;
}
static async int deep(int n) {
  if (n == 0) return 0;
  return 1 + deep(n - 1);
}
static async int both(int n) {
  if (n & 1) n = later(n) + 1; else n = later(n) + 2;
  return n;
}

async int main(void) {
  printf("%ld %d\n", fib(12), sum(&one));                              // expect: 144 6
  printf("%d %d %d\n", changes(-3), changes(1), counts_down(4));       // expect: -1 6 10
  int a = once(0), b = once(1), c = once(1);
  printf("%d %d %d\n", a, b, c);                                       // expect: 0 1 2
  a = once_in_branch(0), b = once_in_branch(1), c = once_in_branch(2);
  printf("%d %d %d\n", a, b, c);                                       // expect: 12 112 112
  a = after_call(1), b = after_call(0), c = after_call(9);
  printf("%d %d %d\n", a, b, c);                                       // expect: -1 2 3
  printf("%d %d %d\n", hides(1), hides(0), again(3));                  // expect: 1 8 3
  printf("%d %d %d\n", reads_volatile(), array(0), array(4));          // expect: 1 2 7
  nothing(3);
  printf("%d %d %d %d\n", effects, deep(100000), both(1), both(2));    // expect: 115 100000 2 4
}
