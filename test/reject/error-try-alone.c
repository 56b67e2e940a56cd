// try needs a catch or finally; each of them a block.
#include <fermata.h>
void a(void) { try { puts("a"); } puts("b"); }
void b(void) { try puts("a"); finally { } }
void c(void) { try { puts("a"); } finally puts("b"); }
void d(void) { try { puts("a"); } catch (fm_error *e) puts("b"); }
void e(void) { try { puts("a"); } catch { puts("b"); } }
// error: 3:16: `try` needs a `catch` or a `finally` after its block
// error: 4:20: to open the block of `try`
// error: 5:43: to open the block of `finally`
// error: 6:55: to open the block of `catch`
// error: 7:35: `catch` names what it catches
