// Automatic yields are dropped while a va_list is live, so that wrappers of vprintf work in an async function's program.
// env: FERMATA_TICK=1
#include "parts/async.h"
#include <stdarg.h>

static int format(char *to, const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int n = vsprintf(to, f, ap);
  va_end(ap);
  return n;
}

static async int test(int first) {
  char text[30];
  if (first) yield;
  int n = format(text, "%d %s %c", later(12), later(1) ? "yes" : "no", later('x'));
  yield;
  printf("%s\n", text);
  return n;
}

async int main(void) {
  THREE(test);
  // expect: 12 yes x
  // expect: 12 yes x
  // expect: 12 yes x
  // expect: 8 8 8
}
