// __func__ is the user's name in all versions; __LINE__ is the user's line.
#include "parts/async.h"
#include <string.h>

static async int named(int first) {
  if (first) yield;
  const char *before = __func__;
  yield;
  return !strcmp(before, "named") && !strcmp(__func__, "named") && !strcmp(__FUNCTION__, "named") && sizeof __func__ == 6 ? __LINE__ : 0;
}

static async void length(const char *s) { yield; printf("%zu\n", strlen(s)); }

async int main(void) {
  THREE(named);                   // expect: 9 9 9
  printf("%s\n", __func__);       // expect: main
  fm_activity id;
  activate [&id] { printf("%s %zu\n", __func__, sizeof __func__); } // expect: main 5
  fm_join(id);
  auto j = job () { printf("%s\n", __func__); yield; return __func__; }; // expect: main
  printf("%s\n", await j);        // expect: main
  fm_job_free(j);
  race { case length(__func__): printf("%s\n", __func__); } // expect: 4
  // expect: main
}
