// Nested functions are refused in async functions.
#include <fermata.h>

async int a(int n) {
  int inner(int x) { return x + n; }
  yield;
  return inner(1);
}
// error: 5:7: a function cannot be defined inside an async function
