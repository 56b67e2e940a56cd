// There is no automatic yield inside a full expression, nor between calls: code there has the data to itself.
// env: FERMATA_TICK=1
#include "parts/async.h"
#include <time.h>

static int counter, stop, torn, switches;
static long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
static int get(void) { return counter; }
static int busy(void) {
  long end = now_ms() + 3;
  while (now_ms() < end) {}
  return 0;
}
static async int quick(void) { return counter; }

static async void bump(void) {
  while (!stop) {
    counter++;
    switches++;
    busy();
  }
}

async int main(void) {
  spawn bump();
  int from = switches;
  long end = now_ms() + 15000;
  for (int i = 0; i < 1000 && switches < from + 5 && now_ms() < end; i++) {
    int d = get() - (busy(), get());
    torn += d != 0;
    if (get() != (busy() ? 0 : get())) torn++;
    d = quick() - (busy(), quick());
    torn += d != 0;
    int before = counter;
    for (volatile int k = 0; k < 3000000; k++) {} // no call: no yield
    torn += before != counter;
  }
  stop = 1;
  printf("%d %d\n", torn, switches >= from + 5); // expect: 0 1
}
