// What is begun keeps its arguments in a frame, where `...` and a va_list cannot be.
#include <fermata.h>
#include <stdarg.h>
struct holder { int n; va_list ap; };
async int say(const char *fmt, ...);
async int vsay(const char *fmt, va_list ap);
async int hsay(const char *fmt, struct holder h);

async void begin(struct holder h, const char *f, ...) {
  spawn detached say("x");
  auto t = spawn say("%d", 1);
  auto j = job say("x");
  async int (*p)(const char *, ...) = say;
  auto t2 = spawn p("x");
  va_list ap;
  va_start(ap, f);
  auto t3 = spawn vsay("x", ap);
  va_end(ap);
  auto t4 = spawn hsay("x", h);
}
int plain(void) { return run say("x") + run (say)("y"); }
// error: 10:3: `spawn` cannot start a function that takes `...`: these arguments are gone when it runs; call it from a function with fixed parameters
// error: 11:12: `spawn` cannot start a function that takes `...`
// error: 12:12: `job` cannot start a function that takes `...`
// error: 14:13: `spawn` cannot start a function that takes `...`
// error: 17:13: `spawn` cannot start a function that takes a `va_list`
// error: 19:13: `spawn` cannot start a function that takes a `va_list`
// error: 21:26: `run` cannot start a function that takes `...`
// error: 21:41: `run` cannot start a function that takes `...`
