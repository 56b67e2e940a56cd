// Async functions that return pointers to plain functions: the pointer's type has a name.
#include <fermata.h>

typedef int (*plain)(int);
typedef async int (*pausing)(int);
static int one(int x) { return x + 1; }
static async int two(int x) { yield; return x + 2; }
async plain get(int x) { yield; return x ? one : NULL; }
async pausing get_async(int x) { yield; return x ? two : NULL; }
async int (*pick(void))(int) { return two; }

async int main(void) {
  for (int i = 0; i < 2; i++) {
    plain p = get(i);
    yield;
    pausing q = get_async(i);
    printf("%d %d %d\n", p ? p(1) : 0, q ? q(1) : 0, pick()(i));
  }
  // expect: 0 0 2
  // expect: 2 3 3
  printf("%d %d\n", get(1)(5), get_async(1)(5));  // expect: 6 7
  return 0;
}
