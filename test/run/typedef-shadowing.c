// One name in many roles: what a word means depends on the innermost declaration and on the name space.
// flags: -Wno-gnu-designator
#include <stdio.h>

typedef int T;
typedef struct S { int S; } S;
typedef char name[4];
struct T { T T; };
union U { int T; };
T var = 3;

static int variable(void) {
  T T = 5;                                        // from here T is a variable
  int a = T * T;                                  // a product
  return a + (T) + (T)-1 + sizeof (T) * 0;
}
static int pointer(void) {
  int a = 6;
  T *p = &a;                                      // a declaration
  return (T)*p + (T)-1 + (T)+2;                   // casts
}
static int label(int n) {
T:
  if (n-- > 3) goto T;
  T x = n;
S:;
  if (x < 0) goto S;
  return x;
}
static int parameter(T T, int S) { return T * S; }
static int unnamed(int(T));                       // a function that takes a function
static int unnamed(int f(T)) { return f(4); }
static int twice(T t) { return t * 2; }
static int loops(void) {
  int s = 0;
  for (T T = 0; T < 3; T++) s += T;
  for (T i = 0; i < 2; i++) { S S = {i}; s += S.S; }
  return s;
}
static int enumerator(void) {
  enum { T = 40, name };
  int v[name] = {[T] = 2};
  return T + v[T] + (int)(sizeof v / sizeof *v) - name;
}
static int members(void) {
  struct T t = {.T = 7};
  union U u = {T: 8};
  struct { T T, S, name; unsigned T2 : 3; T : 2; } m = {1, 2, 3, 4};
  return t.T + u.T + m.T * m.S + m.name + m.T2;
}
static int inner(void) {
  typedef double T;
  struct S { T T; char c; };
  typedef struct S S;
  return (int)sizeof(S) + (int)sizeof(struct S) + (int)sizeof((T)1);
}
static int until_end(void) {
  int r = 0;
  { int T = 1; r += T; }
  { T T = 2; r += T; { typedef char T; r += (int)sizeof(T); } r += T; }
  T back = 10;
  return r + back;
}
static int own_scope(T n) {
  extern T var;
  unsigned T = 1, S = T + 1;                      // `unsigned T` declares T
  const name text = "abc";
  int (*f)(int) = twice, (*g)(int (T2)) = twice;
  return (int)(n + var + T + S + text[0]) + f(1) + g(2);
}

int main(void) {
  printf("%d\n", variable());                     // expect: 34
  printf("%d\n", pointer());                      // expect: 7
  printf("%d\n", label(9));                       // expect: 2
  printf("%d\n", parameter(6, 7));                // expect: 42
  printf("%d\n", unnamed(twice));                 // expect: 8
  printf("%d\n", loops());                        // expect: 4
  printf("%d\n", enumerator());                   // expect: 42
  printf("%d\n", members());                      // expect: 24
  printf("%d\n", inner());                        // expect: 40
  printf("%d\n", until_end());                    // expect: 16
  printf("%d\n", own_scope(1));                   // expect: 110
  return 0;
}
