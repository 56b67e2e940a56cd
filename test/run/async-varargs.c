// Async functions that take `...`: lists are read, as often as one likes, before the first pause; what was read is kept.
// env: FERMATA_TICK=always
#include "parts/async.h"
#include <stdarg.h>

struct pair { int a; double b; };
struct large { long v[9]; };

// Arguments of every class, in registers and on the stack, each read twice.
static double one(va_list *ap) {
  double s = va_arg(*ap, int);
  s += va_arg(*ap, double);
  s += (double)va_arg(*ap, long double);
  struct pair p = va_arg(*ap, struct pair);
  struct large l = va_arg(*ap, struct large);
  s += p.a + p.b + (double)l.v[8];
  return s + *va_arg(*ap, int *);
}
static async int sum(int n, ...) {
  double all = 0, copied = 0;
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  for (int i = 0; i < n; i++) all += one(&ap);
  va_end(ap);
  for (int i = 0; i < n; i++) copied += one(&again);
  va_end(again);
  yield;
  return (int)(all * 10) * later(all == copied);
}
#define ARGS(i) i, i + 0.5, i * 2.0L, (struct pair){i, 0.25}, (struct large){{[8] = i}}, &(int){i}

// One list, begun three times, in a loop and in blocks; a parameter that lives in the frame comes last.
static async int often(int *at, int last, ...) {
  int s = 0;
  va_list ap;
  int *p = &last;
  for (int i = 0; i < 2; i++) {
    va_start(ap, last);
    for (int k; (k = va_arg(ap, int));) s = s * 2 + k;
    va_end(ap);
  }
  {
    va_list inner;
    va_start(inner, last);
    s = s * 10 + va_arg(inner, int);
    va_end(inner);
  }
  if (s < 0) {
    va_start(ap, last);
    s = va_arg(ap, int);
    va_end(ap);
    return s;
  }
  *at = later(s);
  *p += later(1);
  return *at + (last == 'b');
}

// The common shape of network code, by itself and through one that takes a va_list; a list that is never begun.
static async int write_text(const char *text, int n) {
  yield;
  printf("<%s>\n", text);
  return n;
}
static async int vsay(const char *f, va_list ap) {
  char b[100];
  int n = vsnprintf(b, sizeof b, f, ap);
  return write_text(b, n);
}
__attribute__((format(printf, 1, 2))) static async int say(const char *f, ...);
static async int say(const char *f, ...) {
  va_list ap, never;
  (void)never;
  va_start(ap, f);
  int n = vsay(f, ap);
  va_end(ap);
  return n;
}
static async int say_last(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  return vsay(f, ap);
}
static async int deferred(const char *f, ...) {
  char b[100];
  va_list ap;
  va_start(ap, f);
  defer va_end(ap);
  int n = vsnprintf(b, sizeof b, f, ap);
  return write_text(b, n);
}
static async int ignores(int x, ...) { return later(x) + later(x); }

// More pauses than a function with two bodies has.
static async int many(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = va_arg(ap, int);
  va_end(ap);
  x += later(1); x += later(1); x += later(1); x += later(1); x += later(1);
  x += later(1); x += later(1); x += later(1); x += later(1); x += later(1);
  return x;
}
static async int vmany(int n, va_list ap) {
  int x = va_arg(ap, int) + n;
  x += later(1); x += later(1); x += later(1); x += later(1); x += later(1);
  x += later(1); x += later(1); x += later(1); x += later(1); x += later(1);
  return x;
}
static async int through(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = vmany(n, ap) + later(n);
  va_end(ap);
  return x;
}

// The check of the stack is in the other one.
static async int step(int n);
static async int down(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int x = va_arg(ap, int);
  va_end(ap);
  return n ? step(n - 1) + x : 0;
}
static async int step(int n) { return down(n, 1) + 1; }

static async int test(int first) {
  if (first) yield;
  int at = 0, r = sum(2, ARGS(1), ARGS(2));
  r += sum(1, later(1), 1.5, 2.0L, (struct pair){1, 0.25}, (struct large){{[8] = later(1)}}, &(int){1});
  r += often(&at, 'a', 1, later(2), 3, 0);
  r += ignores(1, 2.0, "three") + many(1, 20) + through(1, 30);
  return r + at;
}
static async int text(int first) {
  if (first) yield;
  int n = say("%d %s", 1, "two") + say_last("%.1f %c", 2.5, later('x'));
  async int (*p)(const char *, ...) = n ? deferred : say;
  return n + p("%Lg %ld", 1.5L, 7L) + (*p)("-");
}
static async int begun(int x) { return say("%d", later(x)); }

static int plain(void) { return atomic say("plain %d", 1) + atomic sum(1, ARGS(3)); }

async int main(void) {
  THREE(test);                    // expect: 2359 2359 2359
  THREE(text);
  // expect: <1 two>
  // expect: <2.5 x>
  // expect: <1.5 7>
  // expect: <->
  // expect: <1 two>
  // expect: <2.5 x>
  // expect: <1.5 7>
  // expect: <->
  // expect: <1 two>
  // expect: <2.5 x>
  // expect: <1.5 7>
  // expect: <->
  // expect: 16 16 16
  printf("%d\n", plain());
  // expect: <plain 1>
  // expect: 224
  auto t = spawn begun(5);
  printf("%d\n", await t);
  // expect: <5>
  // expect: 1
  int n = 0;
  race {
    case n = say("%s", "arm"): printf("%d\n", n);
  }
  // expect: <arm>
  // expect: 3
  scope {
    activate { say("in %d", 1); } // expect: <in 1>
  }
  printf("%d\n", down(30000, 1)); // expect: 60000
  return 0;
}
