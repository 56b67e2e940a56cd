// An async function may return a pointer; `async` belongs to the function, whatever it returns.
#include "parts/async.h"

struct s { int n; };
static int data[3] = { 1, 2, 3 };
static struct s object = { 4 };

async const char *name(int i);
static async int *at(int i) {
  yield;
  return data + i;
}
async struct s *get(void) { return later(1) ? &object : NULL; }
async const char *name(int i) {
  yield;
  return i ? "one" : "zero";
}

static async int test(int first) {
  if (first) yield;
  async int *(*p)(int) = at;
  *at(0) = 10;
  at(1)[0] = 20;
  get()->n++;
  return *at(0) + *p(1) + get()->n * 100 + (name(later(1))[0] == 'o') * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 10530 10630 10730
  auto t = spawn name(0);
  printf("%s\n", await t);        // expect: zero
}
