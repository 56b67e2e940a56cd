// A completion inside the function itself: the caller does not wait. Values of all kinds; through pointers; spawned; atomic.
#include <fermata.h>
struct wide { long a[9]; };
static asyncdirect int twice(int x, fm_completion(int) *k) { fm_complete(k, 2 * x); }
static asyncdirect struct wide many(int x, fm_completion(struct wide) *k) {
  struct wide w = { { 0 } };
  w.a[8] = x;
  fm_complete(k, w);
}
static asyncdirect void nothing(fm_completion(void) *k) { fm_complete(k); }
static asyncdirect const char *text(fm_completion(const char *) *k) { fm_complete(k, "text"); }
async int main(void) {
  async int (*p)(int) = twice;
  task(int) t = spawn twice(4);
  nothing();
  spawn nothing();
  printf("%d %d %ld %s\n", twice(3), p(5), many(7).a[8], text()); // expect: 6 10 7 text
  printf("%d %d %d\n", await t, atomic twice(8), twice(twice(1) + twice(2))); // expect: 8 16 12
  return 0;
}
