// A yield in an atomic is no pause: what can be seen there is not kept for a debugger, least of all at the function's beginning.
// flags: -g -O0
#include <fermata.h>

static async int half(int n) {
  atomic {
    int twice = 2 * n;
    yield;
    n = twice / 4;
  }
  yield;
  return n ? half(n) + 1 : 0;
}

async int main(void) {
  printf("%d %d\n", half(8), atomic half(64)); // expect: 3 6
}
