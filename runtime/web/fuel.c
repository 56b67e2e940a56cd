// fuel.c: the end of a slice without a second thread; it takes the place of core/tick.c. The
// checks of generated code at loops and on entry count down (abi.h: fm__burn). When the fuel is
// used up, the clock is read: the slice is over after FERMATA_TICK milliseconds, or when the page
// has to have its turn. The fuel of each activity begins small and is adapted, so that the clock is
// read about every quarter of a millisecond.
#include "web/web.h"

enum { FIRST = 16, MOST = 1 << 16 };
enum { SOON = 250000, LATE = 1000000 }; // nanoseconds between two readings

static struct {
  uint64_t read;  // when the clock was read last
  uint64_t begun; // when the slice began
  int amount;     // of fuel between two readings
} fuel;

static void adapt(uint64_t took) {
  if (took < SOON && fuel.amount < MOST)
    fuel.amount *= 2;
  else if (took > LATE)
    fuel.amount = (int)(fuel.amount * (uint64_t)SOON / took) + 1;
}

// Nothing is known of the next activity: a check may be nanoseconds away, or milliseconds.
void fm__fuel_restart(fm__runtime *d) {
  d->c.fuel = fuel.amount = FIRST;
}

void fm__fuel_begin(fm__runtime *d) {
  fuel.read = fuel.begun = fm__clock();
  fm__fuel_restart(d);
}

// An activity waits while another one runs.
static bool is_needed(fm__runtime *d) {
  return fm__top_set(d)->head || fm__top_set(d)->external;
}

void fm__refuel(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  uint64_t now = fm__clock();
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
