// The scope of a variable begins before its value: a value that pauses (or throws) may name it, and not another of that name.
// env: FERMATA_TICK=off
#include <fermata.h>

struct bad { int n; };
struct fixed { const int a; void *self; };
struct pair { int a; void *self; };

static async int set(int *p) {
  *p = 3;
  yield;
  return *p + 4;
}
static async void *same(void *p) {
  yield;
  return p;
}
static async struct fixed fix(void *p) {
  yield;
  return (struct fixed){ 5, p };
}
static int plain(int *p) throws(struct bad) {
  if (*p == 1000) throw (struct bad){ 1 };
  *p = 40;
  return 2;
}

static int thrower(void) throws(struct bad) {
  int x = 1000;
  {
    int x = ({ x = 1; plain(&x) + x; });
    printf("%d\n", x);
  }
  return x;
}

static async void values(void) {
  int x = 100, n = 2;
  {
    int x = set(&x);
    printf("%d\n", x);
  }
  int *p = &x;
  {
    void *p = ({ yield; (void *)&p; });
    printf("%d\n", p == &p);
  }
  for (int n = set(&n); n < 9; n++) printf("n %d\n", n);
  int a = 1, b = set(&a) + a, c = set(&c) + b;
  printf("%d %d %d %d\n", a, b, c, *p);
  {
    const int x = set((int *)&x) + 1;
    void *p[] = { same(&p[1]), &p[0] };
    struct pair q = { .a = 6, .self = same(&q) };
    struct fixed f = { 8, same(&f) }, g = fix(&g);
    int (*v)[n] = same(&v);
    printf("%d %d %d %d %d %d %d %d %d %d\n", x, p[0] == &p[1], p[1] == &p[0], q.a, q.self == &q, f.a, f.self == &f, g.a, g.self == &g, (void *)v == &v);
  }
  {
    volatile int a = ({ yield; a = 4; yield; a + 1; });
    double b = ({ int b = set(&b); b + .5; });
    printf("%d %.1f\n", a, b);
  }
}

async int main(void) {
  values();
  atomic values();
  try {
    printf("%d\n", thrower());
  } catch (struct bad e) {
    printf("bad %d\n", e.n);
  }
  return 0;
}
// expect: 7
// expect: 1
// expect: n 7
// expect: n 8
// expect: 3 10 17 100
// expect: 8 1 1 6 1 8 1 5 1 1
// expect: 5 7.5
// expect: 7
// expect: 1
// expect: n 7
// expect: n 8
// expect: 3 10 17 100
// expect: 8 1 1 6 1 8 1 5 1 1
// expect: 5 7.5
// expect: 42
// expect: 1000
