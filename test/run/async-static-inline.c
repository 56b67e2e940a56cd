// Async functions may be static or inline, declared before, recursive, and unused.
// warn: ok
#include "parts/async.h"

static inline async int even(int n);
static async int odd(int n) {
  yield;
  return n == 0 ? 0 : even(n - 1);
}
static inline async int even(int n) { return n == 0 ? 1 : odd(n - 1); }

static inline async void unused(void) { yield; }
async static int swapped(int n) { return later(n); }
extern async int global(int n);
async int global(int n) { return n < 2 ? n : global(n - 1) + global(n - 2); }

async int main(void) {
  printf("%d %d\n", even(10), odd(10));                 // expect: 1 0
  printf("%d %d\n", atomic even(11), atomic odd(11));   // expect: 0 1
  printf("%d\n", swapped(5));                           // expect: 5
  printf("%d %d\n", global(15), atomic global(16));     // expect: 610 987
}
