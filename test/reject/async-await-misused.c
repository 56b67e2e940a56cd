// await needs a task or a call of an async function, and async code around it.
#include <fermata.h>

async int f(int x);
int plain(int);

async int g(task(int) t, int *p) {
  int n = await 3;
  n += await plain(1);
  n += await p;
  n += await f;
  return n + await t;
}

int h(task(int) t) {
  return await t;
}
// error: 8:11: a value of type `int` cannot be awaited: it is neither a task, a job nor a call of an async function
// error: 9:8: a value of type `int` cannot be awaited: it is neither a task, a job nor a call of an async function
// error: 10:8: a value of type `int *` cannot be awaited: it is neither a task, a job nor a call of an async function
// error: 11:8: a value of type `async int(int)` cannot be awaited: it is neither a task, a job nor a call of an async function
// error: 16:10: `await` can be used only in an async function
