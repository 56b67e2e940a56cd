// A task is no condition, nor can it be compared or cast.
#include <fermata.h>

async void a(task(int) t, task(int) u) {
  if (t) yield;
  while (!t) yield;
  int n = t == u;
  n += (int)t;
  n += t ? 1 : 0;
}
// error: 5:7: `task(int)`
// error: 6:10: `task(int)`
// error: 7:13: `task(int)`
// error: 8:8: `task(int)`
// error: 9:8: `task(int)`
