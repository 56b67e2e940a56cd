// `auto x = e;` infers the type, as in C23: values, pointers, decayed arrays, structs, tasks, functions, what pauses.
#include "parts/async.h"

struct s { int a, b; };
static async struct s make(int n) {
  struct s s = { n, later(n + 1) };
  return s;
}
static async double half(double d) { return d / later(2); }

static async int test(int first) {
  if (first) yield;
  auto i = later(3);
  auto d = half(5);
  auto s = make(7);
  auto p = &s;
  auto text = "text";
  auto c = 'x';
  const auto k = 9L;
  auto f = half;
  auto t = spawn make(20);
  yield;
  auto u = 1ull << 40;
  static auto st = 5;
  for (auto j = later(0); j < 2; j++) i += j;
  return i + (d == 2.5) * 10 + p->b * 100 + (text[1] == 'e') * 1000 + (sizeof c == sizeof(int)) * 10000 + (int)k * 100000 +
         (f(3) == 1.5) * 1000000 + (await t).b * 10000000 + (int)(u >> 40) + st;
}

async int main(void) {
  THREE(test);                    // expect: 211911820 211911820 211911820
}
