// _Generic: which branch depends on our types as on the compiler's; decay, qualifiers, nesting, results as lvalues.
// flags: -Wno-unevaluated-expression
#include <stdio.h>

#define NAME(x) _Generic((x), _Bool: "bool", char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
  unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", long long: "llong",     \
  unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", char *: "char*",              \
  const char *: "const char*", int *: "int*", void *: "void*", int (*)[3]: "int(*)[3]", int (*)(int): "int(*)(int)",    \
  struct s: "struct s", default: "other")

struct s { int a; };
static int f(int x) { return x; }

int main(void) {
  char c = 1; short sh = 1; unsigned short us = 1; int i = 1; unsigned u = 1; long l = 1; float fl = 1; const int ci = 1;
  int a[3] = {0}, m[2][3] = {{0}}; struct s st = {1}; enum e { E } e = E; _Bool b = 1;
  puts(NAME(c));                                  // expect: char
  puts(NAME(+c));                                 // expect: int
  puts(NAME(b));                                  // expect: bool
  puts(NAME(-us));                                // expect: int
  puts(NAME(sh + u));                             // expect: uint
  puts(NAME(u + l));                              // expect: long
  puts(NAME(l + 1ull));                           // expect: ullong
  puts(NAME(fl * 2));                             // expect: float
  puts(NAME(fl * 2.0));                           // expect: double
  puts(NAME(1.0L - i));                           // expect: ldouble
  puts(NAME(ci));                                 // expect: int
  puts(NAME("x"));                                // expect: char*
  puts(NAME((const char *)"x"));                  // expect: const char*
  puts(NAME(a));                                  // expect: int*
  puts(NAME(&a));                                 // expect: int(*)[3]
  puts(NAME(m));                                  // expect: int(*)[3]
  puts(NAME(f));                                  // expect: int(*)(int)
  puts(NAME(st));                                 // expect: struct s
  puts(NAME(&st));                                // expect: other
  puts(NAME(sizeof i));                           // expect: ulong
  puts(NAME(&a[1] - a));                          // expect: long
  puts(NAME('x'));                                // expect: int
  puts(NAME(L'x'));                               // expect: int
  puts(NAME(c ? sh : us));                        // expect: int
  puts(NAME(c ? 0 : a));                          // expect: int*
  puts(NAME(c ? (void *)0 : a));                  // expect: int*
  puts(NAME(c ? (void *)a : a));                  // expect: void*
  puts(NAME(l << c));                             // expect: long
  puts(NAME(c << l));                             // expect: int
  puts(NAME(!l));                                 // expect: int
  puts(NAME(c = 5));                              // expect: char
  puts(NAME((i++, sh)));                            // expect: short
  puts(NAME(E));                                  // expect: int
  puts(NAME(e + 0));                              // expect: uint
  puts(NAME(0x80000000));                         // expect: uint
  puts(NAME(2147483648));                         // expect: long
  puts(NAME(f(1) ? 1 : 2u));                      // expect: uint
  _Generic(i, int: i, default: l) = 9;
  printf("%d\n", i);                              // expect: 9
  printf("%d\n", _Generic(i, int: _Generic(l, long: 5, default: 6), default: 7)); // expect: 5
  printf("%d\n", _Generic(&*a, int *: f, default: f)(3)); // expect: 3
  return 0;
}
