// In async functions, too: the value of `return` is taken first, whatever its type, and pauses stand behind it.
#include "parts/async.h"

struct big { int a[30]; };
struct fixed { const int v; int w; };
struct bits { unsigned a : 3, b : 7; };
static async int number(void) { int x = 1; defer x = later(2); try { return later(x); } finally { yield; x = 3; } }
static async struct big structure(void) { struct big b = {{[29] = 4}}; defer b.a[29] = later(5); return b; }
static async struct fixed with_const(int n) { defer n = later(9); try { yield; return (struct fixed){n, n + 1}; } finally { n = later(8); } }
static async struct bits with_bits(void) { struct bits b = {5, 100}; defer { yield; b.a = 0; } return b; }
static async void nothing(int *p) { defer *p += later(1); if (*p) return; *p = 10; }
static async double converted(void) { int n = 3; defer n = later(0); return later(n); }

static async int test(int first) {
  if (first) yield;
  int a = 0, b = 1;
  nothing(&a);
  nothing(&b);
  struct fixed f = with_const(6);
  struct bits k = with_bits();
  return number() * 1000 + structure().a[29] * 100 + f.v + f.w + a * 10000 + b * 1000000 + (int)k.b + (int)k.a + (int)converted();
}

async int main(void) {
  THREE(test);                    // expect: 2111521 2111521 2111521
}
