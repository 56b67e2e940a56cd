// turns.c: how long turns are, by a clock that the program itself moves on, so that the machine
// does not matter. No turn may last longer than 10 ms: with checks every few microseconds, with
// steps of a millisecond between two checks, with activities that take turns without any check,
// with turns inside a turn (`spawn now`, arms of races), and when one follows the other (200 times
// slower). Prints a line for each.
#include <emscripten.h>
#include <fermata.h>
#include <fermata/time.h>

#include <stdio.h>

// clang-format off
EM_JS(void, take_clock, (void), {
  globalThis.clock = 1000;
  performance.now = () => globalThis.clock;
});
EM_JS(void, pass, (double ms), { globalThis.clock += ms; });
EM_JS(void, watch_turns, (void), {
  const turn = Module.fmTurn;
  globalThis.longest = 0;
  globalThis.turns = 0;
  Module.fmTurn = fired => {
    const start = globalThis.clock;
    turn(fired);
    globalThis.turns++;
    globalThis.longest = Math.max(globalThis.longest, globalThis.clock - start);
  };
});
EM_JS(double, take_longest, (void), {
  const longest = globalThis.longest;
  globalThis.longest = 0;
  return longest;
});
EM_JS(int, take_turns, (void), {
  const turns = globalThis.turns;
  globalThis.turns = 0;
  return turns;
});
// clang-format on

#pragma fermata auto_yield loops
static async void steps(int n, double ms) {
  for (int i = 0; i < n; i++)
    pass(ms);
}
#pragma fermata auto_yield calls

static async void yields(int n, double ms) {
  for (int i = 0; i < n; i++) {
    pass(ms);
    yield;
  }
}

static async void mixed(void) {
  steps(20000, 0.002);
  steps(100, 0.4);
}

static async void slows_down(void) {
  yields(200, 0.0001);
  yields(100, 0.02);
}

static async void passes(double ms) {
  pass(ms);
}

static async void starts(int n, double ms) {
  for (int i = 0; i < n; i++)
    spawn now passes(ms);
}

static async void races(int n, double ms) {
  for (int i = 0; i < n; i++)
    race {
    case passes(ms):
      break;
    case fm_sleep(1000):
      break;
    }
}

static void report(const char *what) {
  double longest = take_longest();
  int turns = take_turns();
  if (longest <= 10 && turns > 5)
    printf("%s: ok\n", what);
  else
    printf("%s: %d turns, the longest %.1f ms\n", what, turns, longest);
}

async int main(void) {
  enum { SEVERAL = 100 };
  take_clock();
  watch_turns();
  yield;
  steps(50000, 0.002);
  report("quick steps"); // expect: quick steps: ok
  steps(100, 1);
  report("slow steps"); // expect: slow steps: ok
  scope for (int i = 0; i < 2; i++) fm_detach(spawn steps(50000, 0.002));
  report("two loops"); // expect: two loops: ok
  scope for (int i = 0; i < SEVERAL; i++) fm_detach(spawn yields(3, 1));
  report("slow turns"); // expect: slow turns: ok
  scope for (int i = 0; i < SEVERAL; i++) fm_detach(spawn yields(100, 0.01));
  report("quick turns"); // expect: quick turns: ok
  scope for (int i = 0; i < SEVERAL; i++) fm_detach(spawn slows_down());
  report("quick turns, then slow"); // expect: quick turns, then slow: ok
  scope for (int i = 0; i < SEVERAL; i++) fm_detach(spawn steps(2, 1));
  report("few slow steps each"); // expect: few slow steps each: ok
  starts(20000, 0.005);
  report("turns inside a turn"); // expect: turns inside a turn: ok
  races(20000, 0.005);
  report("arms of races"); // expect: arms of races: ok
  scope for (int i = 0; i < 3; i++) fm_detach(spawn mixed());
  report("quick, then slow"); // expect: quick, then slow: ok
  return 0;
}
