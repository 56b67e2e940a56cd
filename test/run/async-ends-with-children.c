// An activity has ended when its body and all its children have: grandchildren, dropped ones, those of activate, kept tasks.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void leaf(const char *name, int n) {
  while (n--) yield;
  printf("%s\n", name);
}
static async void middle(void) {
  spawn leaf("grandchild", 6);
}
static async int top(void) {
  spawn middle();
  spawn leaf("child", 2);
  auto kept = spawn leaf("kept", 4);
  (void)kept;
  activate { leaf("activated", 3); }
  printf("body\n");
  return 5;
}

async int main(void) {
  auto t = spawn top();
  yield;
  yield;
  printf("%d\n", await t);
  // expect: body
  // expect: child
  // expect: activated
  // expect: kept
  // expect: grandchild
  // expect: 5
}
