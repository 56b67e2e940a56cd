// Pragmas inside functions stay where they are: diagnostics off for one statement, unrolling, packing, STDC, _Pragma.
#include <stdio.h>

#define QUIET _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wparentheses\"")
#define LOUD _Pragma("GCC diagnostic pop")

static int unrolled(const int *v, int n) {
  int s = 0;
#ifndef __clang__
#pragma GCC unroll 4
#else
#pragma unroll 4
#endif
  for (int i = 0; i < n; i++) s += v[i];
#ifdef __clang__
#pragma clang loop unroll(disable)
#else
#pragma GCC ivdep
#endif
  while (n-- > 0) s += v[n];
  return s;
}

static int packs(void) {
#pragma pack(push, 1)
  struct tight { char c; int i; };
#pragma pack(pop)
  struct loose { char c; int i; };
  return (int)sizeof(struct tight) * 10 + (int)sizeof(struct loose);
}

static int quiet(int k) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
  if (k = 5) k++;
#pragma GCC diagnostic pop
  QUIET if (k = 6) k--; LOUD
  if (k) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wsign-compare"
    unsigned n = 3;
    for (int i = 0; i < n; i++)
#pragma GCC diagnostic pop
      k += i;
  }
  return k;
}

static double contract(double a, double b, double c) {
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
  return a * b + c;
}

int main(void) {
  int v[] = {1, 2, 3, 4, 5};
  printf("%d\n", unrolled(v, 5));                 // expect: 30
  printf("%d\n", packs());                        // expect: 58
  printf("%d\n", quiet(1));                       // expect: 8
  printf("%.1f\n", contract(2, 3, 1));            // expect: 7.0
  return 0;
#pragma GCC diagnostic error "-Wunused-variable"
}
