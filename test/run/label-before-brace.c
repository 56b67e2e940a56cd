// Labels before `}` and before declarations, as C23 allows and gcc and clang do.
// flags: -std=gnu2x -Wno-unused-label -Wno-unused-but-set-variable -Wno-c2x-extensions -Wno-pedantic
// only: gcc
#include <stdio.h>

static int f(int n) {
  int r = 0;
  switch (n) {
  case 0:
    int x = 5;
    r = x;
    goto out;
  case 1:
    static int calls = 10;
    r = ++calls;
    break;
  case 2:
  case 3: inner: struct s { int a; } s = {3};
    r += s.a;
    if (r < 9) goto inner;
    break;
  default:
  }
again:
  int y = r++;
  if (y < 3) goto again;
  while (r < 20) {
    if (r % 2) goto next;
    r += 100;
  next:
    r++;
  }
  { empty: }
  if (r < 0) { none: }
  if (r > 1000) { only: }
out:
  return r;
}

int main(void) {
  printf("%d %d %d\n", f(0), f(1), f(3));         // expect: 5 113 111
  return 0;
}
