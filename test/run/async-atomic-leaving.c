// atomic ends however its statement is left: return, break, continue, goto; then others run again.
// env: FERMATA_TICK=off
#include "parts/async.h"

static int runs;
static async void other(void) {
  for (;;) {
    runs++;
    yield;
  }
}

static async int leave(int how) {
  for (int i = 0; i < 2; i++) {
    atomic {
      yield;
      if (how == 0) return runs;
      atomic {
        if (how == 1) break;
        if (how == 2) continue;
        if (how == 3) goto out;
        if (how == 4) return runs + later(0);
      }
    }
  }
out:
  return runs;
}

static int plain(int how) {
  for (int i = 0; i < 2; i++) atomic {
    if (how) return i;
    continue;
  }
  return 5;
}

async int main(void) {
  spawn detached other();
  for (int how = 0; how < 6; how++) {
    int before = runs, inside = leave(how);
    yield;
    printf("%d %d  ", inside - before, runs - before);
  }
  printf("\n");                   // expect: 0 1  0 1  0 1  0 1  0 1  0 1  
  int before = runs, n = plain(0) * 10 + plain(1);
  yield;
  printf("%d %d\n", n, runs - before); // expect: 50 1
}
