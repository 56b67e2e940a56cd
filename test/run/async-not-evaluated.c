// Pauses in what is not evaluated are none: the other parts of _Generic and __builtin_choose_expr, operands of sizeof and typeof.
#include <fermata.h>

static async int later(int x) {
  yield;
  return x;
}

static async int f(int n) {
  int mixed = 1, g = later(n);
  int x = _Generic(n, int: later(3) + g, default: ({ int v = later(4); yield; if (v) yield; mixed + v; }));
  int y = __builtin_choose_expr(1, later(x), ({ int v = later(5); yield; mixed + v; }));
  int z = __builtin_choose_expr(0, ({ yield; mixed; }), later(y) + 1);
  size_t s = sizeof(({ yield; int w = later(7); yield; w + mixed; })) + sizeof(later(2));
  __typeof__(({ yield; later(mixed); })) t = later(8);
  size_t a = _Alignof(__typeof__(({ yield; (char)later(1); })));
  s += _Generic(n, int: ({ if (later(n) == 2) goto out; s++; out:; (size_t)0; }), default: ({ goto away; away: 1; }));
  return mixed * 1000 + x + y + z + (int)s + t + (int)a;
}

async int main(void) {
  printf("%d\n", f(2));          // expect: 1033
  printf("%d\n", atomic f(2));   // expect: 1033
  return 0;
}
