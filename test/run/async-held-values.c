// The value of a call that has ended when the slice is over: it waits in a frame of the runtime, or
// in the function's own. With every yield taken, each call below ends that way.
// env: FERMATA_TICK=always
#include <fermata.h>
#include <stdio.h>
#include <string.h>

struct pair {
  long a, b;
};
struct large {
  int at[12];
};
struct failure {
  int got;
};

static volatile int never;

// Functions that may pause, but do not.
#define MAKE(T, name, value) \
  static async T name(int n) { \
    if (never) \
      yield; \
    return value; \
  }
MAKE(_Bool, a_bool, n & 1)
MAKE(signed char, a_char, (signed char)-n)
MAKE(unsigned short, a_short, (unsigned short)(n * 1000))
MAKE(int, an_int, -n)
MAKE(unsigned long long, a_long, (unsigned long long)n << 40)
MAKE(float, a_float, (float)n / 4)
MAKE(double, a_double, n / 8.0)
MAKE(long double, a_long_double, n / 16.0L)
MAKE(__int128, an_int128, (__int128)n << 90)
MAKE(double _Complex, a_complex, n + n * 2.0i)
MAKE(long double _Complex, a_wide_complex, n - n * 2.0i)
MAKE(const char *, a_pointer, &"abcdefgh"[n])
MAKE(struct pair, a_pair, ((struct pair){ n, -n }))
MAKE(struct large, a_large, ((struct large){ { [11] = n } }))
static async void nothing(int n) {
  if (never == n)
    yield;
}

// ---- all types, in a function with one text and in small ones ----
static async void all(int n) {
  _Bool b = a_bool(n);
  signed char c = a_char(n);
  unsigned short s = a_short(n);
  int i = an_int(n);
  unsigned long long l = a_long(n);
  nothing(n);
  float f = a_float(n);
  double d = a_double(n);
  long double ld = a_long_double(n);
  __int128 wide = an_int128(n);
  double _Complex z = a_complex(n);
  long double _Complex y = a_wide_complex(n);
  const char *p = a_pointer(n);
  struct pair q = a_pair(n);
  struct large g = a_large(n);
  printf("%d %d %d %d %llu %g %g %Lg %d %g %g %Lg %s %ld %ld %d\n", b, c, s, i, l >> 40, f, d, ld,
         (int)(wide >> 90), __real__ z, __imag__ z, __imag__ y,
         p, q.a, q.b, g.at[11]);
}

static async double sum(int n) {
  return a_float(n) + a_double(n) * 2;
}
static async int chosen(int n) {
  return an_int(n) < -2 ? a_short(n) : a_char(n);
}
static async int nested(int n) {
  return an_int(an_int(an_int(n)));
}

// ---- a variable that another activity changes: the assignment comes before the yield ----
static int *seen;
static async void watch(void) {
  while (!seen || *seen == 0)
    yield;
  *seen += 2;
}
static async void shared(void) {
  int x = 0;
  seen = &x;
  x = an_int(-5);
  for (int i = 0; i < 20 && x == 5; i++)
    yield;
  printf("shared %d\n", x);
}

// ---- errors: the value of a call that has ended is not lost, nor taken twice ----
static async int fails(int n) throws(struct failure) {
  int got = an_int(n);
  if (got < -2)
    throw (struct failure){ got };
  return got;
}
static async void caught(void) {
  int kept = 1;
  for (int i = 1; i < 5; i++)
    try {
      kept = fails(i);
    } catch (struct failure e) {
      printf("caught %d, kept %d\n", e.got, kept);
    }
}

// ---- an arm that has got its value wins, although it is interrupted then ----
static async int arm(int n, int turns) {
  for (int i = 0; i < turns; i++)
    yield;
  return an_int(n);
}
static async void raced(void) {
  race {
    case int v = arm(1, 0): printf("first %d\n", v);
    case int v = arm(2, 9): printf("second %d\n", v);
  }
}

// ---- deep recursion: each level holds one ----
static async long deep(int n) {
  return n == 0 ? 0 : deep(n - 1) + an_int(-n);
}

async int main(void) {
  all(1);
  // expect: 1 -1 1000 -1 1 0.25 0.125 0.0625 1 1 2 -2 bcdefgh 1 -1 1
  scope {
    spawn all(2);
    // expect: 0 -2 2000 -2 2 0.5 0.25 0.125 2 2 4 -4 cdefgh 2 -2 2
    spawn all(3);
    // expect: 1 -3 3000 -3 3 0.75 0.375 0.1875 3 3 6 -6 defgh 3 -3 3
  }
  printf("%g\n", sum(4));             // expect: 2
  printf("%d ", chosen(2));
  printf("%d\n", chosen(3));          // expect: -2 3000
  printf("%d\n", nested(6));          // expect: -6
  scope {
    spawn watch();
    shared();                         // expect: shared 7
  }
  caught();                           // expect: caught -3, kept -2
                                      // expect: caught -4, kept -2
  raced();                            // expect: first -1
  printf("%ld\n", deep(2000));        // expect: 2001000
  return 0;
}
