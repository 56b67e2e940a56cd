// timer.c: alarms, and the functions of time.h that use them. (Deadlines are in deadline.c.)
//
// The alarms of a domain are in a wheel of eleven levels with 64 slots each. A deadline is a number
// of eleven digits to the base 64, and so is `base`, a time that has passed. An alarm stands on the
// level of the highest digit in which its deadline differs from `base`, in the slot that this digit
// names. So the first alarms are those of the lowest slot in use on the lowest level in use. When
// the time of that slot begins, `base` moves there, and its alarms move to lower levels. On the
// lowest level all alarms of a slot have the same deadline. A slot with only a few alarms is left
// alone, and searched. So setting and unsetting take constant time, and an alarm moves at most ten
// times, usually twice or so. Slots are rings in the order of coming, and all alarms with one
// deadline move together: so equal deadlines keep the order in which they were set.
//
// Nothing is allocated for an alarm: it is part of the object that waits for it.
//
// An alarm may be set for some nanoseconds from now without reading the clock, which costs as much
// as all the rest. It is *fresh* until the clock is read for another reason (fm__time), at the
// latest when the domain looks for alarms that are due. So it is never early, no later than it
// would be found due, and many alarms share one reading. Alarms that are unset before that cost
// nothing.
//
// Then it is *recent*: its deadline is known, but it enters the wheel only when one of the recent
// alarms may be due, or when another alarm is set with a later deadline than the first. The time
// limits of a server are usually unset before that. `soonest` is a time before which no alarm is
// due: nothing else is looked at before. Its alarm may have been unset, so a wait for it may be in
// vain, but only a long one.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/leaf.h"

enum { DIGIT = 6, SLOTS = 1 << DIGIT, LEVELS = (64 + DIGIT - 1) / DIGIT };

typedef struct fm__wheel {
  uint64_t base;         // no deadline is before it
  uint64_t used[LEVELS]; // one bit for each slot that is not empty
  size_t count;
  uint64_t soonest; // no alarm that is not fresh is due before it
  // The heads of the rings. They have the shape of an alarm's links and are used as such, which the
  // compiler has to know (may_alias).
  struct __attribute__((may_alias)) ring {
    fm__alarm *next;
    fm__alarm *prev;
  } slots[LEVELS][SLOTS];
  // Their deadlines count from the next reading of the clock.
  struct ring fresh;
  struct ring recent; // in the order in which they were set
} fm__wheel;

static fm__alarm *head_of(struct ring *r) {
  return (fm__alarm *)(void *)r; // only its links are used
}

static void make_empty(struct ring *r) {
  *r = (struct ring){ head_of(r), head_of(r) };
}

// ---- the wheel ----
static fm__wheel *wheel_of(fm__runtime *d) {
  fm__wheel *w = d->wheel;
  if (fm__likely(w != NULL))
    return w;
  if (!(w = fm__alloc(sizeof *w)))
    fm__out_of_memory("timers", "", sizeof *w);
  *w = (fm__wheel){ .soonest = FM_FOREVER };
  for (int level = 0; level < LEVELS; level++)
    for (int i = 0; i < SLOTS; i++)
      make_empty(&w->slots[level][i]);
  make_empty(&w->fresh);
  make_empty(&w->recent);
  return d->wheel = w;
}

static int level_of(const fm__wheel *w, uint64_t deadline) {
  uint64_t differs = deadline ^ w->base;
  return differs ? (63 - __builtin_clzll(differs)) / DIGIT : 0;
}

static unsigned digit(uint64_t time, int level) {
  return time >> (level * DIGIT) & (SLOTS - 1);
}

static void append(struct ring *r, fm__alarm *t) {
  t->next = head_of(r);
  t->prev = r->prev;
  r->prev->next = t;
  r->prev = t;
}

// After the alarms that are there. `from` is not empty.
static void move_all(struct ring *from, struct ring *to) {
  from->next->prev = to->prev;
  to->prev->next = from->next;
  from->prev->next = head_of(to);
  to->prev = from->prev;
  make_empty(from);
}

static void place(fm__wheel *w, fm__alarm *t) {
  int level = level_of(w, t->deadline);
  unsigned i = digit(t->deadline, level);
  append(&w->slots[level][i], t);
  w->used[level] |= (uint64_t)1 << i;
}

// A ring of one has its head on both sides.
static void displace(fm__wheel *w, fm__alarm *t) {
  fm__alarm *next = t->next;
  fm__alarm *prev = t->prev;
  prev->next = next;
  next->prev = prev;
  size_t at = (size_t)((struct ring *)(void *)next - w->slots[0]);
  if (next == prev && at < LEVELS * SLOTS)
    w->used[at / SLOTS] &= ~((uint64_t)1 << at % SLOTS);
}

static bool is_empty(struct ring *r) {
  return r->next == head_of(r);
}

static void place_all(fm__wheel *w, struct ring *r) {
  while (!is_empty(r)) {
    fm__alarm *t = r->next;
    displace(w, t);
    place(w, t);
  }
}

void fm__alarm_set(fm__runtime *d, fm__alarm *t, uint64_t deadline) {
  fm__wheel *w = wheel_of(d);
  t->deadline = deadline < w->base ? w->base : deadline;
  w->count++;
  if (t->deadline < w->soonest)
    w->soonest = t->deadline;
  else
    place_all(w, &w->recent); // their deadlines may be the same
  place(w, t);
  fm__looks(d);
}

void fm__alarm_set_after(fm__runtime *d, fm__alarm *t, uint64_t ns) {
  fm__wheel *w = wheel_of(d);
  t->deadline = ns;
  w->count++;
  append(&w->fresh, t);
  fm__looks(d);
}

void fm__alarms_settle(fm__runtime *d, uint64_t now) {
  fm__wheel *w = d->wheel;
  if (!w || is_empty(&w->fresh))
    return;
  for (fm__alarm *t = w->fresh.next; t != head_of(&w->fresh); t = t->next) {
    t->deadline = fm__later(now, t->deadline);
    if (t->deadline < w->base)
      t->deadline = w->base;
    if (t->deadline < w->soonest)
      w->soonest = t->deadline;
  }
  move_all(&w->fresh, &w->recent);
}

void fm__alarm_unset(fm__runtime *d, fm__alarm *t) {
  d->wheel->count--;
  displace(d->wheel, t);
}

bool fm__has_alarms(fm__runtime *d) {
  return d->wheel && d->wheel->count;
}

// The slot whose time begins first; NULL: all are empty.
static struct ring *first_slot(fm__wheel *w, int *level, uint64_t *begins) {
  for (int l = 0; l < LEVELS; l++)
    if (w->used[l]) {
      unsigned i = (unsigned)__builtin_ctzll(w->used[l]);
      int above = (l + 1) * DIGIT;
      *begins = (above < 64 ? w->base >> above << above : 0) |
                (uint64_t)i << (l * DIGIT);
      *level = l;
      return &w->slots[l][i];
    }
  return NULL;
}

// In a slot with only a few alarms, the first is found by looking at each; NULL: there are more.
static fm__alarm *first_of_few(struct ring *r) {
  enum { FEW = 16 };
  fm__alarm *first = r->next;
  int n = 0;
  for (fm__alarm *t = r->next; t != head_of(r); t = t->next) {
    if (++n > FEW)
      return NULL;
    if (t->deadline < first->deadline)
      first = t;
  }
  return first;
}

// Exactly, if that is found quickly, so that the domain is not woken in vain.
static void find_soonest(fm__wheel *w) {
  uint64_t begins;
  int level;
  place_all(w, &w->recent);
  struct ring *r = first_slot(w, &level, &begins);
  fm__alarm *first = r ? first_of_few(r) : NULL;
  w->soonest = first ? first->deadline : r ? begins : FM_FOREVER;
}

// No alarm is fresh.
uint64_t fm__alarms_next(fm__runtime *d, uint64_t now) {
  enum { LONG = 1000000000 }; // nanoseconds
  fm__wheel *w = d->wheel;
  if (!w || !w->count)
    return FM_FOREVER;
  if (w->soonest < fm__later(now, LONG))
    find_soonest(w);
  return w->soonest;
}

// A few alarms need not be spread: then base stays behind, which does not change the order.
static fm__alarm *take_due(fm__wheel *w, uint64_t now) {
  struct ring *r;
  uint64_t begins;
  int level;
  while ((r = first_slot(w, &level, &begins)) && begins <= now) {
    fm__alarm *t = level ? first_of_few(r) : r->next;
    if (t)
      return t->deadline <= now ? t : NULL;
    w->base = begins;
    place_all(w, r); // on lower levels
  }
  return NULL;
}

void fm__alarms_fire(fm__runtime *d, uint64_t now) {
  fm__wheel *w = d->wheel;
  fm__alarm *t;
  if (!w || now < w->soonest)
    return;
  place_all(w, &w->recent);
  while ((t = take_due(w, now))) {
    fm__alarm_unset(d, t);
    t->fire(d, t);
  }
  find_soonest(w);
}

void fm__alarms_free(fm__runtime *d) {
  fm__free(d->wheel);
  d->wheel = NULL;
}

// ---- sleeping: a frame that holds the alarm and belongs to no call ----
typedef struct SleepFrame {
  fm_frame h;
  fm_node *node;
  bool *served; // of wake_tick
  // aligned as nodes and frames are, for the low bits of fm_node.waits
  _Alignas(16) fm__wait wait;
  fm__alarm timer;
} SleepFrame;

static const fm_code wait_code = { .name = "fm_sleep",
                                   .file = "fermata",
                                   .size = sizeof(SleepFrame) };

static SleepFrame *frame_of(void *part, size_t offset) {
  return (SleepFrame *)(void *)((char *)part - offset);
}

static void wake(fm__runtime *d, fm__alarm *t) {
  SleepFrame *f = frame_of(t, offsetof(SleepFrame, timer));
  fm_node *a = f->node;
  fm__frame_free(&d->c, &f->h);
  fm__wait_over(d, a, FM__HOLDS);
}

static void wake_tick(fm__runtime *d, fm__alarm *t) {
  *frame_of(t, offsetof(SleepFrame, timer))->served = true;
  wake(d, t);
}

static bool withdraw(fm__runtime *d, fm_node *a) {
  SleepFrame *f = frame_of(fm__waited_for(a), offsetof(SleepFrame, wait));
  fm__alarm_unset(d, &f->timer);
  fm__frame_free(&d->c, &f->h);
  a->waits = 0;
  return true;
}

static void drop(fm__runtime *d, fm_node *a) {
  withdraw(d, a);
}

static const fm__wait_kind sleeping = {
  .what = "a timer",
  .withdraw = withdraw,
  .drop = drop,
};

// NULL: a cancel ends the wait before it begins.
static SleepFrame *sleep_until(fm__runtime *d, uint64_t deadline) {
  if (fm__wait_ends_here(d))
    return NULL;
  SleepFrame *f = (SleepFrame *)fm__frame_new(&d->c, &wait_code);
  f->wait.kind = &sleeping;
  f->node = d->current;
  f->timer.fire = wake;
  fm__alarm_set(d, &f->timer, deadline);
  fm__wait_begin(d, &f->wait);
  return f;
}

// ---- time.h: async functions, in the form that fmcc gives to them (abi.h) ----
uint64_t fm__nanoseconds(uint64_t ms) {
  return ms < UINT64_MAX / 1000000 ? ms * 1000000 : UINT64_MAX;
}

uint64_t fm__later(uint64_t now, uint64_t ns) {
  return ns < FM_FOREVER - now ? now + ns : FM_FOREVER;
}

uint64_t fm_now(void) {
  return fm__time(fm__runtime_of(fm__here()));
}

// A leaf wait: the caller does not see the frame.
void fm_sleep__fm_call(fm_domain *c, uint64_t ms) {
  fm__runtime *d = fm__runtime_of(c);
  fm__nothing_to_read(d);
  if (ms)
    sleep_until(d, fm__later(fm__time(d), fm__nanoseconds(ms)));
  else if (!fm__is_atomic(d))
    fm__yield(c);
}

FM__LEAF(fm_sleep, uint64_t, void *, 1);

fm_timer fm_every_with(uint64_t ms, fm_late late) {
  uint64_t period = fm__nanoseconds(ms ? ms : 1);
  return (fm_timer){
    .period = period,
    .due = fm__later(fm_now(), period),
    .late = late,
  };
}

fm_timer fm_every(uint64_t ms) {
  return fm_every_with(ms, FM_SKIP);
}

static void wait_for_due(fm__runtime *d, fm_timer *t) {
  SleepFrame *f = sleep_until(d, t->due);
  if (!f)
    return;
  f->served = &t->given;
  f->timer.fire = wake_tick;
}

// If the wait is cancelled, or its race lost, `due` is still to be given: the next call waits for
// it, or returns at once.
void fm_tick__fm_call(fm_domain *c, fm_timer *t) {
  uint64_t now = fm__time(fm__runtime_of(c));
  fm__nothing_to_read(fm__runtime_of(c));
  if (t->given)
    t->due = fm__later(t->due, t->period);
  t->given = now >= t->due;
  t->missed = 0;
  if (!t->given) {
    wait_for_due(fm__runtime_of(c), t);
    return;
  }
  t->missed = (now - t->due) / t->period;
  if (t->late == FM_SKIP)
    t->due += t->missed * t->period;
  else if (t->late == FM_DELAY)
    t->due = now;
}

FM__LEAF(fm_tick, fm_timer *, void *, 1);
