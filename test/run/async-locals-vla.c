// Variable length arrays live across pauses: contents, sizeof, two dimensions, pointers to them, anew each time round a loop.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int n = later(4);
  int a[n], m[n][n + 1];
  for (int i = 0; i < n; i++) a[i] = later(i);
  m[3][4] = 5;
  n = 100;                                  // changes nothing
  int (*row)[sizeof m[0] / sizeof m[0][0]] = &m[3];
  yield;
  int sum = a[0] + a[1] + a[2] + a[3];      // 6
  sum += (int)(sizeof a / sizeof *a) * 10 + (int)(sizeof m / sizeof **m) * 100 + (*row)[4] * 10000;
  for (int k = 1; k < 4; k++) {
    char text[k];
    text[k - 1] = (char)k;
    yield;
    sum += (int)sizeof text * 100000 + text[k - 1] * 1000000;
  }
  return sum;
}

async int main(void) {
  THREE(test);                    // expect: 6652046 6652046 6652046
}
