// Awaiting a task a second time is a clear run-time error, not a dangling pointer.
// status: 1
#include "parts/async.h"

async int main(void) {
  auto t = spawn later(3);
  printf("%d\n", await t);        // expect: 3
  printf("%d\n", await t);
  printf("never\n");
}
