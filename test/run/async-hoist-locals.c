// Types, enumerators and static objects of a body that ask for the types of its variables: they mean what they mean in plain C.
#include <fermata.h>
#include <stdlib.h>

#define ZERO_IF(e) (sizeof(struct { int _ : 1 - 2 * !(e); }) * 0)
#define MUST_BE_ARRAY(a) ZERO_IF(!__builtin_types_compatible_p(__typeof__(a), __typeof__(&(a)[0])))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]) + MUST_BE_ARRAY(a))
#define READ_ONCE(x) ({ union { __typeof__(x) val; char c[sizeof(x)]; } u; u.val = *(volatile __typeof__(x) *)&(x); u.val; })
#define BUILD_BUG_ON(e) ((void)sizeof(char[1 - 2 * !!(e)]))
#define STATIC_ASSERT(e) void fm_asserted(int failed[1 - 2 * !(e)])

struct point { int x, y; };
struct holder { struct { short a, b; } in; struct { char c; } deep[3]; };

async int echo(int x) { yield; return x; }

static async int enums(int i) {                  // of an array, a parameter, a member, before and after a pause
  char buffer[48] = {(char)i};
  enum { SIZE = sizeof buffer, OF_I = sizeof i, LAST = SIZE - 1 };
  yield;
  struct point p = {i, 2};
  enum { MEMBER = sizeof p.x + sizeof(p), ALIGNED = _Alignof(__typeof__(p)) };
  buffer[LAST] = (char)echo(3);
  return SIZE + OF_I + MEMBER + ALIGNED + buffer[LAST] + buffer[0] + p.y;
}

static async int in_loops(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    long a[5] = {i};
    struct { __typeof__(a[0]) first; char name[sizeof a]; } s = {a[0] + 1, ""};
    yield;
    static int calls[ARRAY_SIZE(a)];
    sum += ++calls[i] + (int)s.first + (int)sizeof s.name;
    {
      char a[3];                                  // another one of that name
      enum { INNER = sizeof a };
      a[echo(1)] = 1;
      sum += INNER + a[1];
    }
    enum { OUTER = sizeof a };
    sum += OUTER;
  }
  return sum;
}

static async int goto_loop(int n) {
  int sum = 0;
again:;
  struct point *p = malloc(sizeof *p);
  enum { N = sizeof *p };
  p->x = n;
  yield;
  sum += p->x + N;
  free(p);
  if (--n) goto again;
  return sum;
}

static async int kernel(int i) {
  int a[7] = {i, 1, 2}, sum = 0;
  struct point p = {i, i + 1}, *q = &p;
  for (unsigned k = 0; k < ARRAY_SIZE(a); k++) {
    yield;
    sum += READ_ONCE(a[k]) + READ_ONCE(q->y) + READ_ONCE(i);
  }
  BUILD_BUG_ON(sizeof p != 8);
  STATIC_ASSERT(sizeof(q->x) == sizeof(a[0]));
  __typeof__(({ int t = i; (long)t; })) wide = echo(sum);
  struct { __typeof__(({ int t = i; (short)t; })) m; } narrow = {1};
  enum { OF_STATEMENTS = sizeof(({ int t = i; (char)t; })) };
  yield;
  return (int)wide + (int)sizeof narrow + OF_STATEMENTS;
}

static async long variable(int n) {
  int v[n];
  v[0] = n;
  struct { __typeof__(v[0]) x; } s = {v[0]};
  enum { ELEMENT = sizeof v[0] };
  static unsigned long size = sizeof(v[0]);
  yield;
  int (*rows)[n] = &v;
  struct { __typeof__((*rows)[0]) y; } r = {s.x + 1};
  yield;
  return s.x + r.y + ELEMENT + (long)size + (long)sizeof v;
}

static async int nameless(void) {                 // members without a tag
  struct { struct { int a; } in; union { int u; float f; }; struct { short q; } const fixed; } s = {{4}, {5}, {6}};
  __typeof__(s.in) copy = s.in;
  auto again = s.in;
  struct { __typeof__(copy) a; __typeof__(again) b; } both = {copy, again};
  static __typeof__(s.fixed) zero;
  yield;
  return copy.a + again.a + both.a.a * 10 + both.b.a + s.u + s.fixed.q + zero.q;
}

static async int statics(int i, const char *name) {
  char text[20] = "";
  static const unsigned sizes[] = {sizeof text, sizeof i, [3] = sizeof *name, sizeof __func__};
  static const char *const self = __func__;
  static _Alignas(sizeof(long)) char aligned[sizeof text] __attribute__((aligned(sizeof(double))));
  typedef char same[sizeof text];
  same other = "b";
  typedef __typeof__(other) *pointer;
  yield;
  pointer at = &other;
  aligned[0] = (char)(i + self[0] - 's');
  return (int)(sizes[0] + sizes[1] + sizes[3] + sizes[4]) + aligned[0] + (*at)[0] + text[0];
}

static async int prototypes(int n) {
  struct { char g[16]; } m = {"a"};
  int helper(int a[sizeof m.g], int b[n]);
  extern int abs(int);
  int (*f)(int a[sizeof m]) = NULL;
  yield;
  return (f ? 1 : abs(-2)) + (int)sizeof(int (*)(char [sizeof m.g])) + m.g[0];
}

static async int bodies(int n) {
  int total = 0;
  long shared[4] = {n};
  scope {
    activate {
      enum { COUNT = sizeof shared / sizeof *shared };
      struct { char c[sizeof shared]; } s;
      yield;
      total += COUNT + (int)sizeof s + (int)shared[0];
    }
    activate (n) {
      struct point *p = malloc(sizeof *p);
      struct { __typeof__(n) n; } s = {n};
      yield;
      p->x = s.n;
      total += p->x;
      free(p);
    }
  }
  auto j = job (n) {
    char local[6];
    enum { SIZE = sizeof local, OF_N = sizeof n };
    local[0] = 1;
    yield;
    return SIZE + OF_N + local[0];
  };
  total += await j;
  fm_job_free(j);
  atomic {
    struct { __typeof__(total) t; } s = {total};
    total = s.t + 1;
  }
  race {
  case n = echo(sizeof(struct { __typeof__(n) a, b; })): {
    struct { __typeof__(n) again; } s = {n};
    yield;
    total += s.again;
  }
  }
  return total;
}

static async int outer_type(struct holder *h) {   // of a structure at file scope, whose members have no tag
  __typeof__(h->in) in = h->in;
  enum { SIZE = sizeof h->deep, IN = sizeof in };
  yield;
  return in.a + in.b + SIZE + IN;
}

async int main(void) {
  printf("%d\n", enums(1));                       // expect: 74
  printf("%d\n", in_loops(3));                    // expect: 261
  printf("%d\n", goto_loop(4));                   // expect: 42
  printf("%d\n", kernel(5));                      // expect: 88
  printf("%ld\n", variable(6));                   // expect: 45
  printf("%d\n", nameless());                     // expect: 63
  printf("%d %d\n", statics(1, "x"), statics(2, "y")); // expect: 132 133
  printf("%d\n", prototypes(3));                  // expect: 107
  printf("%d\n", bodies(7));                      // expect: 70
  struct holder h = {{1, 2}, {{0}}};
  printf("%d\n", outer_type(&h));                 // expect: 10
  return 0;
}
