// defer belongs to its block: in a loop it runs at the end of each turn, in a branch at the end of the branch.
#include <fermata.h>

int main(void) {
  for (int i = 0; i < 3; i++) {
    defer printf("d%d ", i);
    if (i == 1) continue;
    printf("b%d ", i);
  }
  puts("");                       // expect: b0 d0 d1 b2 d2 
  int n = 0;
  do { defer n++; if (n == 2) break; } while (n < 5);
  while (n < 6) { defer { n++; printf("%d ", n); } }
  if (n) { defer printf("c\n"); printf("a b "); }
  // expect: 4 5 6 a b c
  { defer puts("3"); { defer puts("1"); } defer puts("2"); }
  // expect: 1
  // expect: 2
  // expect: 3
}
