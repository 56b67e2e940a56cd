// Builtins that take types or choose at compile time.
// flags: -Wno-unneeded-internal-declaration
#include <stddef.h>
#include <stdio.h>

struct in { char c; int v[5]; };
struct out { long l; struct in in[3]; union { struct { char deep; short s; }; int i; }; };
#define IS(x, t) __builtin_types_compatible_p(__typeof__(x), t)
#define KIND(x) __builtin_choose_expr(IS(x, int), 1, __builtin_choose_expr(IS(x, double), "double", (void)0))

static int sizes[__builtin_choose_expr(sizeof(long) == 8, 3, 4)];
static int lengths[__builtin_strlen("four") + (__builtin_constant_p(3) ? 1 : 2)];

int main(void) {
  printf("%d %s\n", KIND(5), KIND(1.0));          // expect: 1 double
  printf("%zu %zu\n", sizeof sizes, sizeof lengths); // expect: 12 20
  printf("%d%d%d%d\n", IS(1u, int), IS("a", char[2]), IS((int *)0, int *), IS(1, const int)); // expect: 0111
  printf("%zu\n", __builtin_offsetof(struct out, in[2].v[3])); // expect: 72
  printf("%zu %zu\n", offsetof(struct out, s), offsetof(struct out, i)); // expect: 82 80
  int i = 2;
  printf("%zu\n", offsetof(struct out, in[i].v[i + 1])); // expect: 72
  printf("%d %d\n", __builtin_popcount(255), __builtin_clz(1)); // expect: 8 31
  int over;
  printf("%d\n", __builtin_add_overflow(2147483647, 1, &over)); // expect: 1
  printf("%.0f %d\n", __builtin_fabs(-2.0), __builtin_isnan(__builtin_nan(""))); // expect: 2 1
  char buffer[8];
  __builtin_memset(buffer, 'x', 7);
  buffer[7] = 0;
  printf("%s %zu\n", buffer, __builtin_object_size(buffer, 0)); // expect: xxxxxxx 8
  char *room = __builtin_alloca(4);
  room[0] = 'r';
  printf("%c %d\n", *room, __builtin_ffs(8));     // expect: r 4
  if (i != 2) __builtin_unreachable();
  if (i == 3) __builtin_trap();
  return 0;
}
