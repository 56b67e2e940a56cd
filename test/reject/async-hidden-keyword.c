// An error near a hidden keyword names the declaration that hides it.
#include <fermata.h>

async int f(int x);

async int a(void) {
  int spawn = 1;
  spawn f(2);
  return spawn;
}
// error: 8:9: expected `;` after this expression, found `f`
// note: 7:7: `spawn` is an ordinary identifier here
