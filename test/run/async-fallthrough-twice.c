// The attribute and the comment that says the same: gcc takes the attribute once only.
#include "parts/async.h"
#define no_break __attribute__((fallthrough));

static async int count(int op) {
  int n = 0;
  switch (op) {
  case 1:
    n += later(1);
    __attribute__((fallthrough)); /* fall through */
  case 2:
    n += 10;
    /* falls through */ no_break
  case 3:
    n += later(100);
    __attribute__((__fallthrough__)); // fallthrough
  case 4:
    n += 1000;
    // fall through
  default:
    n += later(10000);
  }
  return n;
}

atomic int at_once(int op) {
  int n = 0;
  switch (op) {
  case 1:
    n += later(1);
    __attribute__((fallthrough)); // fall through
  case 2:
    n += 10;
    /* fall through */ no_break
  default:
    n += later(100);
  }
  return n;
}

async int main(void) {
  printf("%d %d\n", count(1), count(3)); // expect: 11111 11100
  printf("%d %d\n", at_once(1), at_once(2)); // expect: 111 110
  return 0;
}
