// wait.h: waiting for something other than the end of an activity: a queue, a timer, a completion,
// a descriptor, a message. The activity's `waits` is FM__WOBJECT and the address of a fm__wait.
#ifndef FM_WAIT_H
#define FM_WAIT_H

#include "structure/structure.h"

#include <fermata/time.h>

// ---- what an activity waits for: the head of the object that describes it ----
// In a queue that is a fm__waiter, of which the kind is seen otherwise: see fm__wait_kind_of.
typedef struct fm__wait {
  const struct fm__wait_kind *kind;
} fm__wait;
typedef struct fm__wait_kind {
  const char *what; // for reports: it waits for …
  // A cancel. true: the wait is undone, and a->waits is 0; false: it continues, or has ended.
  bool (*withdraw)(fm__runtime *, fm_node *);
  // a will not go on in any case. a->waits is 0 or FM__WRESULT after that.
  void (*drop)(fm__runtime *, fm_node *);
  // only activities of the domain can end it: fm__set.external does not count it
  bool inner;
} fm__wait_kind;

// ---- idle.c: the loop has nothing to run, and meets the driver ----
fm_driver *fm__driver_of(fm__runtime *d); // made if there is none
// The same; if possible one that can watch descriptors.
fm_driver *fm__driver_for_descriptors(fm__runtime *d);
void fm__driver_free(fm__runtime *d);
uint64_t fm__time(fm__runtime *d); // by the driver's clock
// Nothing of the top set is ready: waits. With nothing to wait for, that is a deadlock.
void fm__idle(fm__runtime *d, fm__set *s);
void fm__look(fm__runtime *d); // takes what has come meanwhile
// After each turn, while FM__INBOX or FM__LOOKS is set.
void fm__look_sometimes(fm__runtime *d);
void fm__looks(
    fm__runtime *d); // there is something to look for: sets FM__LOOKS
static inline bool fm__is_looking(fm__runtime *d) {
  return atomic_load_explicit(&d->attention, memory_order_relaxed) & FM__LOOKS;
}
int fm__watch(fm__runtime *d, fm_watch *w); // 0 or an errno
void fm__unwatch(fm__runtime *d, fm_watch *w);

// The current activity pauses, for w.
static inline void fm__wait_begin(fm__runtime *d, fm__wait *w) {
  fm__pause_for(d, FM__WOBJECT, w);
  fm__count_external(fm__set_of(d, d->current), 1);
  // So that the running activity does not keep it from going on.
  if (fm__needs_tick(d) && fm__top_set(d)->head)
    fm__tick_wake(d);
}
// a->waits gets the value, and a is ready; an arm may win by that.
static inline void fm__wait_over(fm__runtime *d, fm_node *a, uintptr_t waits) {
  fm__set *s = fm__set_of(d, a);
  fm__count_external(s, (size_t)-1);
  a->waits = waits;
  fm__push(s, a);
  fm__tick_check(d);
  if (fm__unlikely(a->word & FM__ARM))
    fm__arm_wins(d, a);
}
// a, which does not run, waits for w, of another domain.
void fm__wait_set(fm__runtime *d, fm_node *a, fm__wait *w);
void fm__wait_unset(fm__runtime *d, fm_node *a); // a->waits is 0
// a, which waits, moves to the top set, which an atomic owns.
void fm__wait_contain(fm__runtime *d, fm_node *a);
// Withdraws a's wait, if its kind can.
bool fm__wait_cancel(fm__runtime *d, fm_node *a);
void fm__wait_drop(fm__runtime *d, fm_node *a); // a will not go on

// The current activity would wait, but unwinds instead.
static inline bool fm__wait_ends_here(fm__runtime *d) {
  if (!fm__is_armed(d))
    return false;
  fm__throw_cancel(d);
  return true;
}

// ---- drivers/epoll.c ----
uint64_t fm__clock(void); // real time, whatever the driver's clock is
// The same descriptor, under another number if it was 0, 1 or 2.
int fm__above_standard(int fd);

void fm__time_passes(fm__runtime *d); // see explore.c

// ---- timer.c: the wheel of alarms ----
typedef struct fm__alarm {
  struct fm__alarm *next, *prev; // in the ring of its slot, while it is set
  uint64_t deadline;             // by the driver's clock
  // Called on the domain's thread when the alarm is due; it is not set any more then.
  void (*fire)(fm__runtime *, struct fm__alarm *);
} fm__alarm;
void fm__alarm_set(fm__runtime *d, fm__alarm *t, uint64_t deadline);
// From now on, or from the next time that the clock is read.
void fm__alarm_set_after(fm__runtime *d, fm__alarm *t, uint64_t ns);
void fm__alarm_unset(fm__runtime *d, fm__alarm *t);
void fm__alarms_settle(fm__runtime *d, uint64_t now); // the clock has been read
// A time that is not after the first deadline; FM_FOREVER: no alarm is set.
uint64_t fm__alarms_next(fm__runtime *d, uint64_t now);
void fm__alarms_fire(fm__runtime *d, uint64_t now);
bool fm__has_alarms(fm__runtime *d);
void fm__alarms_free(fm__runtime *d);
uint64_t fm__nanoseconds(uint64_t ms);
uint64_t fm__later(uint64_t now, uint64_t ns); // FM_FOREVER if that is too late

// ---- completion.c ----
void fm__slots_free(fm__runtime *d);

// ---- park.c; the rest is in park.h ----
const fm__wait_kind *
fm__wait_kind_of(const fm_node *a); // a waits for an object
void fm__buffers_free(fm__runtime *d);

// ---- permits.c ----
// Waiters of semaphores and rate limiters that may go on after a cancel.
FM__IF_USED void fm__lines_serve(fm__runtime *d);
// Between these two, several cancels are one step: those that are cancelled get nothing.
static inline bool fm__lines_hold(fm__runtime *d) {
  bool was = d->serves_lines;
  d->serves_lines = true;
  return was;
}
static inline void fm__lines_release(fm__runtime *d, bool was) {
  d->serves_lines = was;
  if (fm__unlikely(d->lines != NULL))
    fm__lines_serve(d);
}

// ---- reply.c ----
void fm__asks_end(fm__runtime *d); // before d's inbox is closed
// After that: nobody will answer what was asked here.
void fm__desks_end(fm__runtime *d);

#endif
