// `catch` takes a structure or `fm_error *`.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
int a(void) { try { return fail(1); } catch (int e) { return e; } catch (struct bad e) { return e.v; } }
int b(void) { try { return fail(1); } catch (struct bad *e) { return e->v; } catch (struct bad e) { return e.v; } }
// error: 5:46: `catch` takes a structure, or `fm_error *` for any error; `int` is neither
// error: 6:46: `catch` takes a structure, or `fm_error *` for any error; `struct bad *` is neither
