// run belongs to plain code and takes a call of an async function or a task.
#include <fermata.h>

async int f(int x);
int plain(int);

async int a(task(int) t) {
  int n = run f(1);
  return n + run t;
}

int b(void) { return run plain(1); }
int c(void) { return run 3; }
// error: 8:11: `run` starts a scheduler
// error: 9:14: `run` starts a scheduler
// error: 12:22: `run` needs a call of an async function, a task or a job
// error: 13:22: `run` needs a call of an async function, a task or a job
