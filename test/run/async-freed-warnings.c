// That a pointer is kept for debuggers behind its `free` is no use of it.
// flags: -g -Wuse-after-free
// only: gcc
#include "parts/async.h"
#include <stdlib.h>

static async int take(int *p) {
  int n = later(*p);
  free(p);
  puts("freed");
  return n;
}

async int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 3;
  printf("%d\n", take(p));
  return 0;
}
// expect: freed
// expect: 3
