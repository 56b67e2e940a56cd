// __auto_type takes the type of its value: decayed, unqualified, of any kind.
#include <stdio.h>

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })
struct s { int n; char c[5]; };
static int f(int x) { return x + 1; }

int main(void) {
  __auto_type i = 3;
  __auto_type d = 2.5f;
  const __auto_type text = "hello";
  int a[4] = {1, 2, 3, 4};
  __auto_type p = a;
  __auto_type g = f;
  __auto_type s = (struct s){7, "abcd"};
  static __auto_type kept = 5ul;
  const int ci = 1;
  __auto_type plain = ci;
  plain++;
  printf("%d %zu %s\n", i, sizeof d, text);       // expect: 3 4 hello
  printf("%zu %d %d\n", sizeof p, p[2], g(4));    // expect: 8 3 5
  printf("%d %s %zu %d\n", s.n, s.c, sizeof kept, plain); // expect: 7 abcd 8 2
  printf("%d %.1f\n", MAX(i, 9), MAX(1.5, MAX(0.5, 3.5))); // expect: 9 3.5
  for (__auto_type q = a; q < a + 4; q++) i += *q;
  printf("%d\n", i);                              // expect: 13
  __auto_type vla = ({ int n = 3; int v[n]; v[2] = 8; v[2]; });
  printf("%d\n", vla);                            // expect: 8
  return 0;
}
