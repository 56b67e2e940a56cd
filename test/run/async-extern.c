// Names that hide each other in blocks: behind a block with its own `extern`, prototype, typedef, constant, static variable, tag or
// label of that name, and at pauses within it, a local's name means what it means in C.
#include <fermata.h>
#include <stdio.h>
#include <stdlib.h>

int gv = 5, other = 50;
async int pv(int x) { yield; return x; }

async void object(void) {
  int gv = 1;
  yield;
  { extern int gv; gv++; yield; printf("%d ", gv); }
  printf("%d\n", gv);                                       // expect: 6 1
}

async void function(void) {
  int abs = 3;
  yield;
  { extern int abs(int); yield; printf("%d ", abs(-4)); }
  { int abs(int); printf("%d ", abs(-5)); yield; }
  printf("%d\n", abs);                                      // expect: 4 5 3
}

async void parameter(int gv, int other) {                   // the names of parameters, in every version
  for (int i = 0; i < 2; i++) {
    extern int other;
    extern int gv;
    gv += 10 + pv(i);
    other++;
    yield;
  }
  printf("%d %d ", gv, other);
  { extern int gv; gv = 5; }
  yield;
  printf("%d %d\n", gv, other);                             // expect: 7 8 7 8
}

async void nested(void) {                                   // and within the extern's block a local once more
  int gv = 1;
  yield;
  {
    extern int gv;
    yield;
    { int gv = 3; yield; printf("%d ", gv += pv(1)); }
    printf("%d ", gv);
    for (int gv = 0; gv < 2; gv++) { yield; printf("%d ", gv); }
  }
  int x = ({ extern int gv; yield; gv * pv(2); });
  printf("%d %d\n", gv, x);                                 // expect: 4 5 0 1 1 10
}

async void siblings(void) {
  { int gv = 1; yield; printf("%d ", gv); }
  { extern int gv; yield; printf("%d ", gv); }
  { long gv = 2; yield; printf("%ld ", gv); { extern int gv; yield; gv += 1; } printf("%ld ", gv); }
  printf("%d\n", gv);                                       // expect: 1 5 2 2 6
  gv = 5;
}

async void types(void) {                                    // what is moved to file scope, between two locals of the name
  int t = 1, e = 2, s = 3;
  yield;
  {
    typedef long t;
    enum { e = 7 };
    static int s = 8;
    t n = e + s++;
    yield;
    {
      int t = 10, e = 20, s = 30;
      yield;
      printf("%d %d %d ", t, e, s);
    }
    yield;
    printf("%ld %d %d %d ", n, (int)sizeof(t), e, s);
  }
  printf("%d %d %d\n", t, e, s);                            // expect: 10 20 30 15 8 7 9 1 2 3
}

async void tags(int n) {                                    // spaces of their own
  struct n { int n; } v = {n};
  yield;
  { union n { char c[9]; } n; n.c[0] = 3; yield; v.n += (int)sizeof n + n.c[0]; }
n: yield;
  if (n++ < 2) goto n;
  printf("%d %d\n", v.n, n);                                // expect: 13 3
}

async void volatiles(void) {                                // in the frame, under its own name
  volatile int gv = 1;
  int a[2] = {3, 4};
  yield;
  { extern int gv; yield; { extern int other; int a = other; yield; printf("%d %d ", gv, a); } }
  printf("%d %d\n", gv, a[1]);                              // expect: 5 50 1 4
}

async int many(int gv) {                                    // with one body for all
  int r = 0;
  for (int i = 0; i < 2; i++) {
    r += pv(1); r += pv(1); r += pv(1); r += pv(1);
    { extern int gv; r += pv(gv); yield; r += pv(gv); yield; }
    r += pv(gv); r += pv(gv); r += pv(gv); r += pv(gv);
  }
  return r;
}

async int main(void) {
  object();
  function();
  other = 8 - 2;
  parameter(7, 8);
  other = 50;
  nested();
  siblings();
  types();
  tags(1);
  volatiles();
  printf("%d\n", many(100));                                // expect: 828
  atomic object();                                          // expect: 6 1
  return 0;
}
