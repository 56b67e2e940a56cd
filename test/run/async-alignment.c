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

// What a declaration asks for, too, whatever else is in the frame.
static async int asked(int first) {
  char before = 'b', *at = &before;
  if (first) yield;
  _Alignas(16) char a[3] = "a";
  char b[5] __attribute__((aligned(32))) = "b", c[2] = "c", d __attribute__((aligned(64))) = 'd', *p = &d;
  yield;
  __attribute__((aligned(32))) int e[3] = { *at };
  yield;
  bool aligned = !((uintptr_t)a % 16 || (uintptr_t)b % 32 || (uintptr_t)p % 64 || (uintptr_t)e % 32);
  return aligned + (*a == 'a' && *b == 'b' && *c == 'c' && *p == 'd' && *e == 'b') * 10 + (__alignof__(b) == 32) * 100;
}

async int main(void) {
  THREE(test);                    // expect: 1111 1111 1111
  THREE(asked);                   // expect: 111 111 111
}
