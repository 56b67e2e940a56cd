// GNU's nested functions: they see the variables around them, can be passed on, jump out, recurse, be declared ahead.
// only: gcc
// flags: -Wl,-z,execstack
#include <stdio.h>
#include <stdlib.h>

static int each(const int *v, int n, int (*f)(int)) {
  int s = 0;
  for (int i = 0; i < n; i++) s += f(v[i]);
  return s;
}

static int find(const int *v, int n, int what) {
  __label__ found;
  int at = -1, i = 0;
  int look(int x) {
    if (x == what) goto found;
    i++;
    return 0;
  }
  each(v, n, look);
  return at;
found:
  at = i;
  return at;
}

int main(void) {
  int v[] = {3, 1, 2}, calls = 0, factor = 10;
  auto int later(int n);
  int scaled(int x) {
    calls++;
    return x * factor;
  }
  printf("%d %d\n", each(v, 3, scaled), calls);   // expect: 60 3
  factor = 1;
  printf("%d\n", each(v, 3, scaled));             // expect: 6
  printf("%d %d\n", find(v, 3, 2), find(v, 3, 9)); // expect: 2 -1
  printf("%d\n", later(5));                       // expect: 120
  int later(int n) { return n < 2 ? 1 : n * later(n - 1); }
  int compare(const void *a, const void *b) {
    inline int value(const void *p) { return *(const int *)p; }
    return value(a) - value(b);
  }
  qsort(v, 3, sizeof *v, compare);
  printf("%d%d%d\n", v[0], v[1], v[2]);           // expect: 123
  int old(a, b) int a; char b; { return a + b + factor; }
  printf("%d\n", old(1, 2));                      // expect: 4
  return 0;
}
