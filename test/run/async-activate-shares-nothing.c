// A body that shares nothing is simply a child: the block does not wait for it, the activity does.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void leaf(const char *s) {
  yield;
  yield;
  printf("%s\n", s);
}

static async void node(void) {
  const char *s = "copy";
  {
    int unused = 0;
    activate { leaf("nothing"); }
    activate (s) { leaf(s); }
    (void)unused;
  }
  printf("block left\n");
}

async int main(void) {
  auto t = spawn node();
  await t;                        // expect: block left
                                  // expect: nothing
                                  // expect: copy
  printf("ended\n");              // expect: ended
  atomic node();                  // expect: block left
                                  // expect: nothing
                                  // expect: copy
}
