// A comma expression is one value wherever the translation puts it: behind `=`, among arguments, into a branch.
#include <errno.h>
#include <fermata.h>
#include <stdio.h>

struct bad { int code; };
static int g, h;

async int pv(int x) { yield; return x; }
async int fail(int e) { yield; return errno = e, -1; }
async int later(int e) { int x = pv(e); if (x > 3) return g = x, -1; return 0; }
async int first(int x) { return pv(0), x + 1; }
async void nothing(void) { return (void)(g = 1), pv(2), (void)(h = g + 1); }

int plain_defer(int e) { defer g = 0; return g = e, -1; }
int plain_throws(int e) throws(struct bad) { if (e > 100) throw (struct bad){e}; return g = e, -1; }
int plain_finally(int e) { try { return g = e, -1; } finally { g++; } }
int plain_atomic(int e) { atomic { return g = e, -1; } }
async int in_defer(int e) { defer pv(1); return g = e, -1; }
async int in_atomic(int e) { atomic { return g = e, -1; } }
async int in_try(int e) { try { yield; return g = e, -1; } finally { yield; } }
async int in_scope(int e) { scope { yield; return g = e, -1; } }
async int in_job(int e) { auto j = job (e) { yield; return g = e, -1; }; int r = await j; fm_job_free(j); return r; }
async int in_thrown(int e) {
  struct bad b = {-1}, other = {e};
  try { yield; throw g = e, other.code = e, b; } catch (struct bad caught) { return caught.code; }
}
async int in_arm(int e) { int n = 0; race { case n = (g = e, pv(-1)): break; } return n; }

async int middle(int i) { int r = i ? g = 7, pv(3) : pv(4); return r; }
async int middle_pauses(int i) { int r = i ? h = pv(7), 3 : 4; return r; }
async int middle_plain(int i) { return i ? g = 8, 3 : pv(4); }
async int of_block(int i) { int r = ({ yield; g = i, 5; }); return r; }
async int of_atomic(int i) { return ({ yield; g = i; atomic pv(i - 1); }); }
async int of_argument(int i) { return pv((g = i, 6)) + ({ yield; h = i, 1; }); }
async int of_subscript(int i) { int a[] = {1, 2, 3, 4}; return a[g = pv(i), i] + a[h = i, pv(1)]; }

async int main(void) {
  printf("%d ", fail(22));
  printf("%d ", later(5));
  printf("%d ", first(3));                                  // expect: -1 -1 4 2
  nothing();
  printf("%d\n", h);
  printf("%d %d %d ", plain_defer(5), plain_finally(5), plain_atomic(5));
  try { printf("%d\n", plain_throws(5)); } catch (struct bad b) { printf("%d\n", b.code); } // expect: -1 -1 -1 -1
  printf("%d ", in_defer(5));
  printf("%d ", in_atomic(5));
  printf("%d ", in_try(5));
  printf("%d ", in_scope(5));
  printf("%d ", in_job(5));
  printf("%d ", in_thrown(5));
  printf("%d\n", in_arm(5));                                // expect: -1 -1 -1 -1 -1 -1 -1
  printf("%d ", middle(1));
  printf("%d ", middle_pauses(1));
  printf("%d ", middle_plain(1));
  printf("%d ", of_block(9));
  printf("%d ", of_atomic(9));
  printf("%d ", of_argument(9));
  printf("%d\n", of_subscript(2));                          // expect: 3 3 3 5 8 7 5
  return 0;
}
