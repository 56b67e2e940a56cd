// Functions whose frames look the same share what makes the frames: values of every type that fits
// a register come back as they were, from pauses in calls, with a slice that ends at every yield,
// and started through pointers, which no `spawn` of a name does.
// env: FERMATA_TICK=always
#include "parts/async.h"
#include <stdbool.h>
#include <stdio.h>

enum small { LOW = -3, HIGH = 100 };
enum big { ZERO, MANY = 4000000000u };
typedef int wide __attribute__((aligned(16)));
typedef int (*reader)(int);
struct pair {
  int a, b;
};

static int twice(int x) {
  return 2 * x;
}

// Three pauses, of which each keeps something else; `v` is read after all of them.
#define KEEPS(T, name)                   \
  async T name(T v, int by, T other) {   \
    T first = later(by) ? v : other;     \
    int more = later(by + 1);            \
    T second = more ? other : first;     \
    if (!later(more))                    \
      return other;                      \
    return second == other ? first : v;  \
  }
KEEPS(bool, keeps_bool)
KEEPS(signed char, keeps_schar)
KEEPS(unsigned char, keeps_uchar)
KEEPS(char, keeps_char)
KEEPS(short, keeps_short)
KEEPS(unsigned short, keeps_ushort)
KEEPS(int, keeps_int)
KEEPS(unsigned, keeps_uint)
KEEPS(long, keeps_long)
KEEPS(unsigned long, keeps_ulong)
KEEPS(long long, keeps_llong)
KEEPS(unsigned long long, keeps_ullong)
KEEPS(float, keeps_float)
KEEPS(double, keeps_double)
KEEPS(long double, keeps_ldouble)
KEEPS(enum small, keeps_small)
KEEPS(enum big, keeps_big)
KEEPS(wide, keeps_wide)
KEEPS(const char *, keeps_text)
KEEPS(int *, keeps_pointer)
KEEPS(reader, keeps_reader)

// Many, of all kinds, in no order; and two that are not kept.
async double mixed(char c, double d, int unused, short s, float f, long l, bool b, char *p,
                   int last) {
  double sum = later(c) + d;
  sum += later(s) + f;
  (void)unused;
  sum += later((int)l) + b;
  sum += later(p[1] - p[0]);
  return sum + last;
}

async void nothing(int *to, int v, short by) {
  v += later(by);
  *to = later(v);
}

async struct pair both(int a, int b) {
  struct pair p = { later(a), 0 };
  p.b = later(b);
  return p;
}

#define CALLED(name, v, other) (name(v, 1, other) == (v) && name(v, 1, v) == (v))
// Started by a pointer, in a frame.
#define STARTED(T, name, v, other)           \
  ({                                         \
    async T (*f_)(T, int, T) = name;         \
    auto t_ = spawn f_(v, 1, other);         \
    await t_ == (v);                         \
  })
#define RIGHT(T, name, v, other) (CALLED(name, v, other) && STARTED(T, name, v, other))

static async int integers(void) {
  int n = 0;
  n += RIGHT(bool, keeps_bool, true, false);
  n += RIGHT(signed char, keeps_schar, -128, 127);
  n += RIGHT(unsigned char, keeps_uchar, 255, 1);
  n += RIGHT(char, keeps_char, 'x', '\0');
  n += RIGHT(short, keeps_short, -32768, 5);
  n += RIGHT(unsigned short, keeps_ushort, 65535, 5);
  n += RIGHT(int, keeps_int, -2147483647 - 1, 5);
  n += RIGHT(unsigned, keeps_uint, 4294967295u, 5u);
  n += RIGHT(long, keeps_long, -2147483647L - 1, 5L);
  n += RIGHT(unsigned long, keeps_ulong, ~0ul, 5ul);
  n += RIGHT(long long, keeps_llong, -(1ll << 62), 5ll);
  n += RIGHT(unsigned long long, keeps_ullong, ~0ull, 5ull);
  n += RIGHT(enum small, keeps_small, LOW, HIGH);
  n += RIGHT(enum big, keeps_big, MANY, ZERO);
  n += RIGHT(wide, keeps_wide, -7, 7);
  return n;
}

static async int others(void) {
  static const char word[] = "text";
  int n = 0, x = 1, y = 2;
  n += RIGHT(float, keeps_float, -1.5f, 0.25f);
  n += RIGHT(double, keeps_double, 1e300, -1e-300);
  n += RIGHT(long double, keeps_ldouble, 1e300L, -1.0L);
  n += RIGHT(const char *, keeps_text, word, NULL);
  n += RIGHT(int *, keeps_pointer, &x, &y);
  n += RIGHT(reader, keeps_reader, twice, NULL);
  return n;
}

async int main(void) {
  int to = 0;
  char text[] = "ad";
  printf("%d\n", integers()); // expect: 15
  printf("%d\n", others());   // expect: 6
  double sum = mixed(1, 0.5, 9, -2, 0.25f, 40, true, text, 1000);
  printf("%.2f\n", sum); // expect: 1043.75
  async double (*m)(char, double, int, short, float, long, bool, char *, int) = mixed;
  auto t = spawn m(1, 0.5, 9, -2, 0.25f, 40, true, text, 1000);
  sum = await t;
  printf("%.2f\n", sum); // expect: 1043.75
  nothing(&to, 40, 2);
  async void (*no)(int *, int, short) = nothing;
  int again = 0;
  auto u = spawn no(&again, 40, -2);
  await u;
  printf("%d %d\n", to, again); // expect: 42 38
  async struct pair (*two)(int, int) = both;
  auto v = spawn two(3, 4);
  struct pair p = await v, q = both(5, 6);
  printf("%d %d %d %d\n", p.a, p.b, q.a, q.b); // expect: 3 4 5 6
  return 0;
}
