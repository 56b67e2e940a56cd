// No jump enters a try, a catch, a finally or what stands behind a defer.
#include <fermata.h>
void a(int n) { if (n) goto in; try { in: puts("a"); } finally { puts("b"); } }
void b(int n) { if (n) goto in; defer puts("b"); in: puts("a"); }
void c(int n) { if (n) goto in; try { puts("a"); } catch (fm_error *e) { (void)e; in: puts("b"); } }
void d(int n) { if (n) goto in; try { puts("a"); } finally { in: puts("b"); } }
async void e(int n) { if (n) goto in; yield; defer puts("b"); in: yield; }
void f(int n) { switch (n) { case 1: defer puts("b"); puts("c"); break; case 2: puts("a"); } }
void g(int n) { switch (n) { case 1: try { puts("c"); case 2: puts("a"); } finally { puts("d"); } } }
void h(int n) { if (n) goto in; { in: defer puts("b"); puts("c"); if (n == 2) goto in; } }
// error: 3:24: this jump to `in` skips the beginning of something
// error: 4:24: this jump to `in` skips the beginning of something
// error: 5:24: this jump to `in` skips the beginning of something
// error: 6:24: this jump to `in` skips the beginning of something
// error: 7:30: this jump to `in` skips the beginning of something
// error: 8:73: after a `defer`, put braces around the case that has it
// error: 9:55: a jump cannot enter this block
// note: 3:39: the label is here
