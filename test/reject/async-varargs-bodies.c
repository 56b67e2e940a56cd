// Bodies that run by themselves, and lists that are no local variable.
#include <fermata.h>
#include <stdarg.h>
#include <stdio.h>
async int later(int x);
va_list global;
struct holder { va_list ap; };

async int activates(const char *f, ...) { activate { later(1); } return 0; }
async int scopes(const char *f, ...) { scope { later(1); } return 0; }
async int races(const char *f, ...) { race { case later(1): ; case later(2): ; } return 0; }
async int jobs(int n, ...) { auto j = job (n) { va_list ap; va_start(ap, n); va_end(ap); }; return 0; }
async int main(int n, ...) { return 0; }
async int elsewhere(const char *f, ...) {
  struct holder h;
  va_start(h.ap, f);
  va_start(global, f);
  va_copy(global, h.ap);
  return 0;
}
async int shares(va_list ap) { activate { vprintf("x", ap); } return 0; }
async int copies(va_list ap) { activate (ap) { vprintf("x", ap); } return 0; }
// error: 9:11: an async function that takes `...` cannot contain `scope`, `race` or `activate`: move them to another function
// error: 10:11: cannot contain `scope`, `race` or `activate`
// error: 11:11: cannot contain `scope`, `race` or `activate`
// error: 12:61: `va_start` cannot be used in the body of `activate`, `race` or `job`
// error: 13:11: `main` cannot take `...`
// error: 16:3: in an async function `va_start` needs a local variable of type `va_list`
// error: 17:3: `va_start` needs a local variable of type `va_list`
// error: 18:3: `va_copy` needs a local variable of type `va_list`
// error: 21:56: a `va_list` cannot be shared with, or copied to, a body that runs as another activity
// error: 22:42: a `va_list` cannot be shared
