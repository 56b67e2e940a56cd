// `atomic int f(int)`: its body is atomic, plain C may call it, and its pointers are plain function pointers.
#include "parts/async.h"

static int shared;
static async void other(void) {
  for (;;) {
    shared++;
    yield;
  }
}

atomic int quiet(int x);
static atomic void nothing(void) { yield; }
atomic int quiet(int x) {
  int before = shared;
  int n = later(x);
  yield;
  nothing();
  return n + (shared - before) * 1000;
}
static atomic int early(int x) {
  if (x) return later(x);
  for (;;) {
    yield;
    if (shared >= 0) return 100;
  }
}

static int plain(int x) { return quiet(x) + 1; }

async int main(void) {
  int (*p)(int) = quiet;
  spawn detached other();
  yield;
  printf("%d %d %d\n", quiet(1), plain(2), p(3)); // expect: 1 3 3
  printf("%d %d\n", early(5), early(0));    // expect: 5 100
}
