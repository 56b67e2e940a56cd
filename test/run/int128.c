// __int128: arithmetic beyond 64 bits, shifts, division, comparison, conversion, switch, constants.
#include <stdio.h>

typedef unsigned __int128 u128;
struct big { char tag; __int128 v; unsigned __int128 low : 100; };

static const char *text(u128 n) {
  static char buffer[4][48];
  static int which;
  char *s = buffer[which++ % 4] + 47;
  *s = 0;
  do *--s = (char)('0' + (int)(n % 10));
  while (n /= 10);
  return s;
}
static __int128_t square(long x) { return (__int128)x * x; }

int main(void) {
  u128 max = ~(u128)0, one = 1;
  puts(text(max));                                // expect: 340282366920938463463374607431768211455
  puts(text(one << 100));                         // expect: 1267650600228229401496703205376
  puts(text((u128)square(-5000000000)));          // expect: 25000000000000000000
  __int128 n = -1;
  printf("%d %d\n", n < 0, (u128)n == max);       // expect: 1 1
  printf("%d\n", (int)(n >> 100));                // expect: -1
  printf("%lx\n", (unsigned long)(max >> 68));    // expect: fffffffffffffff
  printf("%d\n", (int)((((u128)7 << 64) + 3) % 5)); // expect: 0
  printf("%zu %zu %zu\n", sizeof n, _Alignof(__int128), sizeof(struct big)); // expect: 16 16 48
  struct big b = {1, .v = (__int128)1 << 90, .low = max};
  printf("%d %d\n", b.v > 1, b.low == max);       // expect: 1 0
  printf("%d\n", _Generic(n + 1ull, __int128: 1, u128: 2, default: 3)); // expect: 1
  printf("%d\n", _Generic(n + one, __int128: 1, u128: 2, default: 3)); // expect: 2
  switch (n + 2) {
  case 1: puts("one"); break;                     // expect: one
  default: puts("other");
  }
  enum { BIG = (__int128)1 << 20 };
  printf("%d %d\n", BIG, (int)((__int128)1 << 70 > 0)); // expect: 1048576 1
  static const u128 fixed = ((u128)0x0123456789abcdefu << 64) | 0xfedcba9876543210u;
  printf("%lx\n", (unsigned long)(fixed >> 60));  // expect: 123456789abcdeff
  return 0;
}
