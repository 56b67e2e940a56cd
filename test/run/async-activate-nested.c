// activate nests: an inner body shares the variables of all functions and bodies around it, parameters and statics too.
#include "parts/async.h"

static async int test(int first) {
  static int runs;
  if (first) yield;
  int a = 1, array[3] = { 0 };
  runs++;
  activate {
    int b = 2;
    yield;
    activate (b) {
      int c = 3;
      yield;
      b += 100;
      activate {
        yield;
        a += c + b;                         // 1 + 3 + 102
        array[1] += first + runs;
        c = 50;
      }
      yield;
      while (c != 50) yield;
      a += c;                               // 156
    }
    while (a < 156) yield;
    b++;
    array[2] = b;                           // 3: the copy was changed
  }
  while (!array[2]) yield;
  return a + array[1] * 1000 + array[2] * 100000;
}

async int main(void) {
  int x = test(0), y = test(1);
  printf("%d %d\n", x, y);        // expect: 301156 303156
}
