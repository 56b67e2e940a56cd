// Nested scopes: each waits for its own; an inner one can be cancelled alone; spawn in(outer) from within.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void child(const char *who, int ms) {
  defer printf("%s at %d\n", who, (int)(fm_now() / 1000000));
  fm_sleep(ms);
}

async int main(void) {
  scope (a) {
    spawn child("a", 30);
    scope (b) {
      spawn child("b", 20);
      spawn in(a) child("a2", 50);
      scope (c) {
        spawn child("c", 10);
      }
      printf("c ended at %d\n", (int)(fm_now() / 1000000));
    }
    printf("b ended at %d\n", (int)(fm_now() / 1000000));
    for (int i = 0; i < 2; i++) {
      scope (d) {
        spawn child("d", 1000);
        fm_cancel_after(d, 2);
        fm_sleep(1000);
      }
      else printf("else at %d\n", (int)(fm_now() / 1000000));
    }
  }
  printf("a ended at %d\n", (int)(fm_now() / 1000000));
  // expect: c at 10
  // expect: c ended at 10
  // expect: b at 20
  // expect: b ended at 20
  // expect: d at 22
  // expect: else at 22
  // expect: d at 24
  // expect: else at 24
  // expect: a at 30
  // expect: a2 at 50
  // expect: a ended at 50
}
