// What random programs found: names that hide others, atomic statements in expressions, operands that are not evaluated.
#include "parts/async.h"

static int calls;
static async int count(int x) { calls++; yield; return x; }
static async int hides(int p) {
  int a = p;
  {
    int a = 9;
    yield;
    p += a;
  }
  for (int a = 0; a < 2; a++) {
    yield;
    p += a;
  }
  return a * 100 + p;
}
static async int unevaluated(void) {
  int n = _Generic(1u, unsigned: 3, default: count(4)) + __builtin_choose_expr(1, 2, count(3));
  n += _Generic(count(1), unsigned: 3, default: 5);
  n += (int)sizeof(({ yield; 1; })) - (int)sizeof(int);
  return n * 10 + calls;
}
static int plain(int p) { return ({ int r; atomic { r = count(p); } r; }) + 1; }
static async int nested(int p) {
  int r = ({ { if (p) goto end; p += count(3); } end:; count(2); p; });
  int v = ({ atomic { count(p); } p; }) & 7;
  return r * 10 + v + count(1);
}
static async int waits(void) {
  int r;
  atomic { task(int) t = spawn count(count(1)); r = await t; }
  return r;
}
static async int enums(void) {
  enum { K = 2, M };
  struct { int a, z[M]; } l = { count(1) + K, { 0 } };
  yield;
  return l.a + (int)(sizeof l.z / sizeof *l.z);
}

async int main(void) {
  printf("%d\n", hides(4));       // expect: 414
  printf("%d\n", unevaluated());  // expect: 100
  printf("%d %d\n", plain(4), nested(3)); // expect: 5 34
  task(int) a = spawn waits(), b = spawn waits();
  printf("%d\n", await a + await b); // expect: 2
  printf("%d\n", enums());        // expect: 6
}
