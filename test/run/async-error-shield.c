// An error, a return and a jump leave a shield; afterwards cancels take effect again.
#include "parts/async.h"

struct bad { int v; };
static async int work(int n, int *t) throws(struct bad) {
  for (int i = 0; i < 1; i++) {
    shield {
      fm_cancel(fm_self());
      yield;                      // held back
      *t = 1;
      if (n == 0) throw (struct bad){1};
      if (n == 1) return 2;
      if (n == 2) break;
    }
  }
  *t = 2;
  yield;
  *t = 3;
  return 4;
}
static async int outer(int n, int *t) throws(struct bad) {
  try { return work(n, t); } catch (struct bad e) { *t = 10 + e.v; yield; *t = 20; return 5; }
}
async int main(void) {
  for (int n = 0; n < 4; n++) {
    int t = 0;
    auto a = spawn outer(n, &t);
    try { int r = await a; printf("%d %d\n", r, t); } catch (struct fm_cancelled e) { (void)e; printf("cancelled %d\n", t); } catch (struct bad e) { (void)e; }
  }
  // expect: cancelled 11
  // expect: 2 1
  // expect: cancelled 2
  // expect: cancelled 2
}
