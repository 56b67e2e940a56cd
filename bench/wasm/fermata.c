// fermata.c QUESTION: what Fermata's operations cost in WebAssembly. Prints nanoseconds (idle:
// bytes) of one operation. fib: a call; switch; spawn: spawn and join; idle: an activity that waits;
// turn: the longest time that the page waits, in milliseconds, while two activities compute.
#include <emscripten.h>
#include <fermata.h>
#include <fermata/time.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static async long fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static async void yields(long n) {
  while (n-- > 0)
    yield;
}

static async int one(void) {
  return 1;
}

static async void waits(void) {
  fm_sleep(1000000);
}

#pragma fermata auto_yield loops
static volatile long sink;
static async void computes(double until) {
  while (emscripten_get_now() < until)
    for (int i = 0; i < 100000; i++)
      sink += i;
}
#pragma fermata auto_yield calls

// The page looks at the clock whenever it has its turn.
EM_JS(void, watch_page, (void), {
  globalThis.longest = 0;
  let last = performance.now();
  globalThis.watch = setInterval(() => {
    const now = performance.now();
    globalThis.longest = Math.max(globalThis.longest, now - last);
    last = now;
  }, 0);
});
EM_JS(double, end_watch, (void), {
  clearInterval(globalThis.watch);
  return globalThis.longest;
});

static async double longest_turn(void) {
  watch_page();
  double until = emscripten_get_now() + 1000;
  auto a = spawn computes(until);
  auto b = spawn computes(until);
  await a;
  await b;
  return end_watch();
}

static async double idle_bytes(void) {
  enum { MANY = 100000 };
  size_t before = mallinfo().uordblks;
  scope {
    for (int i = 0; i < MANY; i++)
      fm_detach(spawn waits());
    yield;
    printf("%.0f\n", (double)(mallinfo().uordblks - before) / MANY);
    exit(0);
  }
  return 0;
}

static async double measure(const char *what) {
  enum { SWITCHES = 2000000, SPAWNS = 1000000, CALLS = 2692537 };
  double start = emscripten_get_now();
  long n = CALLS;
  if (strcmp(what, "fib") == 0) {
    fib(30);
  } else if (strcmp(what, "switch") == 0) {
    auto a = spawn yields(SWITCHES / 2);
    auto b = spawn yields(SWITCHES / 2);
    await a;
    await b;
    n = SWITCHES;
  } else {
    n = SPAWNS;
    for (long i = 0; i < n; i++) {
      auto t = spawn one();
      await t;
    }
  }
  return (emscripten_get_now() - start) * 1e6 / (double)n;
}

async int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "fib";
  if (strcmp(what, "idle") == 0)
    idle_bytes();
  else
    printf("%.1f\n", strcmp(what, "turn") == 0 ? longest_turn() : measure(what));
  return 0;
}
