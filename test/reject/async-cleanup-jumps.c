// No return or jump leaves a finally or defer.
#include <fermata.h>

async void g(void);

async static int f(int k) {
  for (;;) {
    defer { if (k) break; }
    g();
  }
}

async static int h(void) {
  try {
    g();
  } finally {
    return 1;
  }
}

async static int i(void) {
  defer goto out;
  g();
out:
  return 2;
}
// error: 8:20: `break` cannot leave `finally` or `defer`
// error: 17:5: a `return` cannot leave `finally` or `defer`
// error: 22:9: a jump cannot leave `finally` or `defer`
