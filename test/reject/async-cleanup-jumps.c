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
// error: 8:20: no `break` leaves `finally` or `defer`
// error: 17:5: no `return` leaves `finally` or `defer`
// error: 22:9: no jump leaves `finally` or `defer`
