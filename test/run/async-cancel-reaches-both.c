// A cancel reaches a task and who awaits it, and the task ends first: the awaiter unwinds by the cancel; no error comes of it.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int slow(void) {
  fm_sleep(100);
  return 1;
}

async static int awaits(void) {
  defer printf("awaits out\n");
  auto t = spawn slow();
  shield fm_sleep(10);            // meanwhile the task is cancelled, and ends
  return await t;
}

async int main(void) {
  scope (s) {
    auto a = spawn awaits();
    fm_sleep(5);
    fm_cancel(s);
    await a;
  }
  else printf("else\n");          // expect: awaits out
                                  // expect: else
}
