// A label's address cannot live across a pause.
#include <fermata.h>

async int later(int x);

async int a(int n) {
  void *to = n ? &&one : &&two;
  n = later(n);
  goto *to;
one:
  return 1;
two:
  return 2;
}
// error: 8:7: cannot be kept across a pause
