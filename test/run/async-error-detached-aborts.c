// Without a handler, an error of a detached activity is reported and the process aborts.
// status: 134
#include "parts/async.h"

struct bad { int v; };
static async void fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
async int main(void) {
  spawn detached fail(1);
  puts("before"); fflush(stdout); // expect: before
  for (int i = 0; i < 5; i++) yield;
  puts("not here");
}
