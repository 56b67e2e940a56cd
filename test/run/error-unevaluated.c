// Throwing calls that are not evaluated, are evaluated once, or stand in typeof, _Generic and __builtin_choose_expr.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { if (n > 5) throw (struct bad){n}; return n; }
static int calls;
static int idx(void) { calls++; return 1; }
int main(void) {
  int v[3] = {0}, s = 0;
  try {
    s += (int)sizeof(fail(9));            
    __typeof__(fail(9)) y = 3; s += y;
    v[idx()] = fail(3);
    v[idx()] += fail(4);
    s += _Generic(fail(2), int: fail(2), default: fail(9));
    s += __builtin_choose_expr(1, fail(1), fail(9));
    s += __builtin_constant_p(fail(9));
    s += (int)_Alignof(__typeof__(fail(9)));
  } catch (struct bad e) { printf("bad %d\n", e.v); }
  printf("%d %d %d\n", s, v[1], calls);          // expect: 14 7 2
}
