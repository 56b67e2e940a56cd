// A name that is spelled almost as one that is declared, or as a keyword, draws a hint, once.
#include <fermata.h>
#include <fermata/time.h>
static async int f(int x) { return x; }
static async int name(void) { int count = 0; cuont++; return count; }
static async int function(void) { fm_slep(1); return 0; }
static async int type(void) { fm_actvity a; return 0; }
static async int keyword(void) { retrun 0; }
static async int loop(void) { whlie (1) { } return 0; }
static async int block(void) { activte { f(1); } return 0; }
static async int named(void) { sope (s) { f(1); } return 0; }
static async int operator(void) { int x = awiat f(1); return x; }
static async int task_of(void) { auto t = spwan f(1); return 0; }
static async int statement(void) { spwan f(1); return 0; }
static async int handler(void) { tyr { f(1); } catch (struct os_error e) { } return 0; }
static async int ends(void) { deffer f(1); return 0; }
static async int far(void) { return unheard_of; }
asinc int misspelt(void);
static async int wants_header(void) { fm_mutex m; return 0; }
// error: 5:46: `cuont` is not declared; did you mean `count`?
// error: 6:35: `fm_slep` is not declared; did you mean `fm_sleep`?
// error: 7:31: unknown type name `fm_actvity`; did you mean `fm_activity`?
// error: 8:34: `retrun` is not declared; did you mean `return`?
// error: 9:31: `whlie` is not declared; did you mean `while`?
// error: 10:32: `activte` is not declared; did you mean `activate`?
// error: 11:32: `sope` is not declared; did you mean `scope`?
// error: 12:43: `awiat` is not declared; did you mean `await`?
// error: 13:43: `spwan` is not declared; did you mean `spawn`?
// error: 14:36: unknown type name `spwan`; did you mean `spawn`?
// error: 15:34: `tyr` is not declared; did you mean `try`?
// error: 16:31: unknown type name `deffer`; did you mean `defer`?
// error: 17:37: `unheard_of` is not declared
// error: 18:1: unknown type name `asinc`: did you mean `async`?
// error: 19:39: unknown type name `fm_mutex`: include <fermata/sync.h>
