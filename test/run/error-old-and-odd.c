// K&R parameters, return of a void call, Duff's device, recursion, headings of for.
#include <fermata.h>
struct bad { int v; };
static int fail(int n) throws(struct bad) { if (n) throw (struct bad){n}; return 0; }
static void k(n, p) int n; int *p; { defer ++*p; try { if (n) return; *p = 10; } finally { ++*p; } }
static void nothing(void) throws(struct bad) { return (void)fail(2); }
static int duff(int n) throws(struct bad) {
  int r = 0, i = 0;
  switch (n % 4) { case 0: do { r++; __attribute__((fallthrough)); case 3: r++; fail(i > 1 ? r : 0); __attribute__((fallthrough)); case 2: r++; __attribute__((fallthrough)); case 1: r++; } while (++i < n); }
  return r;
}
struct node { struct node *next; int v; };
static int walk(struct node *n) throws(struct bad) { defer n->v = 0; if (!n->next) { fail(n->v); return 1; } return walk(n->next) + 1; }
int main(void) {
  int p = 0; k(0, &p); printf("%d ", p); k(1, &p); printf("%d\n", p);
  try { nothing(); } catch (struct bad e) { printf("%d\n", e.v); }
  try { printf("%d\n", duff(1)); printf("%d\n", duff(6)); } catch (struct bad e) { printf("bad %d\n", e.v); }
  struct node c = {0, 5}, b = {&c, 6}, a = {&b, 7};
  try { walk(&a); } catch (struct bad e) { printf("%d %d %d %d\n", e.v, a.v, b.v, c.v); }
  try { for (int i = fail(0); i < 2; i += 1 + fail(0)) printf("%d ", i); puts(""); } catch (struct bad e) { (void)e; }
}
// expect: 12 14
// expect: 2
// expect: 1
// expect: bad 8
// expect: 5 0 0 0
// expect: 0 1 
