// ({ … }): values, void ones, nested, declarations inside, jumps out, in conditions and initializers, in macros.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) ({ __typeof__(a) t_ = (a); (a) = (b); (b) = t_; (void)0; })

struct point { int x, y; };

static int first_negative(const int *v, int n) {
  for (int i = 0; i < n; i++)
    (void)({ if (v[i] < 0) return i; 0; });
  return -1;
}

static int loops(int n) {
  int s = 0;
  while (({ s += n; n--; n > 0; })) {
    if (({ n == 2; })) continue;
    s += 100;
  }
  return s;
}

int main(void) {
  int a = 3, b = 8;
  printf("%d\n", MAX(a, MAX(b, 5)));              // expect: 8
  SWAP(a, b);
  printf("%d %d\n", a, b);                        // expect: 8 3
  int v[] = {4, 2, -1};
  printf("%d\n", first_negative(v, 3));           // expect: 2
  printf("%d\n", loops(4));                       // expect: 210
  struct point p = ({ struct point q = {1, 2}; q.x += 5; q; });
  printf("%d\n", p.x + ({ struct point q = {3, 4}; q; }).y); // expect: 10
  int f[] = {({ int k = 1; k <<= 4; k; }), [2] = ({ a; }) + ({ b; })};
  printf("%d %d %zu\n", f[0], f[2], sizeof f);    // expect: 16 11 12
  char *s = ({ static char text[] = "kept"; text; });
  puts(s);                                        // expect: kept
  int deep = ({ int x = ({ int y = ({ int z = 1; z + 1; }); y + 1; }); x + 1; });
  printf("%d\n", deep);                           // expect: 4
  ({ puts("void"); });                            // expect: void
  int out = ({ goto skip; a = 5; skip: 6; });
  printf("%d\n", out);                            // expect: 6
  printf("%d\n", (int)sizeof ({ (char)1; }));     // expect: 1
  printf("%d\n", ({ int r = 0; for (int i = 0; i < 4; i++) { if (i == 3) break; r += i; } r; })); // expect: 3
  switch (({ int k = 2; k; })) {
  case 1: puts("one"); break;
  case 2: puts("two");                            // expect: two
  }
  return 0;
}
