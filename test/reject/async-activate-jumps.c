// No jump leaves the body of activate.
#include <fermata.h>

async void a(void) {
  for (int i = 0; i < 3; i++) {
    activate (i) {
      if (i == 1) break;
      if (i == 2) continue;
    }
  }
}

async void b(int n) {
  activate {
    if (n) goto out;
  }
out:
  yield;
}
// error: 7:19: `break` cannot leave the body of `activate`
// error: 8:19: `continue` cannot leave the body of `activate`
// error: 15:17: a jump cannot leave the body
