// Definitions in the style of 1978: names first, types after; promotions; implicit int parameters; pointers to them.
// flags: -Wno-deprecated-non-prototype -Wno-missing-parameter-type -Wno-old-style-definition -Wno-implicit-int -Wno-unknown-warning-option
// warn: ok
#include <stdio.h>

typedef struct pair { int a, b; } pair;

int add(a, b)
  int a, b;
{
  return a + b;
}

static double scale(x, by, twice)
  float x;                                        // comes as a double
  char by;
  short twice;
{
  return x * by * (twice ? 2 : 1);
}

static int sum(n, v, p)
  register const int *v;
  pair p;
{
  int s = p.a - p.b;
  while (n--) s += *v++;
  return s;
}

static int apply(f, a)
  int (*f)(int, int), a[2];
{
  return f(a[0], a[1]);
}

int (*choose(which))(int, int)
  int which;
{
  return which ? add : 0;
}

noargs() { return 7; }

static char *last(s) char s[]; { while (s[0] && s[1]) s++; return s; }

int main(void) {
  int v[] = {1, 2, 3};
  pair p = {10, 4};
  printf("%d\n", add(2, 3));                      // expect: 5
  printf("%.1f\n", scale(1.5f, 4, 1));            // expect: 12.0
  printf("%d\n", sum(3, v, p));                   // expect: 12
  printf("%d\n", apply(add, v));                  // expect: 3
  printf("%d\n", choose(1)(20, 22));              // expect: 42
  printf("%d %s\n", noargs(), last("xyz"));       // expect: 7 z
  return 0;
}
