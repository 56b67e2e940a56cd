// __label__: the same label in many blocks and macros; in statement expressions; with computed goto.
#include <stdio.h>

#define FIND(v, n, what) ({            \
  __label__ out;                       \
  int at_ = -1;                        \
  for (int i_ = 0; i_ < (n); i_++)     \
    if ((v)[i_] == (what)) {           \
      at_ = i_;                        \
      goto out;                        \
    }                                  \
  out: at_;                            \
})

static int blocks(int n) {
  int s = 0;
  {
    __label__ next, done;
    next: if (n-- <= 0) goto done;
    s += n;
    goto next;
    done:;
  }
  {
    __label__ next;
    __label__ done;
    void *p = &&next;
    goto *p;
    done: s += 1000;
    next: s += 1;
    if (s < 1000) goto done;
  }
  return s;
}

int main(void) {
  int v[] = {4, 5, 6};
  printf("%d %d\n", FIND(v, 3, 6), FIND(v, 3, 7)); // expect: 2 -1
  printf("%d\n", FIND(v, FIND(v, 3, 6) + 1, 5));  // expect: 1
  printf("%d\n", blocks(4));                      // expect: 1008
  return 0;
}
