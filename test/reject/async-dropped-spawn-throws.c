// A dropped spawn of what throws must stand in a scope or be detached; in a scope its errors count there.
#include <fermata.h>

struct bad { int n; };
async void fails(void) throws(struct bad);

async static void dropped(void) {
  spawn fails();
}

async static void in_scope(void) {
  scope (s) spawn fails();
}

async static void activated(void) {
  activate { fails(); }
}

async static void fine(void) throws(struct bad) {
  scope (s) spawn fails();
  spawn detached fails();
}
// error: 8:3: this `spawn` may throw `struct bad`, and the error would be lost: put it inside a `scope`, keep the task and `await` it, or write `spawn detached`
// error: 12:13: `struct bad` may be thrown here and is neither caught nor declared: catch it, or add `throws(struct bad)` to the function
// error: 16:3: this body of `activate` may throw `struct bad`, and the error would be lost: put it inside a `scope`, keep the task and `await` it, or write `spawn detached`
