// fm_all and fm_any in atomic code: the tasks that they wait for are contained.
// env: FERMATA_TICK=off
// env: FERMATA_DRIVER=virtual
#include "parts/async.h"
#include <fermata/time.h>

async static int after(int ms, int v) {
  fm_sleep(ms);
  return v;
}

async static int both(void) {
  task(int) t[2] = {spawn after(20, 1), spawn after(10, 2)};
  fm_all(t, 2);
  return await t[0] * 10 + await t[1];
}

async static int either(void) {
  task(int) t[2] = {spawn after(20, 1), spawn after(10, 2)};
  size_t k = fm_any(t, 2);
  return (int)k * 10 + await t[k];
}

async static void other(void) { printf("other\n"); }

async int main(void) {
  spawn other();
  printf("%d\n", atomic both());  // expect: 12
  printf("%d\n", atomic either()); // expect: 12
  yield;                          // expect: other
}
