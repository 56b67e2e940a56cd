// Automatic yields deliver no cancel: between an opening call and its defer nothing is lost.
// env: FERMATA_TICK=always
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int open_count;
static int open_it(void) { return ++open_count; }

async static void worker(void) {
  for (;;) {
    int fd = open_it();
    defer open_count -= fd > 0;
    yield;
  }
}

async int main(void) {
  for (int i = 0; i < 5; i++) {
    auto t = spawn worker();
    for (int k = 0; k < i; k++) yield;
    fm_cancel(fm_id(t));
    fm_join(fm_id(t));
    fm_detach(t);
    printf("%d", open_count);
  }
  printf("\n");                   // expect: 00000
}
