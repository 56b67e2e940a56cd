// Variadic, atomic and _Bool functions that throw; volatile and bit-fields keep their values.
#include <fermata.h>
#include <stdarg.h>
struct bad { int v; };
static int sum(int n, ...) throws(struct bad) {
  va_list ap; va_start(ap, n);
  defer va_end(ap);
  int s = 0;
  for (int i = 0; i < n; i++) { int v = va_arg(ap, int); if (v < 0) throw (struct bad){i}; s += v; }
  return s;
}
static atomic int whole(int n) throws(struct bad) { for (;;) { defer n++; try { if (n == 3) break; if (n > 5) throw (struct bad){n}; } finally { n++; } } return n; }
static _Bool truth(int n) throws(struct bad) { if (n) throw (struct bad){n}; return 1; }
int main(void) {
  try { printf("%d\n", sum(3, 1, 2, 3)); printf("%d\n", sum(3, 1, -2, 3)); } catch (struct bad e) { printf("bad %d\n", e.v); }
  try { printf("%d\n", whole(1)); printf("%d\n", whole(2)); } catch (struct bad e) { printf("bad %d\n", e.v); }
  volatile int x = 3; struct { unsigned b : 2; } s = {1};
  try { x = sum(1, 7); s.b = truth(0) + 2u; x = sum(1, -7); } catch (struct bad e) { printf("%d %d %d\n", x, (int)s.b, e.v); }
}
// expect: 6
// expect: bad 1
// expect: 5
// expect: bad 6
// expect: 7 3 0
