// activate runs its body as a child; named variables are copied when it is made, all others are shared by reference.
#include "parts/async.h"

struct point { int x, y; };

static async int test(int first) {
  if (first) yield;
  int i = 1, j = 2, shared = 0, sum = 0;
  struct point p = { 3, 4 };
  const char *s = "copied";
  activate (i, p, s) {
    yield;
    shared += i;                            // 1, though i is 100 by now
    i = 1000;                               // its own
    p.x = later(p.x) + p.y;
    shared += p.x * 10 + (s[0] == 'c') * 100; // 171
    j++;
  }
  i = 100;
  p.x = 0;
  s = "changed";
  while (!shared || shared < 171) yield;
  sum = shared * 1000 + i + j + p.x;        // 171000 + 100 + 3 + 0
  return sum;
}

async int main(void) {
  int a = test(0), b = test(1);
  printf("%d %d\n", a, b);        // expect: 171103 171103
}
