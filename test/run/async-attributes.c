// Async functions with all sorts of attributes behave as without them, with pauses and without.
// flags: -Wno-attributes
#include <fermata.h>
#include <stdlib.h>

#define A(...) __attribute__((__VA_ARGS__))

static async void p(void) { yield; }

static inline A(always_inline) async int inlined(int x) { p(); return x + 1; }
static async A(noinline, noclone) int apart(int x) { p(); return x + 1; }
static async int A(flatten) flat(int x) { p(); return inlined(x); }
static A(hot) async int hot(int x) { p(); return x + 1; }
static A(cold) async int cold(int x) { p(); return x + 1; }
static A(__pure__) async int pure(int x) { p(); return x + 1; }
static A(const) async int constant(int x) { return x + 1; }
static A(nothrow, leaf) async int quiet(int x) { p(); return x + 1; }
static A(unused) async int spare(int x) { p(); return x + 1; }
static A(used) async int used(int x) { p(); return x + 1; }
static A(malloc, alloc_size(2), warn_unused_result) async char *get(int c, size_t n) {
  p();
  char *s = malloc(n);
  if (s) s[0] = (char)c;
  return s;
}
static async char *A(noinline) same(char *x) { p(); return x; }
static A(returns_nonnull, nonnull(1, 2)) async char *first(char *a, char *b) { p(); return *a ? a : b; }

static struct pair { int a, b; } A(noinline) async two(int x);
static async struct pair two(int x) { p(); return (struct pair){x, x + 1}; }
static A(access(read_only, 1, 2)) async int sum(const int *v, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  p();
  return s;
}
#ifdef __x86_64__
typedef long long pack A(vector_size(32));
static A(target("avx2")) async long long wide(long long x) {
  long long out[4];
  p();
  {
    activate (x, out) { pack v = {x, x, x, x}; v += v; out[0] = v[3]; p(); out[1] = v[2]; }
  }
  pack v = {x, 1, 2, 3};
  v = v * v;
  p();
  out[2] = v[0];
  return out[2];
}
#else
static async long long wide(long long x) { p(); return x * x; }
#endif
static A(no_sanitize("undefined"), optimize("O1")) async int wraps(int x) { p(); return x + 1; }

static async int all(int x) {
  x = inlined(x);
  x = apart(x);
  x = flat(x);
  x = hot(x);
  x = cold(x);
  x = pure(x);
  x = constant(x);
  x = quiet(x);
  x = used(x);
  x = wraps(x);
  char *s = get('a', 2);
  x += *s == 'a';
  x += *first(same(s), s) == 'a';
  free(s);
  int v[] = {1, 2, 3};
  x += sum(v, 3);
  return two(x).b;
}

async int main(void) {
  printf("%d\n", all(0));                         // expect: 19
  printf("%d\n", atomic all(1));                  // expect: 20
  printf("%d\n", await spawn all(2));             // expect: 21
  printf("%lld\n", wide(5));                      // expect: 25
  return 0;
}
