// What fm_error tells: name, file, line, value; and that any error is caught by `fm_error *`, but a type by its own.
#include "parts/async.h"
#include <string.h>

struct first { int a, b; };
typedef struct { double d; } second;
static async void fail(int n) throws(struct first, second) {
  yield;
  if (n) throw (second){ 2.5 };
  throw (struct first){ 3, 4 };
}

async int main(void) {
  for (int n = 0; n < 2; n++) {
    try { fail(n); }
    catch (fm_error *e) {
      const char *file = strrchr(fm_error_file(e), '/');
      file = file ? file + 1 : fm_error_file(e);
      printf("%s %s %d %d\n", fm_error_name(e), file, fm_error_line(e), fm_error_next(e) != NULL);
      if (n == 0) printf("%d\n", ((const struct first *)fm_error_value(e))->b);
      else printf("%g\n", ((const second *)fm_error_value(e))->d);
    }
  }
  // expect: first async-error-object.c 10 0
  // expect: 4
  // expect: second async-error-object.c 9 0
  // expect: 2.5
}
