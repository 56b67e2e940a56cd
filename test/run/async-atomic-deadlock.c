// An atomic that waits for something that only a held activity could do is reported as a deadlock: status 1, not a hang.
// status: 1
#include "parts/async.h"

static async int slow(int x) {
  yield;
  yield;
  return x;
}

async int main(void) {
  auto t = spawn slow(3);
  yield;                          // it has begun: it is held during the atomic
  printf("begin\n");              // expect: begin
  atomic printf("%d\n", await t);
  printf("never\n");
}
