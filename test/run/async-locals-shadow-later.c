// Before its declaration a local does not hide the name of an outer variable, function, type or constant.
#include "parts/async.h"

static int x = 1000;
typedef char t;
enum { k = 7 };
static int f(void) { return 5; }

static async int test(int first) {
  if (first) yield;
  int sum = x + f() + (int)sizeof(t) + k;   // 1013
  x++;
  yield;
  int x = 1, f = 2, t = 3, k = 4;
  yield;
  sum += x + f + t + k;                     // 1023
  {
    int y = x;
    yield;
    int x = y + 10;                         // 11
    yield;
    sum += x;                               // 1034
  }
  sum += x;                                 // 1035
  return sum;
}

async int main(void) {
  int a = test(0), b = test(1), c = atomic test(0);
  printf("%d %d %d %d\n", a, b, c, x);      // expect: 1035 1036 1037 1003
}
