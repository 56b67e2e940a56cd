// A parameter of which only a declaration in a block asks (`sizeof *p`), and one without a name, in a function that has many pauses and its frame from the beginning.
// flags: -std=c2x
#include <fermata.h>
#include <stdio.h>

struct pair {
  int a, b;
};

static void set(int *x) {
  ++*x;
}

#define CHECK(truth) void check(int failed[1 - 2 * !(truth)])

async int count(int n, const struct pair *p, const struct pair *(*more)[2], int) {
  struct pair own = { n, n };
  set(&own.a);
  yield;
  CHECK(sizeof own >= sizeof(*p));
  CHECK(sizeof own >= sizeof ***more);
  set(&own.a);
  yield;
  set(&own.b);
  yield;
  set(&own.a);
  yield;
  set(&own.b);
  yield;
  set(&own.a);
  yield;
  set(&own.b);
  yield;
  set(&own.a);
  yield;
  set(&own.b);
  yield;
  set(&own.a);
  yield;
  set(&own.b);
  return own.a * own.b;
}

async int main(void) {
  printf("%d\n", count(1, NULL, NULL, 4)); // expect: 42
  return 0;
}
