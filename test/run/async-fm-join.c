// fm_join waits until an activity has ended, its children too; joining an ended one, or oneself's past, does not wait.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void leaf(int n) {
  while (n--) yield;
  printf("leaf\n");
}
static async int node(void) {
  spawn leaf(4);
  yield;
  printf("node\n");
  return 9;
}
static async void other(fm_activity a) {
  fm_join(a);
  printf("other joined\n");
}

async int main(void) {
  auto t = spawn node();
  fm_activity a = fm_id(t);
  spawn other(a);
  printf("%d\n", fm_alive(a));    // expect: 1
  yield;
  fm_join(a);                     // expect: node
                                  // expect: leaf
                                  // expect: other joined
  printf("main joined %d\n", fm_alive(a)); // expect: main joined 0
  fm_join(a);
  printf("%d\n", await t);        // expect: 9
  fm_join(a);                     // stale: harmless
  fm_activity none = { 0 };
  fm_join(none);
  printf("%d\n", fm_alive(none)); // expect: 0
}
