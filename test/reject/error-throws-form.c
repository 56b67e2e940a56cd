// The form of throws and throw; words where they cannot stand.
#include <fermata.h>
struct bad { int v; };
void a(void) throws struct bad;
void b(void) { throw (struct bad){1} }
void c(int n) { n = throw (struct bad){1}; }
struct wrong { throw int x; };
void d(void) throws(struct bad; )
// error: 4:21: expected `(` after `throws`, found `struct`
// error: 5:38: expected `;` after `throw`, found `}`
// error: 6:21: `throw` cannot be used here
// error: 7:16: `throw` cannot be used here
// error: 8:31: after the errors that may be thrown
