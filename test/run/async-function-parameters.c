// Parameters of function type are pointers to async functions: spelled out, by a typedef, without a name, in plain functions too.
#include <fermata.h>

typedef async int fn(int);
static async int one(int x) { yield; return x + 1; }
static async int twice(async int f(int), int x) { return f((*f)(x)); }
static async int by_name(fn f, fn (g), int x) { return f(g(x)); }
static async int higher(async int f(async int g(int), int), int x) { return f(one, x); }
int same(fn, async int (int));
int same(fn f, async int g(int)) { return f == g; }
struct ops { async int (*f)(async int g(int), int x); fn *g; };

async int main(void) {
  struct ops o = { twice, one };
  printf("%d %d %d\n", twice(one, 1), by_name(one, *one, 2), higher(twice, 3)); // expect: 3 4 5
  printf("%d %d\n", same(one, one), o.f(o.g, 4)); // expect: 1 6
  return 0;
}
