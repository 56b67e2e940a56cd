// A kept task that no one awaits throws in its parent when the parent ends; one that is awaited throws there, once.
// flags: -Wno-unawaited-task
#include "parts/async.h"

struct bad { int v; };
static async int fail(int v) throws(struct bad) { yield; throw (struct bad){v}; }
static async void parent(void) throws(struct bad) {
  auto t = spawn fail(3);
  (void)t;
  puts("parent's body is over");
}
static async void awaits(void) {
  auto t = spawn fail(4);
  try { await t; } catch (struct bad e) { printf("awaited %d\n", e.v); } // expect: awaited 4
  // expect: parent's body is over
}
async int main(void) {
  awaits();
  auto p = spawn parent();
  try { await p; puts("no error"); }
  catch (struct bad e) { printf("%d\n", e.v); }   // expect: 3
}
