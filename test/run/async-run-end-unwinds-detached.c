// The end of the outermost run cancels and unwinds detached activities; the next run begins anew.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void forever(int i) {
  defer printf("%d out\n", i);
  for (;;) fm_sleep(7);
}

async static int value(int v) {
  spawn detached forever(v);
  fm_sleep(10);
  return v;
}

int main(void) {
  printf("%d\n", run value(1));   // expect: 1 out
                                  // expect: 1
  printf("%d\n", run value(2));   // expect: 2 out
                                  // expect: 2
}
