// The arguments of a spawn are evaluated when it is made, converted like those of a call, and may pause themselves.
// warn: ok
// env: FERMATA_TICK=off
#include "parts/async.h"

struct big { int a[50]; };

static async void show(double d, unsigned char c, const char *s, struct big b) { printf("%g %d %s %d\n", d, c, s, b.a[49]); }
static async int id(int x) { return x; }

async int main(void) {
  struct big b = { .a = { [49] = 7 } };
  int x = 1;
  spawn show(x, 260 + x, "text", b);
  x = 2;
  b.a[49] = 8;
  yield;                          // expect: 1 5 text 7
  auto t = spawn id(later(x++) + x);
  printf("%d %d\n", await t, x);  // expect: 5 3
  spawn show(later(3) / 2.0, (unsigned char)later(4), later(0) ? "a" : "b", b); // expect: 1.5 4 b 8
}
