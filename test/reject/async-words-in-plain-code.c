// yield, activate and spawn with a parent belong to async functions.
#include <fermata.h>

async int f(int x);

void plain(void) {
  yield;
  spawn f(1);
  task(int) t = spawn now f(2);
  spawn detached f(3);
}

void other(int i) {
  activate (i) { f(i); }
}
// error: 7:3: `yield` can be used only in an async function
// error: 8:3: write `spawn detached`
// error: 9:17: write `spawn detached`
// error: 14:3: `activate` can be used only in an async function
