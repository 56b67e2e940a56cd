// fermata.c QUESTION: what Fermata's operations cost in WebAssembly. Prints nanoseconds (idle:
// bytes) of one operation. fib: a call; switch; spawn: spawn and join; idle: an activity that
// waits; turn: the longest turn, in milliseconds, while two activities compute; deep: a call of a
// recursion that is 10^6 deep, with 64 live variables.
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

// Each turn is timed; the page looks at the clock whenever it has its own.
EM_JS(void, watch_page, (void), {
  const turn = Module.fmTurn;
  globalThis.longest = 0;
  Module.fmTurn = fired => {
    const start = performance.now();
    turn(fired);
    globalThis.longest = Math.max(globalThis.longest, performance.now() - start);
  };
});
EM_JS(double, end_watch, (void), {
  return globalThis.longest;
});

static async double longest_turn(void) {
  fm_sleep(1); // Module.fmTurn is there after the first turn
  watch_page();
  yield;
  double until = emscripten_get_now() + 1000;
  auto a = spawn computes(until);
  auto b = spawn computes(until);
  await a;
  await b;
  return end_watch();
}

#define EIGHT(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#define DECLARE(i)                                             \
  long a##i = n + i, b##i = n - i, c##i = n ^ i, d##i = n + 2 * i; \
  long e##i = n - 3 * i, f##i = n + 4 * i, g##i = n ^ 5 * i, h##i = n + 7 * i;
#define ADD(i) +a##i + b##i + c##i + d##i + e##i + f##i + g##i + h##i
static async long deep(long n) {
  if (n == 0)
    return 0;
  EIGHT(DECLARE)
  long below = deep(n - 1);
  return (below EIGHT(ADD)) % 1000003;
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
  } else if (strcmp(what, "deep") == 0) {
    n = 1000000;
    deep(n);
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
