// Loops pause in each of their parts: for's init, condition and step, while's and do's condition; continue reaches the step.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  int sum = 0, k = 0;
  for (int i = later(1), n = later(6); later(i) < n; i += later(2)) {
    if (i == 3) continue;
    sum += i;                               // 1 + 5
  }
  while (later(k) < 5) {
    if (k++ == 2) continue;
    sum += 10;                              // 4 times
  }
  do {
    if (--k == 3) continue;
    yield;
    sum += 100;                             // k is 4, 2, 1
    if (k == 1) break;
  } while (later(k));
  for (;;)
    if (later(++k) > 3) break;
  do sum += 1000; while (later(0));
  while (later(0)) sum = -1;
  for (int i = 0, *p = &i; *p < 3; (*p)++, sum += later(100000)) later(0);
  return sum + k * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 341346 341346 341346
}
