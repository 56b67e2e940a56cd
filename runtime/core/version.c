// version.c: which library a program runs with.
#include "fm.h"

const char *fm_version(void) {
  return "0.1.0";
}
