// __fm_thunk (parameters) { … }: an async function without a name, for macros of headers: types of variables around it are at hand, the
// variables are not. It is a pointer as any other, called in all versions.
// env: FERMATA_TICK=off
#include "parts/async.h"

struct point { int x; double y; };
struct bad { int n; };
typedef async void call(const void *f, const void *in, void *out) throws(fm_error);

static async double norm(struct point p) throws(struct bad) {
  yield;
  if (p.x < 0) throw (struct bad){ p.x };
  return p.x + p.y;
}
static double product(struct point p) { return p.x * p.y; }
static async int length(int *p) { return *p; }
static async void apply(call *c, const void *f, const void *in, void *out) throws(fm_error) { c(f, in, out); }

#define APPLY(word, T, f, in) \
  ({ __auto_type fun = (f); __auto_type arg = (in); T res; \
     call *c = __fm_thunk (const void *fm__fn, const void *fm__in, void *fm__out) { \
       *(__typeof__(res) *)fm__out = (*(__typeof__(fun) *)fm__fn)(*(const __typeof__(arg) *)fm__in); }; \
     word apply(c, &fun, &arg, &res); res; })

static double in_plain_code(void) throws(fm_error) {
  struct point p = { 3, 4 };
  return APPLY(run, double, norm, p) + APPLY(atomic, double, norm, p);
}

static async int in_async_code(int n) throws(fm_error) {
  struct local { int n[2]; } here = { { n, 5 } };
  struct point p = { n, 2 };
  double (*plain)(struct point) = product;
  printf("%g %g %g\n", APPLY(await, double, norm, p), APPLY(await, double, product, p), APPLY(await, double, plain, p));
  try {
    p.x = -1;
    (void)APPLY(await, double, norm, p);
  } catch (struct bad b) {
    printf("bad %d\n", b.n);
  }
  return APPLY(await, int, length, &here.n[1]);
}

int main(void) {
  try {
    printf("%g\n", in_plain_code());              // expect: 14
    printf("%d\n", run in_async_code(1));         // expect: 3 2 2
                                                  // expect: bad -1
                                                  // expect: 5
    printf("%d\n", atomic in_async_code(2));      // expect: 4 4 4
                                                  // expect: bad -1
                                                  // expect: 5
  } catch (fm_error *e) {
    fm_error_print(e, stdout);
  }
}
