// time.h: clocks and timers. The clock is that of the domain's driver (pool.h), which may be
// virtual.
#ifndef FERMATA_TIME_H
#define FERMATA_TIME_H

#include <fermata.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- clocks and timers ----

// Returns nanoseconds since some moment in the past, by the driver's clock; never decreases.
uint64_t fm_now(void);

// A timer with a period. It is a plain value that holds nothing: it can be copied and forgotten.
// `missed` counts the moments that the last fm_tick left out because it was called too late.
typedef struct fm_timer {
  uint64_t period; // nanoseconds
  uint64_t due;    // the moment that fm_tick waits for, or did last
  // how many moments fm_tick has just left out, because it was called too late
  uint64_t missed;
  bool waited; // fm_tick has waited for `due`, or begun to
} fm_timer;
// Makes a timer whose moments are ms milliseconds apart, counted from this call.
fm_timer fm_every(uint64_t ms);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- clocks and timers ----

// Waits for at least ms milliseconds; others run meanwhile. 0: the same as `yield`. Equal moments
// are served in the order in which the sleeps began.
async void fm_sleep(uint64_t ms);
// Waits until the timer's next moment; does not wait if it has passed. `fm_timer t = fm_every(100);
// for (;;) { fm_tick(&t); … }` goes round every 100 ms, however long the rest of the loop takes.
async void fm_tick(fm_timer *t);
#  endif
#endif

#endif
