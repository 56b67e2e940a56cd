// __attribute__((cleanup)) runs at the end of the variable's block, in every version, however the block is left.
#include "parts/async.h"

static void close_it(int *p) { printf("close %d\n", *p); }

static async int test(int first) {
  if (first) yield;
  for (int i = 0; i < 2; i++) {
    __attribute__((cleanup(close_it))) int fd = later(i + 1);
    yield;
    if (i) return fd;
  }
  return 0;
}

async int main(void) {
  THREE(test);
}
// expect: close 1
// expect: close 2
// expect: close 1
// expect: close 2
// expect: close 1
// expect: close 2
// expect: 2 2 2
