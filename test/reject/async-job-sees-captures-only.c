// The body of a job sees what it captures, its own variables and what is global; no local that was not captured.
#include <fermata.h>

static int global;

async static void f(void) {
  int x = 1, y = 2;
  auto j = job (x) { return x + y + global; };
  (void)j, (void)y;
}
// error: 8:33: `y` belongs to the function around this `job`, which may have ended when the job runs: copy it by `job (y) { … }`
