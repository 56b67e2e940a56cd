// spawn now runs the child at once until its first pause, then goes on here; a child that never pauses has ended by then.
// env: FERMATA_TICK=off
#include "parts/async.h"
#include <errno.h>

static async int child(const char *who, int pause) {
  errno = 99;
  printf("%s begins\n", who);
  if (pause) yield;
  printf("%s ends\n", who);
  return pause + 10;
}

static async int nested(void) {
  auto t = spawn now child("inner", 1);
  printf("nested\n");
  return await t;
}

async int main(void) {
  spawn child("queued", 0);
  errno = 5;
  auto me = fm_self();
  task(int) t = spawn now child("now", 1);  // expect: now begins
  printf("%d\n", errno);                    // expect: 5
  printf("%d\n", fm_self().generation == me.generation); // expect: 1
  task(int) u = spawn now child("short", 0); // expect: short begins
                                            // expect: short ends
  printf("%d\n", await u);                  // expect: 10
  spawn now child("dropped", 0);            // expect: dropped begins
                                            // expect: dropped ends
  auto n = spawn now nested();              // expect: inner begins
                                            // expect: nested
  printf("%d\n", await t);                  // expect: queued begins
                                            // expect: queued ends
                                            // expect: now ends
                                            // expect: inner ends
                                            // expect: 11
  printf("%d\n", await n);                  // expect: 11
}
