// Vector types and _Complex parameters and results cross pauses.
#include "parts/async.h"

typedef int v4 __attribute__((vector_size(16)));

static async v4 add(v4 a, v4 b) {
  yield;
  return a + b;
}
static async float _Complex twice(float _Complex z) {
  yield;
  return z + z;
}

static async int test(int first) {
  if (first) yield;
  v4 v = { 1, 2, 3, later(4) };
  v = add(v, add(v, v));
  yield;
  float _Complex z = twice(1.5f);
  return v[0] + v[3] * 100 + (int)__real__ z * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 31203 31203 31203
}
