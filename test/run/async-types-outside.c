// Calls of async functions of which only the type is wanted, outside of functions and in plain ones; f, *f and &f in values that are constant.
#include <fermata.h>

struct pair { long a, b; };
struct bad { int n; };
static async struct pair f(int x) { yield; return (struct pair){x, x}; }
static async int g(int x) { yield; return x; }
static __attribute__((unused)) async char h(int x) throws(struct bad) { if (x) throw (struct bad){x}; return 'h'; }
async struct pair (*const through)(int) = &f;

enum { SIZE = sizeof(f(1)), ALIGN = __alignof__(typeof(f(1))), OF_MEMBER = sizeof f(1).a, OF_CHAR = sizeof h(1), OF_POINTER = sizeof(through(1)) };
_Static_assert(sizeof(f(sizeof g(1))) == 16 && sizeof((f)(1)) == 16 && sizeof((*through)(1)) == 16, "sizes");
_Static_assert(_Generic(f(1), struct pair: 1, default: 0) && _Generic(g(1), int: 1, default: 0), "types");
_Static_assert(_Generic(&g, async int (*)(int): 1, default: 0) && _Generic(*g, async int (*)(int): 1, default: 0), "pointers");
_Static_assert(__builtin_types_compatible_p(typeof(h(1)), char) && sizeof(&f) == sizeof(void *) && sizeof(&*f) == sizeof(void *), "more");
int array[sizeof(f(1))], values[] = {[sizeof(g(1))] = 1};
struct members { char c[sizeof(f(1))]; typeof(f(1)) p; int bits : sizeof(g(1)); };
typedef int vector[sizeof(f(1))];
static typeof(f(1)) pair = {1, 2};
static typeof(through(1)) other = {3, 4};
_Alignas(typeof(f(1))) char aligned[3];
static async int takes(int a[sizeof(f(1))]) { yield; return a[0]; }

static async int (*one)(int) = *g, (*two)(int) = **g, (*three)(int) = &*g, (*four)(int) = *&g, (*five)(int) = &(g), (*six)(int) = (*g);
static async int (*table[])(int) = {g, &g, *g, **&g};
static const struct { async int (*p)(int); unsigned long n; } record = {.p = *g, .n = sizeof g(1)};

static int plain(int x) {
  static int kept = sizeof(f(1));
  typeof(g(1)) k = _Generic(f(1), struct pair: 1, default: 0);
  char a[sizeof(f(1))];
  switch (x) { case sizeof(f(1)): k++; break; default: break; }
  return k + kept + (int)sizeof a + (int)sizeof(h(1)) + (int)(sizeof(&g) == sizeof(void *));
}

async int main(void) {
  static int size = sizeof(f(1));
  printf("%d %d %d %d %d\n", SIZE, ALIGN, OF_MEMBER, OF_CHAR, OF_POINTER);                         // expect: 16 8 8 1 16
  printf("%zu %zu %zu %zu\n", sizeof array, sizeof values, sizeof(struct members), sizeof(vector)); // expect: 64 20 40 64
  printf("%ld %ld %zu %d\n", pair.b, other.a, sizeof aligned, takes((int[16]){5}));                // expect: 2 3 3 5
  int same = one == g && two == g && three == g && four == g && five == g && six == g && table[2] == table[3] && record.p == &g;
  printf("%d %d %lu\n", same, table[1](6), record.n);                                             // expect: 1 6 4
  printf("%d %d\n", plain(16), size + (int)(sizeof(&g) == sizeof(void *)));                        // expect: 36 17
  return 0;
}
