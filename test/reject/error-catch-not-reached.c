// A catch behind one that takes the same errors, or all of them, is never reached.
#include <fermata.h>
struct bad { int v; };
struct worse { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
int a(void) { try { return fail(1); } catch (struct bad e) { return e.v; } catch (struct bad f) { return f.v; } }
int b(void) { try { return fail(1); } catch (fm_error *e) { (void)e; return 1; } catch (struct worse f) { return f.v; } }
int c(void) { try { return fail(1); } catch (fm_error *e) { (void)e; return 1; } catch (fm_error *f) { (void)f; return 2; } }
// error: 6:76: no error reaches this `catch`: a `catch` before it takes the same errors
// error: 7:82: no error reaches this `catch`
// error: 8:82: no error reaches this `catch`
