// Arrays of variable length, arrays and locals with addresses across try and defer: in scope in the cleanup, freed once.
#include "parts/async.h"

struct bad { int v; };
static async void fill(int *p, int n) throws(struct bad) {
  for (int i = 0; i < n; i++) { p[i] = later(i + 1); if (i == 4) throw (struct bad){i}; }
}
static async int sum(int n) throws(struct bad) {
  int v[n], total = 0, fixed[2] = {1, 2}, *p = fixed;
  defer { yield; total = v[0] + fixed[1]; printf("%d ", total); }
  fill(v, n);
  p[1] = 5;
  { int none[n]; none[n - 1] = later(v[n - 1]); total = none[n - 1]; }
  return total;
}
static async int no_pause(int n) { yield; if (n) { int v[n]; v[n - 1] = n; return v[n - 1]; } return 0; }
async int main(void) {
  for (int n = 3; n < 7; n += 3) {
    try { printf("%d\n", sum(n)); } catch (struct bad e) { printf("bad %d\n", e.v); }
  }
  printf("%d\n", no_pause(4));
  // expect: 6 3
  // expect: 3 bad 4
  // expect: 4
}
