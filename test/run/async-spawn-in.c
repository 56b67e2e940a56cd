// spawn in(node) makes a child of that activity: it ends only when that child has.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void slow(const char *name, int times) {
  while (times--) yield;
  printf("%s\n", name);
}
static fm_activity group;
static async void node(void) {
  group = fm_self();
  yield;
  printf("body ended\n");
}

async int main(void) {
  auto t = spawn node();
  yield;
  spawn in(group) slow("child", 5);
  auto kept = spawn in(group) later(3);
  await t;                        // expect: body ended
                                  // expect: child
  printf("node ended\n");         // expect: node ended
  printf("%d\n", fm_alive(group)); // expect: 0
  (void)kept;
  int in = 1, on = 2, now = 3, detached = 4, contained = 5; // only words after spawn
  printf("%d\n", in + on + now + detached + contained); // expect: 15
}
