// An async function may return a pointer to a function or to an async function; so may a plain one.
#include "parts/async.h"

static int plain(int x) { return x + 1; }

typedef int (*plain_fn)(int);
typedef async int (*async_fn)(int);
static async plain_fn function(void) {
  yield;
  return plain;
}
static async async_fn async_function(void) {
  yield;
  return later;
}
static async_fn not_async(void) { return later; }

static async int test(int first) {
  if (first) yield;
  return function()(later(2)) * 100 + async_function()(4) * 1000 + not_async()(5) * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 54300 54300 54300
}
