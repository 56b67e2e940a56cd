// What is wrong about functions in a declaration at file scope is said, though nothing else in the unit is.
#include <fermata.h>
struct bad { int v; };
void fails(void) throws(struct bad);
async int f(int x);
void (*a)(void) = fails;
int (*b)(int) = f;
int c = f(1);
// flags: --translate=auto
// error: 6:19: this function may throw `struct bad`
// error: 7:17: this is an async function
// error: 8:9: an async function cannot be called outside of functions
