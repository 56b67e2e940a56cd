// Labels are checked in async functions: unknown ones, and ones told twice.
#include <fermata.h>

async int a(int n) {
  if (n) goto nowhere;
  yield;
twice:
  yield;
twice:
  return n;
}
// error: 5:15: `nowhere`
// error: 9:1: `twice`
