// Functions with variables that live in the frame, and a short way out before them: the frame is
// made after that way, with the parameters as they are there.
// env: FERMATA_TICK=always
#include "parts/async.h"
#include <string.h>

static int closed;
static void closes(int *p) { closed += *p; }

static async int array(int n) {
  int a[20];
  if (n < 0)
    return n;
  for (int i = 0; i < 20; i++)
    a[i] = later(n + i);
  return a[19] - a[0] + a[n];
}
// the parameter lives in the frame: it is used only after the way out, or before it
static async int after(int limit, int n) {
  int *p;
  if (limit == 0)
    return -1;
  p = &n;
  *p += later(1);
  return n;
}
static async int before(int n) {
  int *p = &n;
  if (n == 0)
    return -2;
  *p += later(1);
  return n;
}
static async int begun(int n) {
  volatile int v = n * 2;
  if (n == 0)
    return -3;
  later(1);
  return v;
}
static async void nothing(int n, int *out) {
  char text[100];
  if (n == 0)
    return;
  strcpy(text, "text");
  later(1);
  *out += (int)strlen(text) + n;
}
struct large {
  long a[9];
};
static async struct large structure(int n) {
  struct large l;
  struct large *p;
  if (n == 0)
    return (struct large){ { 7 } };
  p = &l;
  for (int i = 0; i < 9; i++)
    p->a[i] = later(i);
  return l;
}
static async int several(int n) {
  int a[3];
  if (n == 0)
    return 10;
  if (n == 1) {
    int k = n + 10;
    return k;
  }
  int __attribute__((cleanup(closes))) c = n;
  a[0] = a[1] = a[2] = later(c);
  if (n == 2)
    return a[1];
  goto end;
end:
  return a[0] + a[2];
}
// the check stands in a branch: the frame is made first
static async int branch(int n) {
  int a[3] = { 1, 2, 3 };
  if (n > 0) {
    a[0] = later(n);
    a[1] += a[0];
  }
  return a[0] + a[1];
}
static async int deep(int n) {
  int a[8];
  if (n == 0)
    return 0;
  a[n % 8] = deep(n - 1);
  return a[n % 8] + 1;
}
static async int shared(int n) {
  int sum = 0;
  if (n == 0)
    return -4;
  scope {
    activate { later(n); sum += n; }
    activate { later(n); sum += n; }
  }
  return sum;
}

async int main(void) {
  int out = 0;
  printf("%d %d\n", array(-5), array(3));                             // expect: -5 25
  printf("%d %d %d %d\n", after(0, 5), after(1, 5), before(0), before(5));  // expect: -1 6 -2 6
  printf("%d %d\n", begun(0), begun(4));                              // expect: -3 8
  nothing(0, &out);
  nothing(2, &out);
  struct large l = structure(0);
  struct large m = structure(1);
  printf("%d %ld %ld\n", out, l.a[0], m.a[8]);                        // expect: 6 7 8
  printf("%d %d %d %d", several(0), several(1), several(2), several(3));
  printf(" %d\n", closed);                                            // expect: 10 11 2 6 5
  printf("%d %d %d\n", branch(0), branch(4), deep(20000));            // expect: 3 10 20000
  printf("%d %d\n", shared(0), shared(3));                            // expect: -4 6
  auto t = spawn array(-7);
  auto u = spawn array(1);
  auto v = spawn several(0);
  auto w = spawn several(3);
  int a = await t, b = await u, c = await v, d = await w;
  printf("%d %d %d %d\n", a, b, c, d);                                // expect: -7 21 10 6
  atomic printf("%d %d\n", array(-1), array(2));                      // expect: -1 23
}
