// `run` inside a running activity, reached through plain code, is a checked error.
// status: 1
#include "parts/async.h"

static int plain(void) { return run later(3); }

static async void activity(void) {
  printf("begin\n");
  printf("%d\n", plain());
}

int main(void) {
  printf("%d\n", plain());        // expect: 3
  run activity();                 // expect: begin
}
