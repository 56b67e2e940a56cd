// fm_any gives the index of the first to end; the rest are cancelled and have unwound.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

static int out;

async static int after(int ms, int v) {
  defer {
    yield;
    out++;
  }
  fm_sleep(ms);
  return v;
}

async int main(void) {
  task(int) t[4];
  for (int i = 0; i < 4; i++) t[i] = spawn after((i + 2) % 4 * 10 + 5, i);
  size_t k = fm_any(t, 4);
  printf("%zu, %d out, at %d\n", k, out, (int)(fm_now() / 1000000)); // expect: 2, 4 out, at 5
  printf("%d\n", await t[k]);     // expect: 2
  task(int) one = spawn after(1, 7);
  fm_join(fm_id(one));
  k = fm_any(&one, 1);            // ended already
  printf("%zu %d\n", k, await one); // expect: 0 7
}
