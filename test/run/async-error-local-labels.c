// Labels of a statement expression, macros, defer and finally in it; its last statement has a label.
#include <fermata.h>
#define CHECK(x) do { if (x) throw (struct bad){ __LINE__ }; } while (0)
struct bad { int v; };
static inline int lab(int n) throws(struct bad) {
  int r = ({ __label__ out; int k = 1; defer k++; try { if (n == 1) goto out; CHECK(n == 2); k = 5; } finally { k += 10; } out: k; });
  return r;
}
static async int alab(int n) throws(struct bad) {
  int r = ({ __label__ out; int k = 1; defer k++; try { yield; if (n == 1) goto out; CHECK(n == 2); k = 5; } finally { yield; k += 10; } out: k; });
  return r;
}
async int main(void) {
  for (int n = 0; n < 3; n++) {
    try { printf("%d\n", lab(n)); } catch (struct bad e) { printf("line %d\n", e.v); }
    try { printf("%d\n", alab(n)); } catch (struct bad e) { printf("line %d\n", e.v); }
  }
}
// expect: 15
// expect: 15
// expect: 11
// expect: 11
// expect: line 6
// expect: line 10
