// Every form of number: bases, suffixes, hex floats, exponents, octal, binary, the type that a size needs.
// flags: -Wno-multichar
#include <stdio.h>

#define T(x) _Generic((x), int: "i", unsigned: "u", long: "l", unsigned long: "ul", long long: "ll",  \
  unsigned long long: "ull", float: "f", double: "d", long double: "ld", default: "?")
#define SHOW(x) printf("%s ", T(x))

int main(void) {
  SHOW(0); SHOW(2147483647); SHOW(2147483648); SHOW(9223372036854775807); puts("|"); // expect: i i l l |
  SHOW(0x7fffffff); SHOW(0x80000000); SHOW(0xffffffff); SHOW(0x100000000); SHOW(0x8000000000000000); puts("|"); // expect: i u u l ul |
  SHOW(017777777777); SHOW(020000000000); SHOW(01777777777777777777777); puts("|"); // expect: i u ul |
  SHOW(1u); SHOW(1U); SHOW(4294967296u); SHOW(1l); SHOW(1L); SHOW(1lu); SHOW(1Ul); puts("|"); // expect: u u ul l l ul ul |
  SHOW(1ll); SHOW(1LL); SHOW(1llu); SHOW(1uLL); SHOW(0xFll); SHOW(0x8000000000000000ll); puts("|"); // expect: ll ll ull ull ll ull |
  SHOW(1.); SHOW(.5); SHOW(1e3); SHOW(1.5f); SHOW(1.F); SHOW(2.L); SHOW(1e-3l); puts("|"); // expect: d d d f f ld ld |
  SHOW(0x1p3); SHOW(0x1.8p-1f); SHOW(0x.8P+2L); SHOW(0xep1); puts("|"); // expect: d f ld d |
  SHOW('a'); SHOW('\377'); SHOW('ab'); puts("|");  // expect: i i i |
  SHOW(0b1011); SHOW(0B11111111111111111111111111111111); SHOW(0b1ul); puts("|"); // expect: i u ul |
  printf("%d %d %d %d\n", 010, 0x1F, 0b1010, 00);  // expect: 8 31 10 0
  printf("%d %d %d\n", '\x41', '\101', '\377' < 0); // expect: 65 65 1
  printf("%.3f %.3f %.1f\n", 0x1.8p1, .5e1, 0x10p-1); // expect: 3.000 5.000 8.0
  printf("%d %d\n", 1e3 == 1000, 100e-2f == 1);    // expect: 1 1
  printf("%d %d\n", 1 - -1, 1- -1);                // expect: 2 2
  int v[(int)3.9 + (_Bool)0.5 + (int)16777217.0f - 16777216];
  printf("%zu %d\n", sizeof v / sizeof *v, 0xe +1 == 15 ? 1 : 0); // expect: 4 1
  printf("%lu %llu\n", 0xFFFFFFFFFFFFFFFF, 18446744073709551615ull); // expect: 18446744073709551615 18446744073709551615
  return 0;
}
