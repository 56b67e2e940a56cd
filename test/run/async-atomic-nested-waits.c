// Atomics nest as a stack of sets: what the outer contains does not run while an inner one is under way.
// env: FERMATA_TICK=off
#include "parts/async.h"

static int outer_runs;
static async void outer_child(void) {
  for (int i = 0; i < 5; i++) {
    outer_runs++;
    yield;
  }
}
static async int inner_child(void) {
  int before = outer_runs;
  for (int i = 0; i < 3; i++) yield;
  return outer_runs - before;
}

async int main(void) {
  atomic {
    spawn contained outer_child();
    auto t = spawn contained later(1);
    int one = await t;
    printf("%d %d\n", one, outer_runs > 0);       // expect: 1 1
    int before = outer_runs;
    atomic {
      auto u = spawn inner_child();
      printf("%d\n", await u);                    // expect: 0
    }
    printf("%d\n", outer_runs - before);          // expect: 0
  }
  printf("%d\n", outer_runs);                     // expect: 5
}
