// In an atomic a deadlock is thrown by its await, or in an activity that it contains.
#include "parts/async.h"

static async int slow(int x) {
  yield;
  yield;
  return x;
}

static async void in_vain(fm_activity whom) {
  try {
    fm_join(whom);
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("contained\n");
  }
}

static async int test(int first) {
  int n = 7;
  auto t = spawn slow(3), kept = fm_share(t);
  yield;                          // it has begun: it is held during the atomic
  try {
    atomic n = await t;
  } catch (struct fm_deadlock d) {
    (void)d;
    printf("atomic\n");
  }
  atomic {
    spawn contained in_vain(fm_id(kept));
  }
  return n + await kept + first;
}

async int main(void) {
  printf("%d\n", await test(0));
}
// expect: atomic
// expect: contained
// expect: 10
