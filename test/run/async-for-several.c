// Several variables in the heading of a for: with pauses, without, and in expressions that are atomic.
#include <fermata.h>

static async int later(int x) {
  yield;
  return x;
}

static async int f(int n) {
  int sum = 0;
  for (int i = 0, k = later(n), a[2] = { 1, 2 }; i < k; i++) sum += a[i & 1];
  for (int i = 0, *p = &i; *p < later(3); i++) { if (i == 1) continue; sum += 10; }
  if (n) for (int i = 0, k = 2; i < k; i++) sum += later(100);
  else sum = -1;
  sum += atomic later(({ int t = 0; for (int i = 0, z = 3; later(i) < z; i++) { if (i == 1) continue; t += 1000; } t; }));
  sum += atomic ({ int t = 0; for (int i = 0, z = later(2); i < z; i++) t += 10000; t; });
  for (int i = 0, k = later(1); i < k; i++) for (int q = 5, r = 6; q < r; q++) { yield; sum += 100000; }
  return sum;
}

async int main(void) {
  printf("%d\n", f(4));         // expect: 122226
  printf("%d\n", atomic f(4));  // expect: 122226
  return 0;
}
