// `throw;` lets out what its catch took.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
int a(void) { try { return fail(1); } catch (struct bad e) { if (e.v) throw; return 0; } }
int b(void) { try { return fail(1); } catch (fm_error *e) { (void)e; throw; } }
int c(void) throws(struct bad) { try { return fail(1); } catch (fm_error *e) { (void)e; throw; } }
int d(void) { try { try { return fail(1); } catch (struct bad e) { (void)e; throw; } } catch (struct bad e) { return e.v; } }
// error: 5:28: `struct bad` may be thrown here
// error: 6:28: `struct bad` may be thrown here
