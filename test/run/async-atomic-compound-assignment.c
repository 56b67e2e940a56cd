// Also in an atomic, all of e in `x op= e` is done before x is read: updates by what it waits for are not lost.
#include "parts/async.h"

static int shared, array[2], index_;
static async int child(int n) {
  yield;
  shared += 100;
  index_ = 1;
  return n;
}
static async int f(int n) {
  auto t = spawn child(n);
  return await t;
}
static async void body(void) {
  auto t = spawn child(1);
  shared += await t;
  shared += f(2);
  shared -= (f(3), 1) + 0;
  index_ = 0;
  array[index_] += f(4);
}

async int main(void) {
  body();
  printf("%d %d\n", shared, array[1]);      // expect: 402 4
  shared = array[1] = 0;
  atomic body();
  printf("%d %d\n", shared, array[1]);      // expect: 402 4
  shared = array[1] = 0;
  atomic {
    auto t = spawn child(1);
    shared += await t;
    shared += f(2);
  }
  printf("%d\n", shared);                   // expect: 203
}
