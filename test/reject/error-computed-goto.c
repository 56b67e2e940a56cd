// Where a computed goto leads is not known: it cannot leave what has to be cleaned up.
#include <fermata.h>
int a(int n) {
  static const void *const t[] = { &&in, &&out };
  try { goto *t[n]; in: puts("in"); } finally { puts("finally"); }
out:
  return 2;
}
int b(void *p) { defer puts("d"); goto *p; }
// error: 5:9: where this `goto` leads is not known
// error: 9:35: where this `goto` leads is not known
