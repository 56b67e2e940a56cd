// Async functions are used through pointers: variables, parameters, members, tables, typedefs, results, `?:`, comparisons.
#include "parts/async.h"

async int inc(int);
static async int dec(int x) {
  yield;
  return x - 1;
}
async int inc(int x) { return later(x) + 1; }

typedef async int op_fn(int);
typedef async int (*op_ptr)(int);
struct ops { const char *name; async int (*run_it)(int x); op_fn *undo; };
static const struct ops table[] = { { "inc", inc, dec }, { "dec", dec, inc } };
static async int (*const both[2])(int) = { inc, dec };

static async int apply(op_ptr f, int times, int x) {
  while (times--) x = f(x);
  return x;
}

static op_ptr choose(int i) { return i ? dec : inc; }
static async op_ptr choose_slowly(int i) {
  yield;
  return both[i];
}

static async int test(int first) {
  if (first) yield;
  async int (*op)(int fd) = inc;
  int n = op(1) * 10 + (*op)(2);                                // 23
  n = n * 10 + apply(dec, 3, 7);                                // 234
  n = n * 10 + table[0].run_it(0) + table[1].undo(later(1));    // 2343
  n = n * 10 + choose(1)(5) + (**both)(0) - 1;                  // 23434
  n = n * 10 + choose_slowly(1)(later(6));                      // 234345
  n = n * 10 + (first ? inc : inc)(5);                          // 2343456
  op = table[1].run_it;
  n = n * 10 + op(8) + (op == dec) - (op == inc) - !op;         // 23434568
  return n;
}

async int main(void) {
  THREE(test);                    // expect: 23434568 23434568 23434568
  for (int i = 0; i < 2; i++) printf("%s %d\n", table[i].name, table[i].run_it(10));
  // expect: inc 11
  // expect: dec 9
}
