// fuel.c: the end of a slice without a second thread; it takes the place of core/tick.c. The
// checks of generated code at loops and on entry count down (abi.h: fm__burns_out). When the fuel
// is used up, the clock is read: the slice is over after FERMATA_TICK milliseconds, or when the
// page has to have its turn. The fuel is adapted, so that the clock is read every 10 to 40
// microseconds: if checks then become 200 times slower, it is still read in time. Nothing is known
// of an activity that goes on: a check may be nanoseconds away, or milliseconds. So each begins
// with little fuel, and with less after one whose checks were slow.
#include "web/web.h"

enum { FIRST = 16, MOST = 1 << 14 };

static struct {
  uint64_t read;  // when the clock was read last
  uint64_t begun; // when the slice began
} fuel;

// It grows by steps, and shrinks at once.
static int adapt_first(int first, uint64_t took) {
  if (took > FM__READ_LATE)
    return (int)(first * (uint64_t)FM__READ_SOON / took) + 1;
  return took < FM__READ_SOON && first < FIRST ? first + 1 : first;
}

// given: what was used up
static int adapt(int given, uint64_t took) {
  if (took < FM__READ_SOON && given < MOST)
    return given * 2;
  if (took > FM__READ_LATE)
    return (int)(given * (uint64_t)FM__READ_SOON / took) + 1;
  return given;
}

void fm__fuel_read(uint64_t now) {
  fuel.read = now;
}

void fm__fuel_begin(fm__runtime *d, uint64_t now) {
  fuel.read = fuel.begun = now;
  if (!d->c.first)
    d->c.first = FIRST;
}

// An activity waits while another one runs.
static bool is_needed(fm__runtime *d) {
  return fm__top_set(d)->head || fm__top_set(d)->external;
}

void fm__refuel(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  uint64_t now = fm__page_now();
  uint64_t took = now - fuel.read;
  int given = d->c.given ? d->c.given : d->c.first;
  fuel.read = now;
  if (!d->c.given)
    d->c.first = adapt_first(given, took);
  d->c.fuel = d->c.given = adapt(given, took);
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
