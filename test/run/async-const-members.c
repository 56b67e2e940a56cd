// A struct with const members is a local, a parameter and a result like any other.
#include "parts/async.h"

struct fixed { const int id; int n; };
struct around { struct fixed f; const char *const name; };

static async struct fixed number(int id) {
  struct fixed f = { id, 2 * id };
  yield;
  f.n++;
  return f;
}

static async int sum(struct around a) {
  yield;
  return a.f.id + a.f.n;
}

static async int test(int first) {
  if (first) yield;
  const struct fixed f = number(4);
  struct around a = { number(5), "five" };
  const struct around b = { .f = f, .name = "four" };
  yield;
  return f.id + f.n * 10 + sum(a) * 1000 + sum(b) + number(6).n * 1000000 + (a.name[1] == 'i');
}

async int main(void) {
  THREE(test);                    // expect: 13016108 13016108 13016108
}
