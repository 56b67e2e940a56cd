// `throw;` lets out what its catch took.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
int a(void) { try { return fail(1); } catch (struct bad e) { if (e.v) throw; return 0; } }
int b(void) { try { return fail(1); } catch (fm_error *e) { (void)e; throw; } }
int c(void) throws(struct bad) { try { return fail(1); } catch (fm_error *e) { (void)e; throw; } }
int d(void) { try { try { return fail(1); } catch (struct bad e) { (void)e; throw; } } catch (struct bad e) { return e.v; } }
// A try inside the catch may take it.
struct worse { int v; };
void e(void) { try { fail(1); } catch (struct bad e) { (void)e; try { throw; } catch (struct bad f) { (void)f; } } }
void f(void) { try { fail(1); } catch (fm_error *e) { (void)e; try { throw; } catch (fm_error *f) { (void)f; } } }
void g(void) { try { fail(1); } catch (struct bad e) { (void)e; try { throw; } catch (struct worse f) { (void)f; } } }
void h(int n) { try { fail(1); } catch (struct bad e) { if (n) throw; try { throw; } catch (struct bad f) { (void)(e.v + f.v); } } }
// error: 5:28: `struct bad` may be thrown here
// error: 6:28: `struct bad` may be thrown here
// error: 13:22: `struct bad` may be thrown here
// error: 14:23: `struct bad` may be thrown here
