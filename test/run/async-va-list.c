// An async function may use a va_list where it does not pause while that is live: automatic yields are dropped there.
// env: FERMATA_TICK=1
#include "parts/async.h"
#include <stdarg.h>

static async int total(int n, va_list ap) {
  int s = 0;
  while (n--) s += va_arg(ap, int);
  return s;
}
static int sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int s = atomic total(n, ap);
  va_end(ap);
  return s;
}
static async int test(int first) {
  if (first) yield;
  int s = sum(3, 1, later(2), 3);
  s += sum(1, 10);
  yield;
  return s;
}

async int main(void) {
  THREE(test);                    // expect: 16 16 16
}
