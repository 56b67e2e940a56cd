// A child cancels the scope it runs in, from a function deep below; a scope that is given to others by its identity.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static void killer(fm_activity s, int depth) {
  defer printf("%d", depth);
  if (depth) {
    killer(s, depth - 1);
    return;
  }
  fm_sleep(5);
  fm_cancel(s);
  yield;
  printf("no\n");
}

async static void server(fm_activity s) {
  for (int i = 0;; i++) {
    fm_sleep(2);
    spawn in(s) fm_sleep(1000);
  }
}

async int main(void) {
  scope (s) {
    spawn killer(s, 3);
    spawn server(s);
    fm_join(s);                   // for ever: it waits for itself
    printf("no\n");
  }
  else printf(" else at %d\n", (int)(fm_now() / 1000000)); // expect: 0123 else at 5
}
