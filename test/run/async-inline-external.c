// An async function with external linkage may be inline too, as C99 has it.
#include "parts/async.h"

inline async int twice(int n) { return later(n) * 2; }
extern inline async int twice(int n);

async int main(void) {
  printf("%d %d\n", twice(3), atomic twice(4)); // expect: 6 8
}
