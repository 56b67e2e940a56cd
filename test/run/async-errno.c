// errno is kept per activity across pauses; a call leaves it to its caller, as in C.
#include "parts/async.h"
#include <errno.h>

static async int keeps(int e) {
  errno = e;
  for (int i = 0; i < 3; i++) {
    yield;
    if (errno != e) return 0;
    errno = e;
  }
  return errno;
}

static async void fails(int e) {
  yield;
  errno = e;
  yield;
}

async int main(void) {
  task(int) t[4];
  for (int i = 0; i < 4; i++) t[i] = spawn keeps(10 + i);
  errno = 3;
  yield;
  printf("%d\n", errno);                    // expect: 3
  errno = 3;
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += await t[i];
    if (errno != 3) printf("lost\n");
  }
  printf("%d\n", sum);                      // expect: 46
  fails(7);
  printf("%d\n", errno);                    // expect: 7
  atomic fails(8);
  printf("%d\n", errno);                    // expect: 8
  atomic {
    spawn contained fails(9);
    auto u = spawn fails(10);
    await u;
    printf("%d\n", errno);                  // expect: 8
  }
  printf("%d\n", errno);                    // expect: 8
}
