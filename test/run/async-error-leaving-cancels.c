// A block left by an error cancels the activities that share its variables, waits for them, and then runs its defers.
#include "parts/async.h"

struct bad { int v; };
static async void work(void) throws(struct bad) {
  int shared = 1;
  defer printf("defer %d\n", shared);
  activate { defer { yield; shared = 7; puts("child left"); } for (;;) { yield; shared++; } }
  yield;
  throw (struct bad){3};
}
async int main(void) {
  try { work(); } catch (struct bad e) { printf("bad %d\n", e.v); }
  // expect: child left
  // expect: defer 7
  // expect: bad 3
}
