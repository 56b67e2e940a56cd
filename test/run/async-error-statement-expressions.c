// Statement expressions with defer, try, throws and jumps out of them; with a pause and without.
#include "parts/async.h"

struct bad { int v; };
static async int fail(int n) throws(struct bad) { if (n) throw (struct bad){n}; return 4; }
static int jumps(int n) {
  int t = 0;
  for (int i = 0; i < 3; i++) {
    defer t = t * 10 + 1;
    int x = ({ defer t = t * 10 + 2; if (i == n) break; if (i == n - 1) continue; if (n == 7) return t + 1000; i + 3; });
    t = t * 10 + x;
  }
  return t;
}
static async int test(int first) {
  if (first) yield;
  int t = 0, i = 5;
  int a = ({ defer i = 6; i; });
  int b = ({ defer i = later(7); i; });
  int c = ({ int r; try { r = fail(a); } catch (struct bad e) { r = e.v + 1; } finally { t = 9; } r; });
  for (;;) { try { i += ({ yield; if (i > 7) break; 1; }); } finally { t++; } }
  return a * 10000 + b * 1000 + c * 100 + t + i;
}
async int main(void) {
  printf("%d %d %d\n", jumps(1), jumps(5), jumps(7)); // expect: 2121 231241251 1000
  THREE(test);                    // expect: 56619 56619 56619
}
