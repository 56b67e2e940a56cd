// `*f` of an async function is the function again, as in C.
#include "parts/async.h"

static async int inc(int x) { return later(x) + 1; }

static async int test(int first) {
  if (first) yield;
  async int (*p)(int) = *inc, (*q)(int) = **p;
  return (p == q) + (***inc)(10) + (**q)(100);
}

async int main(void) {
  THREE(test);                    // expect: 113 113 113
}
