// What stands in `spawn in(...)` is an activity.
#include <fermata.h>

async int f(int x);

async void a(task(int) t) {
  spawn in(3) f(1);
  spawn in(t) f(2);
}
// error: 7:12: `int`
// error: 8:12: `task(int)`
