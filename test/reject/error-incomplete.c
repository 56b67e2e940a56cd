// A structure has to be complete where it is thrown or caught.
#include <fermata.h>
struct later;
void a(struct later *p) throws(struct later) { throw *p; }
void b(void) { try { puts("a"); } catch (struct later e) { (void)e; } }
// error: 4:54: `struct later` is not complete here: it cannot be thrown
// error: 5:42: `struct later` is not complete here: it cannot be caught
