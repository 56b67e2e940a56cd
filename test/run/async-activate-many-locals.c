// The body of an activate uses variables of a function that has hundreds of them, and few of its own.
#include "parts/async.h"

#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
#define ONE(n) int v##n = 1; yield; sum += v##n;

static int plain(int x) { return x; }

async static int many(void) {
  int sum = 0;
  HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4) HUNDRED(5)
  {
    int a = 1, b = 2, c = 3;
    activate {
      int own = plain(a);
      yield;
      own += plain(b);
      yield;
      if (plain(own)) c += plain(own);
      yield;
      sum += plain(c);
    }
  }
  return sum;
}

async int main(void) {
  printf("%d\n", many()); // expect: 506
  return 0;
}
