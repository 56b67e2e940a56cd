// An async function may return a pointer to an array: its name stands inside the declarator.
#include "parts/async.h"

static int data[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static async int (*row(int i))[3] {
  yield;
  return &data[i];
}

static async int test(int first) {
  if (first) yield;
  int (*p)[3] = row(1);
  return (*p)[2] + (*row(later(0)))[1] * 10;
}

async int main(void) {
  THREE(test);                    // expect: 26 26 26
}
