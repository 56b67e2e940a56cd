// fuel.c: the end of a slice without a second thread; it takes the place of core/tick.c. The
// checks of generated code at loops and on entry count down (abi.h: fm__burn). When the fuel is
// used up, the clock is read: the slice is over after FERMATA_TICK milliseconds, or when the page
// has to have its turn. The fuel is adapted, so that the clock is read every 10 to 40
// microseconds: if checks then become 200 times slower, it is still read in time. Nothing is known
// of an activity that goes on: a check may be nanoseconds away, or milliseconds. So each begins
// with little fuel, and with less after one whose checks were slow.
#include "web/web.h"

enum { FIRST = 16, MOST = 1 << 14 };

static struct {
  uint64_t read;  // when the clock was read last
  uint64_t begun; // when the slice began
  int amount;     // of fuel between two readings
  int first;      // with which an activity begins
  bool fresh;     // it has used up only that
} fuel = { .first = FIRST };

// It grows by steps, and shrinks at once.
static void adapt_first(uint64_t took) {
  if (took > FM__READ_LATE)
    fuel.first = (int)(fuel.first * (uint64_t)FM__READ_SOON / took) + 1;
  else if (took < FM__READ_SOON && fuel.first < FIRST)
    fuel.first++;
}

static void adapt(uint64_t took) {
  if (fuel.fresh)
    adapt_first(took);
  fuel.fresh = false;
  if (took < FM__READ_SOON && fuel.amount < MOST)
    fuel.amount *= 2;
  else if (took > FM__READ_LATE)
    fuel.amount = (int)(fuel.amount * (uint64_t)FM__READ_SOON / took) + 1;
}

void fm__fuel_restart(fm__runtime *d) {
  d->c.fuel = fuel.amount = fuel.first;
  fuel.fresh = true;
}

void fm__fuel_read(uint64_t now) {
  fuel.read = now;
}

void fm__fuel_begin(fm__runtime *d, uint64_t now) {
  fuel.read = fuel.begun = now;
  fm__fuel_restart(d);
}

// An activity waits while another one runs.
static bool is_needed(fm__runtime *d) {
  return fm__top_set(d)->head || fm__top_set(d)->external;
}

void fm__refuel(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  uint64_t now = fm__page_now();
  adapt(now - fuel.read);
  fuel.read = now;
  d->c.fuel = fuel.amount;
  if (!d->tick)
    return;
  bool over = now - fuel.begun >= d->tick * (uint64_t)1000000 && is_needed(d);
  if (!over && !fm__page_turn_over(now))
    return;
  fuel.begun = now;
  fm__end_slice(d);
}

// ---- the functions of tick.c ----
void fm__tick_wake(fm__runtime *d) {
  (void)d;
}

// Outside of a turn the page is asked for one.
void fm__made_ready(fm__runtime *d) {
  if (d->attention & FM__TRACE)
    fm__trace_ready(d);
  if (!fm__page_in_turn())
    fm__page_order_turn(d);
}

void fm__tick_free(fm__runtime *d) {
  (void)d;
}

// ---- the stack ----
// Of the 984 KB that engines give, as counted by the pads of functions (abi.h: fm__low_by). The C
// stack itself is larger.
void fm__measure_stack(fm__runtime *d) {
  enum { SIZE = 600 << 10 };
  d->stack_high = (uintptr_t)__builtin_frame_address(0);
  d->limit = d->stack_high - SIZE;
  d->margin = SIZE / 4;
}
