// spawn in(node) of an activity that has ended is a checked error.
// status: 1
#include "parts/async.h"

static fm_activity gone;
static async void quick(void) { gone = fm_self(); }

async int main(void) {
  auto t = spawn quick();
  await t;
  printf("ended\n");              // expect: ended
  spawn in(gone) quick();
  printf("never\n");
}
