// __func__ is the user's name in all versions; __LINE__ is the user's line.
#include "parts/async.h"
#include <string.h>

static async int named(int first) {
  if (first) yield;
  const char *before = __func__;
  yield;
  return !strcmp(before, "named") && !strcmp(__func__, "named") && !strcmp(__FUNCTION__, "named") && sizeof __func__ == 6 ? __LINE__ : 0;
}

async int main(void) {
  THREE(named);                   // expect: 9 9 9
  printf("%s\n", __func__);       // expect: main
}
