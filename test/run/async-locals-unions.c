// Unions, anonymous members, large structs, long double, complex, __int128, enums and _Bool live across pauses.
#include "parts/async.h"
#include <complex.h>

enum color { RED = 3, BLUE = 5 };
union u { int i; float f; unsigned char b[4]; };
struct mixed { char c; union { int x; short h[2]; }; struct { long long ll; char big[1000]; } in; };

static async int test(int first) {
  if (first) yield;
  union u u = { .f = 1.5f }, w = u;
  struct mixed m = { 'm', { .x = 42 }, { .ll = 1ll << 40, .big = { [999] = 9 } } };
  long double ld = 1.25L;
  double complex z = 1 + 2 * I;
  __int128 wide = (__int128)1 << 100;
  enum color color = BLUE;
  _Bool flag = 5;
  unsigned char uc = 250;
  yield;
  struct mixed k = m;
  uc += later(10);                          // 4
  u.i = later(w.i);
  ld *= later(4);
  z = z * z;
  wide >>= later(98);
  flag += later(3);
  yield;
  return (u.f == 1.5f) + (k.in.big[999] == 9 && k.in.ll >> 40 == 1 && k.x == 42 && k.c == 'm') * 10 + (ld == 5) * 100 +
         (creal(z) == -3 && cimag(z) == 4) * 1000 + (int)wide * 10000 + color * 100000 + flag * 1000000 + uc * 10000000;
}

async int main(void) {
  THREE(test);                    // expect: 41541111 41541111 41541111
}
