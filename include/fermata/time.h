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

// What fm_tick does when it is called after one or more moments have passed.
typedef enum fm_late {
  FM_SKIP, // it returns once, and leaves the others out: `missed` counts them
  FM_CATCH_UP, // it returns at once for each of them, until it is in time again
  FM_DELAY     // it returns once; the next moment is a period after this call
} fm_late;
// A timer with a period. It is a plain value that holds nothing: it can be copied and forgotten.
// `missed` counts the moments that the last fm_tick left out because it was called too late; with
// FM_CATCH_UP, the moments that are still to be made up for.
typedef struct fm_timer {
  uint64_t period; // nanoseconds
  uint64_t due;    // the moment that fm_tick waits for, or did last
  // how many moments fm_tick has just left out, because it was called too late
  uint64_t missed;
  bool given; // fm_tick has returned for `due`
  fm_late late;
} fm_timer;
// Makes a timer whose moments are ms milliseconds apart, counted from this call. Moments that have
// passed are skipped.
fm_timer fm_every(uint64_t ms);
// The same, with a choice of what is done about moments that have passed.
fm_timer fm_every_with(uint64_t ms, fm_late late);

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
