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

async int main(void) {
  THREE(test);                    // expect: 11 10 11
}
