// `throw;` can stand only in a catch; a finally, a defer and a body of activate inside one are not in it.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { throw (struct bad){n}; }
void a(void) { throw; }
void b(void) { try { fail(1); } catch (struct bad e) { (void)e; } finally { throw; } }
void c(void) { try { fail(1); } catch (struct bad e) { defer throw; (void)e; } }
async void d(void) { try { fail(1); } catch (struct bad e) { (void)e; activate { throw; } } }
void e(void) { try { throw; } catch (struct bad e) { (void)e; } }
// error: 5:16: `throw;` throws the caught error again: it can be used only inside a `catch`
// error: 6:77: `throw;` throws the caught error again
// error: 7:62: `throw;` throws the caught error again
// error: 8:82: `throw;` throws the caught error again
// error: 9:22: `throw;` throws the caught error again
