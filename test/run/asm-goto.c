// asm goto: control leaves through the labels named after the fourth colon.
#include <stdio.h>

static int sign(int x) {
#if defined __x86_64__ || defined __i386__
  asm goto("testl %0, %0\n\tjs %l[negative]\n\tjz %l2" : : "r"(x) : "cc" : negative, zero);
#else
  if (x < 0) goto negative;
  if (!x) goto zero;
#endif
  return 1;
negative:
  return -1;
zero:
  return 0;
}

static int loop(int n) {
  int rounds = 0;
again:
  rounds++;
  if (--n <= 0) return rounds;
  __asm__ __volatile__ goto("jmp %l0" :::: again);
  __builtin_unreachable();
}

int main(void) {
  printf("%d %d %d\n", sign(5), sign(-5), sign(0)); // expect: 1 -1 0
  printf("%d\n", loop(4));                        // expect: 4
  return 0;
}
