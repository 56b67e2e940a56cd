// A static table of label addresses is refused in an async function, whether it pauses or not; an automatic one only where it pauses.
#include <fermata.h>

async int pauses(int n) {
  static void *const table[] = { &&one, &&two };
  yield;
  goto *table[n];
one:
  return 1;
two:
  return 2;
}

async int does_not(int n) {
  void *first = &&one;
  static void *const rest[] = { &&two, &&three };
  goto *(n ? rest[n - 1] : first);
one:
  return 1;
two:
  return 2;
three:
  return 3;
}

async int automatic(int n) {
  void *const table[] = { &&one, &&two };
  yield;
  goto *table[n];
one:
  return 1;
two:
  return 2;
}
// error: 5:41: a static variable of an async function cannot hold the address of a label
// error: 16:40: a static variable of an async function cannot hold the address of a label
// error: 28:3: cannot be kept across a pause
