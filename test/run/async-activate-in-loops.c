// activate in a loop: each round makes an activity with its own copies; outer variables are shared by all of them.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int total = 0, seen[10] = { 0 };
  {
    int alive = 0;
    for (int i = 0; i < 10; i++) {
      int square = i * i;
      alive++;
      activate (i, square) {
        for (int k = 0; k < i % 4; k++) yield;
        seen[i]++;
        total += later(square);
        alive--;
      }
      if (i == 5) yield;
    }
    while (alive) yield;
  }
  for (int i = 0; i < 10; i++) total += seen[i] * 1000;
  return total;
}

async int main(void) {
  int a = test(0), b = test(1);
  printf("%d %d\n", a, b);        // expect: 10285 10285
}
