// A comment that says `fall through` keeps -Wextra silent in async functions as in plain ones.
#include "parts/async.h"

static async int test(int first) {
  int n = 0;
  switch (first) {
  case 0:
    yield;
    n++;
    /* fall through */
  case 1:
    n += later(10);
  }
  return n;
}

static int plain(int first) {
  switch (first) {
  case 0: {
    first += 2;
    break;
  }
  case 1:
    first += 10; // falls through
  default:
    first++;
  }
  return first;
}

async int main(void) {
  printf("%d %d\n", plain(0), plain(1)); // expect: 2 12
  THREE(test);                    // expect: 11 10 11
}
