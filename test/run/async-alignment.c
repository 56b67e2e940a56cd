// Over-aligned locals are aligned in every version, and stay where they are.
#include "parts/async.h"

struct __attribute__((aligned(64))) line { char c[64]; };

static async int test(int first) {
  if (first) yield;
  _Alignas(32) char buffer[40] = "x";
  struct line l = { "line" };
  char *p = buffer;
  struct line *q = &l;
  yield;
  return ((uintptr_t)p % 32 == 0) + ((uintptr_t)q % 64 == 0) * 10 + (p == buffer && q == &l) * 100 + (*p == 'x' && q->c[3] == 'e') * 1000;
}

async int main(void) {
  THREE(test);                    // expect: 1111 1111 1111
}
