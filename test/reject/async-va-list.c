// A va_list cannot live across a pause.
#include <fermata.h>
#include <stdarg.h>

async int later(int x);

async int sum(int n, va_list from) {
  int s = 0;
  va_list ap;
  va_copy(ap, from);
  while (n--) s += later(va_arg(ap, int));
  va_end(ap);
  return s;
}
// error: 11:20: cannot be kept across a pause
