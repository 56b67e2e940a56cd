// A label in a statement expression that is not the first argument of a call.
#include <fermata.h>
static async int later(int x) { yield; return x; }
static int add(int a, int b, int c) { return a + b * 10 + c * 100; }
async int main(void) {
  int n = 0;
  printf("%d\n", add(1, ({ again: n += later(1); if (n < 3) goto again; n; }), ({ if (n) goto out; n = 9; out: later(2); }))); // expect: 231
  return 0;
}
