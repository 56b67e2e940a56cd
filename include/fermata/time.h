// time.h: clocks and timers, by the clock of the domain's driver (see pool.h), which may be
// virtual.
#ifndef FERMATA_TIME_H
#define FERMATA_TIME_H

#include <fermata.h>

#ifdef __cplusplus
extern "C" {
#endif

// nanoseconds since some moment in the past; never decreases
uint64_t fm_now(void);

// Something periodic: fm_timer t = fm_every(100); for (;;) { fm_tick(&t); … } goes round every 100
// ms, counted from fm_every, however long the rest of the loop takes. A plain value, which holds
// nothing: it can be copied and forgotten.
typedef struct fm_timer {
  uint64_t period; // nanoseconds
  uint64_t due;    // the moment that fm_tick waits for, or did last
  // how many moments fm_tick has just left out, because it was called too late
  uint64_t missed;
  bool waited; // fm_tick has waited for `due`, or begun to
} fm_timer;
fm_timer fm_every(uint64_t ms);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
// lets others run for at least so long; 0: yield
async void fm_sleep(uint64_t ms);
// until its next moment; at once if that has passed
async void fm_tick(fm_timer *t);
#  endif
#endif

#endif
