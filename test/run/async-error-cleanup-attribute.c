// __attribute__((cleanup)) and defer together: last first, however the block is left; errors pass through both.
#include "parts/async.h"

struct bad { int v; };
static void said(const int *p) { printf("c%d ", *p); }
static async void leave(int n) throws(struct bad) {
  __attribute__((cleanup(said))) int a = 1;
  defer { yield; printf("d1 "); }
  __attribute__((cleanup(said), unused)) int b = 2, c = 3; // clang warns of them otherwise, as in plain C
  defer printf("d2 ");
  for (int i = 0; i < 2; i++) {
    __attribute__((cleanup(said))) int d = 4;
    yield;
    if (n == 0) throw (struct bad){n};
    if (n == 1) return;
    if (n == 2) goto out;
    d++;
  }
  printf("end ");
out:
  a = 9;
}
static void plain(int n) throws(struct bad) {
  __attribute__((cleanup(said))) int a = 1;
  defer printf("d1 ");
  __attribute__((cleanup(said))) int b = 2;
  if (n == a - 1) throw (struct bad){n};
  if (n == 1) return;
  b = 3;
}
async int main(void) {
  for (int n = 0; n < 4; n++) { try { leave(n); puts("end"); } catch (struct bad e) { (void)e; puts("bad"); } }
  for (int n = 0; n < 3; n++) { try { plain(n); puts("end"); } catch (struct bad e) { (void)e; puts("bad"); } }
  // expect: c4 d2 c3 c2 d1 c1 bad
  // expect: c4 d2 c3 c2 d1 c1 end
  // expect: c4 d2 c3 c2 d1 c9 end
  // expect: c5 c5 end d2 c3 c2 d1 c9 end
  // expect: c2 d1 c1 bad
  // expect: c2 d1 c1 end
  // expect: c3 d1 c1 end
}
