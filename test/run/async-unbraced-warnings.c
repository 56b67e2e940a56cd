// A pause behind the body of an `if` or a loop without braces is no misleading indentation.
// flags: -Wmisleading-indentation
#include "parts/async.h"

static async int halve(int n, int m) {
  if (n == 7)
    m = 1;
  if (n <= 0)
    return m;
  n = later(n);
  while (n > 5)
    n--;
  puts("halve");
  if (n == 5)
    m++;
  else
    m += 2;
  puts("more");
  return halve(n / 2, m);
}

async int main(void) {
  printf("%d\n", halve(2, 3));
  return 0;
}
// expect: halve
// expect: more
// expect: halve
// expect: more
// expect: 7
