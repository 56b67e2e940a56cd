// A static table of label addresses is refused in an async function that pauses.
#include <fermata.h>

async int b(int n) {
  static void *const table[] = { &&one, &&two };
  yield;
  goto *table[n];
one:
  return 1;
two:
  return 2;
}
// error: 6:3: cannot be kept across a pause
