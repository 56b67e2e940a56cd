// Functions with large locals recurse as deep as the heap allows, not the stack.
#include "parts/async.h"
#include <string.h>

static async int large(int n) {
  char block[20000];
  memset(block, n & 127, sizeof block);
  int below = n ? large(n - 1) : later(0);
  return below + (block[19999] == (n & 127));
}

static async int plain_large(int n) {
  volatile char block[5000];                // not live across the call
  block[4999] = 1;
  int one = block[4999];
  return n ? plain_large(n - 1) + one : 0;
}

async int main(void) {
  printf("%d\n", large(2000));              // expect: 2001
  printf("%d\n", plain_large(5000));        // expect: 5000
}
