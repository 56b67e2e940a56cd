// Where a computed goto leads is not known: nothing may have to be done on the way to any label whose address is taken.
#include <fermata.h>
int a(int n) {
  static const void *const t[] = { &&in, &&out };
  try { goto *t[n]; in: puts("in"); } finally { puts("finally"); }
out:
  return 2;
}
int b(void *p) { defer puts("d"); goto *p; }
int c(int n) {
  static const void *const t[] = { &&in, &&out };
  goto *t[n];
  try { in: puts("in"); } finally { puts("finally"); }
out:
  return 2;
}
atomic int d(int n) {
  static const void *const t[] = { &&one, &&two };
  goto *t[n];
  {
    defer puts("d");
  one:
    puts("one");
  }
two:
  return 3;
}
// error: 5:9: the target of this `goto` is not known
// note: 6:1: the target may be `out`
// error: 9:35: the target of this `goto` is not known
// error: 12:3: the target of this `goto` is not known
// note: 13:9: the target may be `in`
// error: 19:3: the target of this `goto` is not known
// note: 22:3: the target may be `one`
