// Of what has ended, cancel, pause and resume have no effect, though another activity may use its place.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int value(int v) { yield; return v; }

async int main(void) {
  auto a = spawn value(1);
  fm_activity old = fm_id(a), none = {0}, inner;
  printf("%d\n", await a);        // expect: 1
  scope (s) inner = s;
  auto b = spawn value(2);
  auto c = spawn value(3);
  fm_cancel(old), fm_pause(old), fm_resume(old), fm_cancel_after(old, 1);
  fm_cancel(inner), fm_pause(inner), fm_resume(inner), fm_cancel_after(inner, 1);
  fm_cancel(none), fm_pause(none), fm_resume(none), fm_cancel_after(none, 1);
  fm_join(old), fm_join(inner), fm_join(none);
  printf("%d %d %d\n", fm_cancelled(old), fm_cancelled(none), fm_alive(inner)); // expect: 0 0 0
  printf("%d %d\n", await b, await c); // expect: 2 3
  auto d = spawn value(4);
  fm_join(fm_id(d));
  fm_cancel(fm_id(d)), fm_pause(fm_id(d)); // ended, and kept for its result
  printf("%d\n", await d);        // expect: 4
}
