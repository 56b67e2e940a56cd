// After `now`, `detached` and `contained` the function may stand in parentheses; a function of such a name can still be spawned.
#include <fermata.h>

static async int twice(int x) { printf("twice\n"); yield; return 2 * x; }
static async int contained(int x) { printf("contained\n"); return x; }

async int main(void) {
  auto t = spawn now (*twice)(1);       // expect: twice
  printf("spawned\n");                  // expect: spawned
  printf("%d\n", await t);              // expect: 2
  auto u = spawn contained(3);
  printf("spawned\n");                  // expect: spawned
  printf("%d\n", await u);
  // expect: contained
  // expect: 3
  atomic {
    auto v = spawn contained (twice)(2);
    printf("%d\n", await v);
    // expect: twice
    // expect: 4
  }
}
