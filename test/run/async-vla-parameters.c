// Parameters of variably modified type work across pauses, and their bounds are evaluated on entry.
#include "parts/async.h"

static async int trace(int n, int m, int a[n][m]) {
  int sum = 0, rows = n;
  n = m = 0;
  for (int i = 0; i < rows; i++) {
    yield;
    sum += a[i][i];
  }
  return sum + (int)sizeof a[0];
}

static async int test(int first) {
  if (first) yield;
  int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
  return trace(2, 3, a);
}

async int main(void) {
  THREE(test);                    // expect: 18 18 18
}
