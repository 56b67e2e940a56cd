// idle.c: where the scheduler meets the driver. Three things may come from outside: messages of
// other threads (inbox.c), alarms that are due (timer.c), and events that the driver watches.
//
//     fm__look   now and then while activities run; never waits
//     fm__idle   nothing is ready: waits, if there is anything to wait for; else a deadlock
//
// An object for which an activity waits begins with a fm__wait, whose kind can withdraw the wait.
// Each set counts its activities that wait for something outside: in an atomic nothing else runs,
// so only these can go on by themselves.
#include "fm.h"
#include "core/forked.h"
#include "drivers/drivers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// ---- the driver ----
static fm_driver *choose(void) {
  const char *value = fm__setting("FERMATA_DRIVER");
  return value && strcmp(value, "virtual") == 0 ? fm_driver_virtual(0)
                                                : fm_driver_uv();
}

// When no descriptor is left, only time and other threads can be waited for.
static FM_COLD fm_driver *make(void) {
  int saved = errno;
  errno = 0;
  fm_driver *driver = choose();
  if (!driver && errno && errno != ENOMEM)
    driver = fm__driver_bare();
  if (!driver)
    fm__out_of_memory("driver", "", 0);
  errno = saved;
  return driver;
}

fm_driver *fm__driver_of(fm__runtime *d) {
  if (!d->driver) {
    d->driver = make();
    fm__top_driver(d);
  }
  return d->driver;
}

// Perhaps there are descriptors now. The new driver has the same clock. No thread wakes this domain
// while it is awake, but a thread may be in the middle of it.
fm_driver *fm__driver_for_descriptors(fm__runtime *d) {
  fm_driver *driver = fm__driver_of(d);
  fm_driver *real;
  if (fm__likely(!fm__is_bare(driver)) || !(real = fm_driver_uv()))
    return driver;
  fm__driver_free(d);
  return d->driver = real;
}

// A thread that has seen this domain asleep may be about to wake the driver.
void fm__driver_free(fm__runtime *d) {
  while (d->posting)
    fm__spin(d);
  if (d->driver && d->driver->free)
    d->driver->free(d->driver->ctx);
  d->driver = NULL;
}

void fm_set_driver(fm_driver *driver) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (fm__has_alarms(d) ||
      (d->driver && d->driver->pending && d->driver->pending(d->driver->ctx)))
    fm__fatal(
        d,
        "fm_set_driver while a timer, a descriptor or work of another thread "
        "is waited for: call it first");
  if (!driver)
    fm__fatal(
        d, "fm_set_driver(NULL): perhaps memory or descriptors have run out");
  if (driver == d->driver)
    return;
  fm__alarms_free(d); // they are times of another clock
  fm__driver_free(d);
  d->driver = driver;
  fm__top_driver(d);
  if (driver->seed) {
    d->random = driver->seed * 2862933555777941757u + 3037000493u;
    d->attention |= FM__RANDOM;
  }
}

uint64_t fm__time(fm__runtime *d) {
  fm_driver *driver = fm__driver_of(d);
  uint64_t now = driver->now(driver->ctx);
  fm__alarms_settle(d, now);
  return now;
}

static inline bool driver_pending(fm__runtime *d) {
  return d->driver && d->driver->pending && d->driver->pending(d->driver->ctx);
}

// ---- waits ----
void fm__wait_set(fm__runtime *d, fm_node *a, fm__wait *w) {
  a->waits = (uintptr_t)w | FM__WOBJECT;
  d->from_domains++;
  fm__count_external(fm__set_of(d, a), 1);
  // The running activity must not keep it from going on.
  if (fm__needs_tick(d) && d->current)
    fm__tick_wake(d);
}

void fm__wait_unset(fm__runtime *d, fm_node *a) {
  d->from_domains--;
  fm__count_external(fm__set_of(d, a), (size_t)-1);
  a->waits = 0;
}

void fm__wait_contain(fm__runtime *d, fm_node *a) {
  if (a->set == fm__top_set(d)->level)
    return;
  fm__count_external(fm__set_of(d, a), (size_t)-1);
  if (a->word & FM__CONTAINED)
    fm__set_of(d, a)->live--;
  a->word &= ~(uint64_t)FM__DELAYED;
  fm__add_to_set(d, a);
  fm__count_external(fm__set_of(d, a), 1);
}

bool fm__wait_cancel(fm__runtime *d, fm_node *a) {
  if (fm__waits_kind(a) != FM__WOBJECT)
    return false;
  const fm__wait_kind *kind = fm__wait_kind_of(a);
  if (!kind->withdraw(d, a))
    return false;
  if (!kind->inner)
    fm__count_external(fm__set_of(d, a), (size_t)-1);
  return true;
}

void fm__wait_drop(fm__runtime *d, fm_node *a) {
  const fm__wait_kind *kind = fm__wait_kind_of(a);
  kind->drop(d, a);
  if (!a->waits && !kind->inner)
    fm__count_external(fm__set_of(d, a), (size_t)-1);
}

// ---- looking ----
// A look costs a reading of the clock, so it is not done after each turn: the number of turns
// between two looks follows from how long the turns take. Descriptors cost a system call. While
// nothing is set or watched, FM__LOOKS is not set, and the loop does not even count.
enum { MOST_TURNS = 1024, SOON = 50000, LATE = 200000 }; // nanoseconds

static void adapt(fm__runtime *d, uint64_t took) {
  if (took > LATE)
    d->turns /= 2;
  else if (took < SOON && d->turns < MOST_TURNS)
    d->turns = d->turns * 2 + 1;
  d->turns_left = d->turns;
}

// Activities that have just become ready run before the kernel is asked again. libuv does the same;
// with 50 connections it saves one system call for every five requests. The end of a slice looks in
// any case.
static void let_run(fm__runtime *d, size_t ready) {
  if (ready > (size_t)d->turns_left)
    d->turns_left = (int)ready;
}

static void look_outside(fm__runtime *d) {
  size_t ready = 0;
  bool watches = driver_pending(d);
  uint64_t now;
  uint64_t took;
  if (!watches && !fm__has_alarms(d)) {
    d->attention &= ~(unsigned)FM__LOOKS;
    return;
  }
  now = fm__time(d);
  took = now - d->looked;
  d->looked = now;
  fm__alarms_fire(d, now);
  if (watches && now - d->polled >= SOON) {
    d->polled = now;
    ready = d->driver->poll(d->driver->ctx, 0);
  }
  adapt(d, took);
  let_run(d, ready);
}

// No activity runs while this is done.
void fm__look(fm__runtime *d) {
  fm_node *me = d->current;
  d->current = NULL;
  fm__inbox_drain(d);
  if (d->attention & FM__LOOKS)
    look_outside(d);
  d->current = me;
}

void fm__look_sometimes(fm__runtime *d) {
  if (--d->turns_left < 0 || d->attention & FM__INBOX)
    fm__look(d);
}

void fm__looks(fm__runtime *d) {
  if (fm__likely(fm__is_looking(d)))
    return;
  atomic_fetch_or(&d->attention, FM__LOOKS);
  d->turns = d->turns_left = 0; // the length of turns is not known yet
}

// For a driver whose events do not all come from watches.
fm_driver *fm__driver_here(void) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm_driver *driver = fm__driver_for_descriptors(d);
  fm__looks(d);
  return driver;
}

// ---- messages that come soon ----
// To fall asleep and be woken costs some microseconds, for the domain and for the sender of the
// message. So a domain whose last sleep was short, a *nap*, looks for the next message for a while
// before it sleeps. If none comes, perhaps because its sender has no processor to run on meanwhile,
// the domain naps twice as often as the last time before it tries again. A virtual processor takes
// some 25 microseconds to wake up: a nap lasts as long as two of these, and the domain looks for as
// long as a sender needs that has to wake up first.
enum { NAP = 50000, SHORT = 100000, MOST_NAPS = 1024 }; // nanoseconds

static void relax(void) {
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause();
#endif
}

static bool look_for_some_time(fm__runtime *d) {
  enum { LOOKS = 16 }; // between two readings of the clock
  uint64_t until = fm__clock() + NAP;
  do
    for (int i = 0; i < LOOKS; i++) {
      if (atomic_load_explicit(&d->inbox, memory_order_relaxed) ||
          fm__starts_visible(d))
        return true;
      relax();
    }
  while (fm__clock() < until);
  return false;
}

static bool message_comes(fm__runtime *d) {
  if (d->naps)
    return false;
  if (look_for_some_time(d)) {
    d->backoff /= 2;
    return true;
  }
  d->backoff = d->backoff < MOST_NAPS ? d->backoff * 2 + 1 : MOST_NAPS;
  d->naps = d->backoff;
  return false;
}

static void note_sleep(fm__runtime *d, uint64_t took) {
  if (d->naps && took < SHORT && fm__several_processors() &&
      (atomic_load_explicit(&d->inbox, memory_order_relaxed) ||
       fm__starts_visible(d)))
    d->naps--;
}

// ---- idle ----
// Whether another domain may do something here although nothing waits for it.
static bool others_may_act(fm__runtime *d) {
  return (d->known || d->stopped) && fm__other_domains();
}

// Nothing goes on because somebody who watches the program has paused it.
static bool is_held_by_viewer(fm__runtime *d) {
  return fm__unlikely(d->viewed.paused) && fm__top_holds(d);
}

static bool has_deadlines(fm__runtime *d) {
  return FM__IS_LINKED(fm__has_deadlines) && fm__has_deadlines(d);
}

static bool is_pending(fm__runtime *d, fm__set *s) {
  return s->external || (s == &d->base && others_may_act(d)) ||
         (s == &d->base && driver_pending(d)) || has_deadlines(d) ||
         is_held_by_viewer(d);
}

// A thread that does not see it at once wakes the driver in vain, and no more; but one that brings
// a start to the pool relies on this domain if it sees it asleep.
static void wake_up(fm__runtime *d) {
  if (!d->starts) {
    atomic_store_explicit(&d->sleeping, 0, memory_order_release);
    return;
  }
  atomic_store(&d->sleeping, 0);
  fm__starts_awake(d);
}

// *ready: how many activities have become ready. false: a deadlock.
static bool
wait_for_driver(fm__runtime *d, fm__set *s, uint64_t until, size_t *ready) {
  fm__check_ours(d);
  fm_driver *driver = fm__driver_of(d);
  bool stalled = s->external == d->from_domains && s == &d->base &&
                 until == FM_FOREVER && !driver_pending(d) &&
                 !is_held_by_viewer(d);
  bool dead = false;
  if (d->starts && s == &d->base)
    fm__starts_idle(d);
  if (message_comes(d))
    return true;
  atomic_store(&d->sleeping, 1);
  if (!atomic_load(&d->inbox) && !(d->starts && fm__starts_visible(d)) &&
      !(stalled && (dead = !fm__stalled_begin(d)))) {
    uint64_t start = d->from_domains ? fm__clock() : 0;
    *ready = driver->poll(driver->ctx, until);
    if (d->from_domains)
      note_sleep(d, fm__clock() - start);
    if (stalled)
      fm__stalled_end(d);
  }
  wake_up(d);
  if (fm__unlikely(!(d->attention & FM__LOOKS)) && driver_pending(d))
    fm__looks(d);
  let_run(d, *ready);
  return !dead;
}

static inline bool has_mail(fm__runtime *d) {
  return fm__unlikely(
      atomic_load_explicit(&d->inbox, memory_order_relaxed) ||
      atomic_load_explicit(&d->attention, memory_order_relaxed) & FM__INBOX);
}

// Returns the time, if there are alarms.
static uint64_t fire(fm__runtime *d) {
  if (!fm__has_alarms(d))
    return 0;
  uint64_t now = fm__time(d);
  fm__alarms_fire(d, now);
  return now;
}

// To the next alarm, although activities are ready.
void fm__time_passes(fm__runtime *d) {
  enum { STEPS = 64 }; // the wheel's next time may be before the first alarm's
  const fm_node *last = d->base.tail;
  fm_driver *driver = fm__driver_of(d);
  for (int i = 0; i < STEPS && d->base.tail == last && fm__has_alarms(d); i++) {
    uint64_t next = fm__alarms_next(d, fire(d));
    let_run(d, driver->poll(driver->ctx, next));
    fire(d);
  }
}

// An activity is ready: what waits in the queue of starts is for others as well.
static void leave_idle(fm__runtime *d, fm__set *s) {
  if (fm__unlikely(d->starts != NULL) && s->head)
    fm__starts_busy(d);
}

// Alarms are checked before the wait, which lasts no longer than the next one allows; and after it,
// if nothing else has come. Otherwise they are checked the next time.
static void idle(fm__runtime *d, fm__set *s) {
  size_t ready = 0;
  d->current = NULL; // no activity runs
  // The caller looks again at what there is to wait for.
  if ((has_mail(d) && fm__inbox_drain(d)) || s->head)
    return;
  // A message has ended the loop, or the activity it runs for.
  if (s == &d->base && d->attention & FM__STOP_LOOP)
    return;
  uint64_t now = fire(d);
  if (!s->head && s == &d->base && d->starts && fm__starts_steal(d))
    return;
  if (s->head)
    return;
  if (!is_pending(d, s) ||
      !wait_for_driver(d, s, fm__alarms_next(d, now), &ready)) {
    fm__deadlock_break(d);
    return;
  }
  if (has_mail(d))
    fm__inbox_drain(d);
  if (!ready)
    fire(d);
  if (fm__needs_tick(d) && s->head && s->external)
    fm__tick_wake(d);
}

// A domain whose activities wait for descriptors alone, as in most servers: no alarms, no messages,
// no pool. idle() would do the same, and ask for each of these several times.
static inline bool only_descriptors(fm__runtime *d, const fm__set *s) {
  return s == &d->base && !s->head && s->external && d->naps && d->driver &&
         !d->from_domains && !d->starts && !fm__has_alarms(d) &&
         atomic_load_explicit(&d->attention, memory_order_relaxed) == FM__LOOKS;
}

static void idle_for_descriptors(fm__runtime *d, const fm__set *s) {
  size_t ready = 0;
  if (fm__unlikely(d->forks != fm__forks))
    fm__child_waits();
  d->current = NULL;
  atomic_store(&d->sleeping, 1);
  if (fm__likely(!atomic_load(&d->inbox)))
    ready = d->driver->poll(d->driver->ctx, FM_FOREVER);
  wake_up(d);
  let_run(d, ready);
  if (has_mail(d))
    fm__inbox_drain(d);
  if (fm__needs_tick(d) && s->head && s->external)
    fm__tick_wake(d);
}

void fm__idle(fm__runtime *d, fm__set *s) {
  if (fm__likely(only_descriptors(d, s))) {
    idle_for_descriptors(d, s);
    return;
  }
  idle(d, s);
  leave_idle(d, s);
}
