// `auto` without a type needs a value to infer it from.
#include <fermata.h>

async int a(void) {
  auto x;
  yield;
  return 0;
}
// error: 5:8: `x`
