// `typeof` of an async function and of its address, at file scope, in plain and in async functions.
#include <fermata.h>

static async int one(int x) { yield; return x + 1; }
static async int two(int x) { yield; return x + 2; }
__typeof__(one) *at_file_scope = two;
__typeof__(&one) address = one;
static int plain(void) {
  __typeof__(one) *f = two;
  __typeof__(&one) g = one;
  return f == two && g == one;
}

async int main(void) {
  __typeof__(one) *f = one;
  __typeof__(&two) g = two;
  printf("%d %d\n", at_file_scope(1), address(1)); // expect: 3 2
  printf("%d %d %d\n", f(1), g(1), plain());      // expect: 2 3 1
  return 0;
}
