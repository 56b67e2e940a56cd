// GNU vectors: arithmetic, comparison, subscripts, casts, conversion, shuffles, as parameters and members.
// flags: -Wno-psabi
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(4 * sizeof(float))));
typedef unsigned char b16 __attribute__((vector_size(16)));
struct holder { v4 v; int n; };
static __attribute__((vector_size(16))) int table[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};

static v4 twice(v4 a) { return a + a; }
static int total(v4 a) {
  int s = 0;
  for (int i = 0; i < 4; i++) s += a[i];
  return s;
}

int main(void) {
  v4 a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
  v4 c = a * b + 1, less = a < b;
  printf("%d %d\n", total(c), total(twice(a)));   // expect: 24 20
  printf("%d %d %d %d\n", less[0], less[1], less[2], less[3]); // expect: -1 -1 0 0
  printf("%d\n", total((a & less) | (b & ~less))); // expect: 6
  printf("%d\n", total(a << 1) + total(-b));      // expect: 10
  f4 f = {0.5f, 1.5f, 2.5f, 3.5f};
  f4 g = f * 2.0f;
  printf("%.1f\n", (double)(g[0] + g[3]));        // expect: 8.0
  v4 i = __builtin_convertvector(g, v4);
  printf("%d\n", total(i));                       // expect: 16
  b16 bytes = (b16)(v4){0x04030201, 0, 0, 0x100};
  printf("%d %d %d\n", bytes[0], bytes[3], bytes[13]); // expect: 1 4 1
  struct holder h = {.v = {0, 0, 9}, .n = 1};
  h.v[0] += 5;
  h.v[3]++;
  printf("%d %zu %zu\n", total(h.v), sizeof h, _Alignof(v4)); // expect: 15 32 16
  printf("%d\n", total(table[0] + table[1]));     // expect: 36
  a += b;
  a -= (v4){1, 1, 1, 1};
  printf("%d\n", total(a));                       // expect: 16
  v4 *p = &table[1];
  printf("%d %d\n", (*p)[1], p[-1][0]);           // expect: 6 1
  return 0;
}
