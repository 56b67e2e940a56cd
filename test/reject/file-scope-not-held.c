// Text that the C compiler does not see is checked by fmcc also at file scope, where other errors are left to the C compiler.
// flags: --translate=auto
#include <fermata.h>
struct bad { int n; };
async int prototype(void) throws(int);
int plain(void) throws(struct bad *);
struct table { async int (*p)(void) throws(int); };
typedef async int type(void) throws(char *);
void takes(async int (*cb)(int) throws(int));
async int second(void) throws(struct bad, int);
task(nope) unknown;
task(int) throws(int) thrown;
struct arrays { task(int[3]) t; };
asyncdirect int direct(fm_completion(char *) *k);
async int first(void), (*pointer)(void);
// error: 5:34: only structures can be thrown, and `int` is not a structure
// error: 6:24: only structures can be thrown, and `struct bad *` is not a structure
// error: 7:44: only structures can be thrown
// error: 8:37: only structures can be thrown
// error: 9:40: only structures can be thrown
// error: 10:43: only structures can be thrown
// error: 11:6: unknown type name `nope`
// error: 12:18: only structures can be thrown
// error: 13:22: a result cannot be of type `int[3]`
// error: 14:47: both have to be the same
// error: 15:26: give this a declaration of its own
