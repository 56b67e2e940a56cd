// The name of a scope is known inside it, and not behind it.
#include <fermata.h>

async static void f(void) {
  scope (s) {
    fm_cancel(s);
  }
  else {
    fm_cancel(t);
  }
  fm_cancel(s);
}
// error: 9:15: `t` is not declared
// error: 11:13: `s` is not declared
