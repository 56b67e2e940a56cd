// An async function may return a pointer to an array, to a function or to an async function.
#include "parts/async.h"

static int data[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int plain(int x) { return x + 1; }

static async int (*row(int i))[3] {
  yield;
  return &data[i];
}
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
  int (*p)[3] = row(1);
  return (*p)[2] + (*row(later(0)))[1] * 10 + function()(later(2)) * 100 + async_function()(4) * 1000 + not_async()(5) * 10000;
}

async int main(void) {
  THREE(test);                    // expect: 54326 54326 54326
}
