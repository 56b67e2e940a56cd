// Timers, in virtual time: nanoseconds for one sleep. `one`: one after the other; `many`: 10^6 activities asleep at once, each
// for a length of its own, with making and ending them; `busy`: a switch (yield, two activities) while a timer is set.
#include <fermata.h>
#include <fermata/time.h>

#include "../clock.h"
#include <stdlib.h>

enum { ONE = 100000, MANY = 1000000, CHUNKS = 20, FEW_CHUNKS = 3 };

static int woken;

async static void sleeper(unsigned ms) {
  fm_sleep(ms);
  woken++;
}

async static void one(int n) {
  for (int i = 0; i < n; i++)
    fm_sleep(1);
}

async static void many(int n) {
  unsigned x = 1;
  for (int i = 0; i < n; i++) {
    x = x * 1664525u + 1013904223u;
    spawn sleeper(1 + (x >> 8) % 100000);
  }
}

async static void bouncer(int n) {
  for (int i = 0; i < n; i++)
    yield;
}

async static void busy(int n) {
  auto timer = spawn fm_sleep(1);
  auto a = spawn bouncer(n);
  auto b = spawn bouncer(n);
  await a, await b, await timer;
}

static void measure(const char *name, async void (*f)(int), int n, int each, int chunks) {
  double best = 0;
  for (int k = 0; k < chunks; k++) {
    double start = now();
    run f(n);
    keep_best(&best, (now() - start) / each);
  }
  printf("%s %.2f\n", name, best);
}

int main(void) {
  setenv("FERMATA_DRIVER", "virtual", 1);
  measure("one", one, ONE, ONE, CHUNKS);
  measure("many", many, MANY, MANY, FEW_CHUNKS);
  measure("busy", busy, ONE, 2 * ONE, CHUNKS);
  if (woken != MANY * FEW_CHUNKS)
    abort();
  return 0;
}
