// A delayed activity that the atomic comes to wait for becomes contained; the others stay delayed.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int slow(const char *s, int x) {
  printf("%s begins\n", s);
  yield;
  printf("%s ends\n", s);
  return x;
}
static async int children(void) {
  spawn slow("grandchild", 0);
  return 7;
}

async int main(void) {
  spawn slow("outside", 0);
  atomic {
    auto a = spawn slow("a", 1);
    auto b = spawn slow("b", 2);
    auto c = spawn slow("c", 3);
    printf("%d\n", await b);      // expect: b begins
                                  // expect: b ends
                                  // expect: 2
    fm_join(fm_id(a));            // expect: a begins
                                  // expect: a ends
    printf("%d\n", await a);      // expect: 1
    auto k = spawn children();
    printf("%d\n", await k);      // expect: grandchild begins
                                  // expect: grandchild ends
                                  // expect: 7
    (void)c;
  }
  printf("left\n");               // expect: left
  yield;                          // expect: outside begins
                                  // expect: c begins
  yield;                          // expect: outside ends
                                  // expect: c ends
}
