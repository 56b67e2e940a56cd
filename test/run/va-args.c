// Variable arguments: every kind of type, va_copy, va_list passed on, as a member, in loops and expressions.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct small { char c; };
struct large { long a[4]; };
struct state { va_list ap; int n; };
typedef int (*callback)(int);

static int twice(int x) { return 2 * x; }
static long sum(int n, ...) {
  va_list ap, again;
  va_start(ap, n);
  va_copy(again, ap);
  long s = 0;
  for (int i = 0; i < n; i++) s += va_arg(ap, int);
  while (n--) s += 1000 * va_arg(again, int);
  va_end(again);
  va_end(ap);
  return s;
}
static int mixed(const char *kinds, ...) {
  int total = 0;
  va_list ap;
  va_start(ap, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i': total += va_arg(ap, int); break;
    case 'd': total += (int)va_arg(ap, double); break;
    case 'l': total += (int)va_arg(ap, unsigned long long); break;
    case 's': total += (int)strlen(va_arg(ap, const char *)); break;
    case 'S': total += va_arg(ap, struct small).c; break;
    case 'L': total += (int)va_arg(ap, struct large).a[3]; break;
    case 'f': total += va_arg(ap, callback)(5); break;
    case 'F': total += va_arg(ap, int (*)(int))(6); break;
    case 'a': total += (*va_arg(ap, int (*)[3]))[1]; break;
    case 'D': total += (int)va_arg(ap, long double); break;
    }
  }
  va_end(ap);
  return total;
}
static int pull(va_list *ap) { return va_arg(*ap, int); }
static int by_value(va_list ap) { return vprintf("%d-%s\n", ap); }
static int pass(int n, ...) {
  struct state s = {.n = n};
  va_start(s.ap, n);
  int r = pull(&s.ap) * 10 + va_arg(s.ap, int) + (va_arg(s.ap, int) ? va_arg(s.ap, int) : 0);
  by_value(s.ap);
  va_end(s.ap);
  return r;
}

int main(void) {
  int a[3] = {7, 8, 9};
  printf("%ld\n", sum(3, 1, 2, 3));               // expect: 6006
  printf("%d\n", mixed("idls", 1, 2.5, 3ull, "four")); // expect: 10
  printf("%d\n", mixed("SLfFaD", (struct small){1}, (struct large){{0, 0, 0, 2}}, twice, twice, &a, 4.0L)); // expect: 37
  printf("%d\n", pass(5, 1, 2, 1, 3, 42, "end")); // expect: 42-end
  // expect: 15
  return 0;
}
