// sizeof of a variable length type evaluates its bound, which may pause.
#include "parts/async.h"

static async int test(int first) {
  if (first) yield;
  return (int)sizeof(char[later(5)]) + (int)sizeof(int[later(2)][later(3)]) / (int)sizeof(int) * 10;
}

async int main(void) {
  THREE(test);                    // expect: 65 65 65
}
