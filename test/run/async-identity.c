// fm_self is the same in all functions of an activity, across pauses; handles carry a generation, stale ones are not alive.
#include "parts/async.h"

static bool same(fm_activity a, fm_activity b) { return a.node == b.node && a.generation == b.generation; }
static async fm_activity deeper(void) {
  yield;
  return fm_self();
}
static fm_activity child_id, parent_id;
static async void child(void) {
  child_id = fm_self();
  printf("%d %d\n", same(child_id, deeper()), same(child_id, parent_id));
  printf("%d %d\n", fm_alive(child_id), fm_alive(parent_id));
}

async int main(void) {
  fm_activity me = parent_id = fm_self();
  yield;
  printf("%d %d\n", same(me, fm_self()), same(me, deeper())); // expect: 1 1
  auto t = spawn child();
  await t;                                  // expect: 1 0
                                            // expect: 1 1
  printf("%d\n", fm_alive(child_id));       // expect: 0
  fm_activity old = child_id;
  for (int i = 0; i < 100; i++) {           // its memory is used again
    auto u = spawn child();
    if (i == 0) await u;                    // expect: 1 0
    else break;                             // expect: 1 1
  }
  printf("%d %d\n", fm_alive(old), same(old, child_id)); // expect: 0 0
  fm_set_name(old, "stale");                // harmless
  fm_set_name(me, "me");
  printf("%d\n", same(me, atomic deeper())); // expect: 1
}
// the last child
// expect: 1 0
// expect: 1 1
