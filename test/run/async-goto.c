// goto works across pauses: forward, backward, into and out of blocks, over declarations, out of nested loops.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int n = 0, sum = 0;
again:
  sum += later(++n);
  if (n < 4) goto again;                    // 10
  goto inside;
  while (sum < 1000) {
    int step = later(100);
    sum += step;
    yield;
  inside:
    sum += 7;                               // 17, 124, ...
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        int k = later(i * 3 + j);
        yield;
        if (k == 4) goto out;
        sum += k;                           // + 0 1 2 3
      }
  }
out:
  yield;
  if (sum < 100) {                          // 23, then 23 + 107 + 6
    int skip = 5;
    sum += skip;
    yield;
    goto inside_again;
  }
  return sum;
  {
    int never = 1;
  inside_again:
    never = later(2);
    sum += never;                           // 30
  }
  goto finish;
finish:
  return sum * 10 + n;
}

async int main(void) {
  THREE(test);                    // expect: 304 304 304
}
