// _Static_assert everywhere: at file scope, in structures, blocks, for loops' bodies, with and without text.
// flags: -Wno-pedantic -Wno-c2x-extensions -Wno-sign-compare
#include <assert.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(int) == 4, "int has " "four bytes");
static_assert(1 + 1 == 2, "sum");
_Static_assert((char)-1 < 0 || CHAR_MIN == 0, "");
_Static_assert(sizeof(struct { char c; int i; }) == 8 && _Alignof(double) == 8);
__extension__ _Static_assert(1, "with extension");
struct s { int a; _Static_assert(sizeof(long) == 8, "long"); char b; _Static_assert(1 ? 1 : 0); };
_Static_assert(offsetof(struct s, b) == 4 && sizeof(struct s) == 8, "no room taken");
_Static_assert((INT_MAX + 1u) == 0x80000000 && -1 > 0u && (unsigned char)300 == 44 && -7 / 2 == -3 && -7 % 2 == -1, "");
_Static_assert(~0 == -1 && (1 << 4 | 3) == 19 && (5 ^ 6) == 3 && !0, "");

int main(void) {
  _Static_assert(1, "first");
  int n = 1;
  static_assert(sizeof n == 4, "n");
  for (int i = 0; i < 1; i++) { _Static_assert(sizeof i == sizeof(int), ""); n++; }
  switch (n) {
  case 2: { _Static_assert(1); }
    n += ({ _Static_assert(sizeof(__typeof__(n)) == 4, ""); 3; });
  }
  enum { A = 3 };
  _Static_assert(A == 3 && sizeof(char[A]) == A, "array");
  printf("%d\n", n);                              // expect: 5
  return 0;
}
