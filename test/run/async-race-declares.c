// An arm may declare what it assigns, with any type; the variable is the arm's own.
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/sync.h>
#include <fermata/time.h>

typedef fm_chan(int) int_chan;
struct pair {
  int a, b;
};
struct fixed {
  const int n;
};
static async int number(int v) {
  fm_sleep(1);
  return v;
}
static async struct pair both(int a, int b) {
  fm_sleep(1);
  return (struct pair){ a, b };
}
static async struct fixed constant(int n) {
  fm_sleep(1);
  return (struct fixed){ n };
}
static async const char *text(void) {
  fm_sleep(1);
  return "text";
}

async int main(void) {
  int v = 7;
  race {
    case int v = number(3): printf("%d\n", v);  // expect: 3
    case fm_sleep(9): printf("no\n");
  }
  printf("%d\n", v);                            // expect: 7
  race {
    case auto w = number(v + 1): printf("%d\n", w + v);  // expect: 15
    case fm_sleep(9): printf("no\n");
  }
  race {
    case const long l = number(5): printf("%ld %zu\n", l, sizeof l);  // expect: 5 8
    case struct pair p = both(1, 2): printf("no %d\n", p.a);
  }
  race {
    case struct pair p = both(1, 2):
      yield;
      printf("%d %d\n", p.a, p.b);              // expect: 1 2
      break;
    case fm_sleep(9): printf("no\n");
  }
  race {
    case struct fixed f = constant(4): yield; printf("%d\n", f.n);  // expect: 4
    case fm_sleep(9): printf("no\n");
  }
  race {
    case const char *s = text(): puts(s);       // expect: text
    case fm_sleep(9): printf("no\n");
  }
  for (int i = 0; i < 2; i++) race {
    case int x = number(i):                     // each turn has its own
      fm_sleep(1);
      printf("turn %d\n", x);
      // expect: turn 0
      // expect: turn 1
    case int x = number(i): printf("no %d\n", x);
  }
  return 0;
}
