// A bare call of an async function from code that is not async is an error with a hint.
#include <fermata.h>

async int f(int x);
struct ops { async int (*op)(int); };

int plain(struct ops *ops) {
  int n = f(1);
  n += 2 + f(n);
  f(2);
  return ops->op(3) + n;
}

int at_file_scope = f(1);
// error: 8:11: like this; here write `run`, `spawn detached` or `atomic` before the call
// error: 9:12: like this; here write `run`, `spawn detached` or `atomic` before the call
// error: 10:3: like this; here write `run`, `spawn detached` or `atomic` before the call
// error: 11:13: like this; here write `run`, `spawn detached` or `atomic` before the call
// error: 14:21: an async function cannot be called outside of functions
