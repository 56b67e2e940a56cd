// Every exit of a scope waits for its children: end, return, break, continue, goto.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int ended;

async static void child(void) {
  fm_sleep(10);
  ended++;
}

async static int leaves(int how) {
  for (int i = 0; i < 2; i++) {
    scope (s) {
      spawn child();
      spawn child();
      if (how == 1) return 100;
      if (how == 2) break;
      if (how == 3) continue;
      if (how == 4) goto out;
    }
    if (how == 0) printf("end: %d\n", ended);
  }
  return 0;
out:
  return 4;
}

async int main(void) {
  for (int how = 0; how < 5; how++) {
    ended = 0;
    int start = (int)(fm_now() / 1000000), v = leaves(how);
    printf("%d: %d, %d ended after %d\n", how, v, ended, (int)(fm_now() / 1000000) - start);
  }
  // expect: end: 2
  // expect: end: 4
  // expect: 0: 0, 4 ended after 20
  // expect: 1: 100, 2 ended after 10
  // expect: 2: 0, 2 ended after 10
  // expect: 3: 0, 4 ended after 20
  // expect: 4: 4, 2 ended after 10
}
