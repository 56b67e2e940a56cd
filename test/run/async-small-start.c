// A function with large variables is started in a small frame that holds its arguments: every kind of argument and result
// warn: ok
// passes through, whether it pauses or not, and more than one of them may wait to begin.
#include "parts/async.h"

struct pair { int a, b; };
struct fixed { const int a; int b; };

static async int plain(int n, const int pauses) {
  int t[64];
  for (int i = 0; i < 64; i++) t[i] = n + i;
  if (pauses) yield;
  int s = 0;
  for (int i = 0; i < 64; i++) s += t[i];
  return s;
}

static async struct pair records(struct pair p, const char *text, int, double d) {
  char copy[100] = "";
  for (int i = 0; text[i]; i++) copy[i] = text[i];
  char *q = copy;
  if (p.a) yield;
  return (struct pair){ p.b + q[1] - 'a', (int)d };
}

static async struct fixed constant(int a[], int n) {
  int t[40] = { a[0], n }, *p = t;
  if (n) yield;
  return (struct fixed){ p[0], p[1] };
}

static async void nothing(int *to) {
  int t[40] = { 7 };
  int *p = t;
  if (*to) yield;
  *to += *p;
}

static async int variable(int n, int a[n][n]) {  // not this one: the type of `a` depends on `n`
  int t[40] = { (int)sizeof a[0] / (int)sizeof(int) };
  int *p = t;
  yield;
  return *p + a[1][1];
}

static async int test(int first) {
  int a[2][2] = { { 1, 2 }, { 3, 4 } }, done = first;
  auto t1 = spawn plain(1, first);
  auto t2 = spawn plain(2, !first);
  auto t3 = spawn records((struct pair){ first, 5 }, "xc", 0, 8.5);
  auto t4 = spawn constant(a[1], first);
  auto t5 = spawn nothing(&done);
  auto t6 = spawn variable(2, a);
  if (first) yield;
  int s = await t2 - await t1;
  struct pair p = await t3;
  int fixed = 3;
  if (first) {
    struct fixed f = await t4;
    fixed = f.a;
  }
  await t5;
  return s + (p.a * 10 + p.b) * 1000 + fixed * 100000 + (done - first) * 1000000 + await t6 * 10000000;
}

async int main(void) {
  THREE(test);
}
// expect: 67378064 67378064 67378064
