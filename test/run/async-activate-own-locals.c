// Variables of an activate's body keep their values across its pauses, whatever it assigns to those of the function around.
#include "parts/async.h"

async static void one(void) {
  int outer = 0;
  activate {
    int own = 5;
    yield;
    outer = 1;
    printf("%d\n", own); // expect: 5
  }
  yield; yield;
  printf("%d\n", outer); // expect: 1
}

async static int value(int n) {
  yield;
  return n;
}

async static void several(int a, int b) {
  int c = 0;
  activate {
    int x = value(1), y = value(2), z = value(3);
    c = 10;
    a = value(20);
    b = x;
    for (int i = 0; i < 2; i++) {
      int t = value(x + y);
      a += t;
      c = i;
      z += value(t);
    }
    printf("%d %d %d %d %d %d\n", a, b, c, x, y, z); // expect: 26 1 1 1 2 9
  }
}

async static void deeper(void) {
  int p = 1;
  activate {
    int q = 2;
    activate {
      int r = 3;
      yield;
      p = 10;
      yield;
      q = 20;
      printf("%d\n", r); // expect: 3
    }
    yield; yield; yield; yield;
    printf("%d\n", q);   // expect: 20
  }
}

async static void arms(void) {
  int n = 0, m = 0;
  race {
    case n = value(4): m = n;
    case m = value(value(value(5))): n = m;
  }
  printf("%d %d\n", n, m); // expect: 4 4
}

async int main(void) {
  one();
  several(1, 2);
  deeper();
  arms();
  return 0;
}
