// `yield` is a statement, and takes nothing.
#include <fermata.h>

async int a(void) {
  yield 3;
  return 0;
}

async int b(void) {
  int n = yield;
  return n;
}
// error: 5:9: `3`
// error: 10:11: `yield`
