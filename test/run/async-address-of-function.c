// `&f` of an async function is the pointer that `f` is; `*f` and `**p` are the function again.
#include "parts/async.h"

static async int inc(int x) { return later(x) + 1; }
struct ops { async int (*a)(int); async int (*b)(int); };
static const struct ops at_file_scope = { inc, &inc };
static async int (*pointer)(int) = &inc;

static async int test(int first) {
  if (first) yield;
  async int (*local)(int) = &inc;
  struct ops ops = { .a = &inc, .b = inc };
  if (local != inc || local != at_file_scope.b || ops.a != ops.b) return 0;
  return pointer(1) + (&inc)(10) + (*inc)(100) + (**local)(1000) + at_file_scope.b(10000) + (*ops.b)(100000);
}

async int main(void) {
  THREE(test);                    // expect: 111117 111117 111117
}
