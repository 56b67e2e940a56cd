// Functions inside functions throw nothing and clean up nothing.
#include <fermata.h>
struct bad { int v; };
int a(int n) {
  int in(int k) { if (k) throw (struct bad){k + n}; return 0; }
  int in2(int k) { defer puts("d"); try { return k; } finally { puts("f"); } }
  try { return in(1) + in2(1); } finally { puts("f"); }
}
// error: 5:26: `throw` cannot be used in a nested function
// error: 6:20: `defer` cannot be used in a nested function
// error: 6:37: `try` cannot be used in a nested function
