// A static local is one object for all versions of its function and all activities; its initialiser runs once.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int next(void) {
  static int n = 10, *p = &n;
  static const char *const names[] = { "ten", "eleven" };
  n++;
  yield;
  { static int n = 5; n += 5; *p += n - n; yield; }
  return names[1][0] == 'e' ? *p : -1;
}

static async int other(void) {
  static int n;                             // not the other one
  yield;
  return ++n;
}

static int plain(void) { static int n = 100; return n++; }

async int main(void) {
  int a = next(), b = next(), c = atomic next();
  printf("%d %d %d\n", a, b, c);            // expect: 11 12 13
  auto s = spawn next();
  auto t = spawn next();
  a = await s;
  b = await t;
  printf("%d %d\n", a, b);                  // expect: 15 15
  a = other();
  b = atomic other();
  printf("%d %d %d\n", a, b, plain());      // expect: 1 2 100
}
