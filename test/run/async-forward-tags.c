// Tags that a block mentions before it defines them.
#include <fermata.h>

struct later { char other; };                     // not the one that is meant below

static async int mutual(int i) {
  struct a { struct b *p; int v; } x = {.v = i};
  struct b { struct a *q; int w; } y = {&x, 2};
  x.p = &y;
  yield;
  return x.p->w + y.q->v;
}

static async int opaque(int i) {
  struct later;
  struct later *l;
  struct later { int v; } x = {i};
  l = &x;
  yield;
  return l->v;
}

static async int pointer_first(int i) {
  struct soon *l = NULL;
  union both *b;
  yield;
  struct soon { int v; struct soon *self; } x = {i, &x};
  union both { int i; float f; } u = {.i = 3};
  b = &u;
  l = &x;
  yield;
  return l->self->v + b->i;
}

static async int blocks(int n) {                  // each block has its own
  int sum = 0;
  for (int i = 0; i < n; i++) {
    struct t *p;
    struct t { int v; } x = {i};
    p = &x;
    yield;
    {
      struct t;
      struct t *q;
      struct t { char c[3]; } y = {"ab"};
      q = &y;
      yield;
      sum += (int)sizeof *q;
    }
    sum += p->v + (int)sizeof(struct t);
  }
  return sum;
}

static async int never(struct later *given) {     // not defined at all
  struct unknown *u = (struct unknown *)given;
  struct later;
  struct later *mine = (struct later *)given;
  yield;
  return u == (struct unknown *)mine;
}

static async int bodies(int n) {
  int sum = 0;
  scope {
    activate (n) {
      struct a { struct b *p; } x = {NULL};
      struct b { int w; } y = {n};
      x.p = &y;
      yield;
      sum += x.p->w;
    }
  }
  auto j = job (n) {
    enum e { ONE = 1, TWO };
    struct x { struct y *p; enum e e; } x;
    struct y { int w; } y = {n + TWO};
    x.p = &y;
    x.e = ONE;
    yield;
    return x.p->w + x.e;
  };
  sum += await j;
  fm_job_free(j);
  return sum;
}

async int main(void) {
  printf("%d %d %d\n", mutual(3), opaque(4), pointer_first(5)); // expect: 5 4 8
  printf("%d\n", blocks(3));                      // expect: 24
  printf("%d\n", never(&(struct later){1}));      // expect: 1
  printf("%d\n", bodies(6));                      // expect: 15
  return 0;
}
