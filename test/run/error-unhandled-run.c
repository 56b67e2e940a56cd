// `run` throws what the function throws, in plain code.
#include <fermata.h>

struct bad { int v; };
static async int fail(int n) throws(struct bad) { yield; if (n) throw (struct bad){n}; return 5; }
static int tries(int n) {
  try { return run fail(n); }
  catch (struct bad e) { return -e.v; }
  finally { printf("f "); }
}
int main(void) {
  int x = 3;
  printf("%d %d\n", tries(0), tries(4));          // expect: f f 5 -4
  try { x = run fail(6); } catch (struct bad e) { printf("%d %d\n", x, e.v); } // expect: 3 6
}
