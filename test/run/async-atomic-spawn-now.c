// In an atomic `spawn now` runs the child at once until its first pause; it is contained from the start.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async int child(int pauses) {
  printf("begins\n");
  while (pauses--) yield;
  printf("ends\n");
  return 5;
}

async int main(void) {
  atomic {
    spawn now child(2);           // expect: begins
    printf("inside\n");           // expect: inside
  }                               // expect: ends
  printf("outside\n");            // expect: outside
  int n = atomic ({ auto t = spawn now child(1); printf("x\n"); await t; }); // expect: begins
                                  // expect: x
                                  // expect: ends
  printf("%d\n", n);              // expect: 5
}
