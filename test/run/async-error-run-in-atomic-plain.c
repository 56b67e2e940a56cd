// Plain code that calls async functions atomically gets their errors, without a scheduler around.
#include <fermata.h>

struct bad { int v; };
static async int fail(int n) throws(struct bad) { defer { yield; printf("left "); } yield; if (n) throw (struct bad){n}; return 9; }
static int plain(int n) throws(struct bad) { return atomic fail(n) + 1; }
int main(void) {
  for (int n = 0; n < 2; n++) {
    try { printf("%d\n", plain(n)); } catch (struct bad e) { printf("bad %d\n", e.v); }
    try { atomic { printf("%d\n", fail(n)); } } catch (struct bad e) { printf("bad %d\n", e.v); }
  }
  // expect: left 10
  // expect: left 9
  // expect: left bad 1
  // expect: left bad 1
}
