// In an atomic, the end of a block waits for the activities that share its variables: they become contained.
// env: FERMATA_TICK=off
#include "parts/async.h"

static async void other(void) { printf("other\n"); }

async int main(void) {
  spawn other();
  atomic {
    int n = 0;
    { int shared = 3; activate { yield; shared++; n = shared; } }
    printf("%d\n", n);            // expect: 4
    for (int i = 0; i < 2; i++) activate (i) { yield; n += i + 10; }
    atomic { int k = n; activate { yield; k++; n = k; } }
    printf("%d\n", n);            // expect: 5
  }
  printf("left\n");               // expect: left
  yield;                          // expect: other
}
