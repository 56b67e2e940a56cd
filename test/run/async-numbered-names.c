// Variables of one name are told apart by numbers in the generated C. Names of the program that
// look like these stay the program's own.
#include "parts/async.h"

static async int numbered(int n) {
  int x = 1, x__2 = 100, x__3 = 200, x__4 = 300, x__5 = 400, x__6 = 500, x__7 = 600, x__8 = 700,
      x__9 = 800, x__10 = 900, x__11 = 1000, x__12 = 1100;
  for (int i = 0; i < n; i++) {
    int x = i * 10;
    yield;
    {
      int x = 5;
      yield;
      x__2 += x;
      x__9 += x, x__10 += x, x__11 += x, x__12 += x;
    }
    x__3 += x, x__4++, x__5++, x__6++, x__7++, x__8++;
    yield;
  }
  return x + x__2 + x__3 + x__4 + x__5 + x__6 + x__7 + x__8 + x__9 + x__10 + x__11 + x__12;
}

static async long words(int n) {              // names that --emit-c gives to its own things
  long frame = 1, domain = 2, state = 3, value_1 = 4, value_2 = 5, head = 6, result = 7, outer = 8;
  for (int i = 0; i < n; i++) {
    frame += later(i) + later(1);
    yield;
    domain += frame, state += domain, value_1++, value_2 += value_1, head++, result++, outer++;
  }
  return frame + domain + state + value_1 + value_2 + head + result + outer;
}

async int main(void) {
  printf("%d\n", numbered(3));                // expect: 6721
  printf("%ld\n", words(3));                  // expect: 112
  return 0;
}
