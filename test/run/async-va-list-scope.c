// A va_list whose block has ended does not stand in the way of a pause.
#include "parts/async.h"
#include <stdarg.h>

static async int test(int first) {
  int s = first;
  {
    va_list unused;
    (void)unused;
    s++;
  }
  yield;
  return s;
}

async int main(void) {
  THREE(test);                    // expect: 1 2 1
}
