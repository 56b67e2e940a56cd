// No return, break, continue or goto leaves finally or defer; inside them they may jump.
#include <fermata.h>
int a(void) { try { puts("a"); } finally { return 1; } }
void b(void) { while (1) { defer { break; } } }
void c(void) { for (;;) { try { puts("a"); } finally { continue; } } }
void d(void) { defer { goto out; } puts("a"); out: puts("b"); }
async void e(void) { try { yield; } finally { while (1) { if (fm_self().node) goto out; break; } } out: yield; }
void f(void) { switch (1) { default: { defer break; } } }
void g(void) { defer { for (int i = 0; i < 3; i++) { if (i) continue; break; } goto in; in: puts("c"); } }
async int h(void) { defer { yield; return 2; } yield; return 1; }
int i(void) { defer (void)({ return 3; 1; }); return 1; }
// error: 3:44: a `return` cannot leave `finally` or `defer`
// error: 4:36: `break` cannot leave `finally` or `defer`
// error: 5:56: `continue` cannot leave `finally` or `defer`
// error: 6:24: a jump cannot leave `finally` or `defer`
// error: 7:79: a jump cannot leave `finally` or `defer`
// error: 8:46: `break` cannot leave `finally` or `defer`
// error: 10:36: a `return` cannot leave `finally` or `defer`
// error: 11:30: a `return` cannot leave `finally` or `defer`
