// fm_detach gives a handle up: the activity goes on, and is cleaned up when it ends.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int slow(int x) {
  yield;
  yield;
  printf("slow %d\n", x);
  return x;
}

async int main(void) {
  auto t = spawn slow(1);
  fm_activity a = fm_id(t);
  fm_detach(t);
  printf("%d\n", fm_alive(a));    // expect: 1
  auto u = spawn slow(2);
  fm_detach(fm_share(u));
  printf("%d\n", await u);        // expect: slow 1
                                  // expect: slow 2
                                  // expect: 2
  printf("%d\n", fm_alive(a));    // expect: 0
  fm_detach(t);                   // stale: harmless
  auto v = spawn slow(3);
  yield; yield; yield;            // expect: slow 3
  fm_detach(v);                   // of an ended one
  printf("end\n");                // expect: end
}
