// A block from alloca cannot live across a pause.
#include <fermata.h>
#include <alloca.h>

async int later(int x);

async int a(int n) {
  int *p = alloca(n * sizeof *p);
  p[0] = n;
  yield;
  return p[0];
}

async int b(int n) {
  int *p = alloca(n * sizeof *p);
  p[0] = n;
  int k = later(1);
  return p[0] + k;
}
// error: 10:3: cannot be kept across a pause
// error: 17:11: cannot be kept across a pause
