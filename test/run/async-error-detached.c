// Errors of detached activities go to the handler of fm_on_error.
#include "parts/async.h"

struct bad { int v; };
static async void fail(int n) throws(struct bad) { yield; throw (struct bad){n}; }
static void heard(const fm_error *e, fm_activity a, void *arg) {
  (void)a;
  printf("%s %s %d\n", (const char *)arg, fm_error_name(e), *(const int *)fm_error_value(e));
}
async int main(void) {
  fm_on_error(heard, "heard");
  spawn detached fail(1);
  spawn detached fail(2);
  for (int i = 0; i < 5; i++) yield;
  puts("end");
  // expect: heard bad 1
  // expect: heard bad 2
  // expect: end
}
