// sched.c: the scheduler: the ready queue, turns, and the loop.
//
// An activity runs in a *turn*. Its leaf frame is resumed, then the parents one by one as each call
// ends, until something pauses. The function that pauses has noted where the activity will be found
// again (in a ring of waiters, for example), and has written the reason into c->guard. The
// functions on the way out read the guard, and then the loop does:
//
//     fm__reason   the loop then …
//     GOING        hands the ended call's result to its caller, or ends the activity
//     YIELDS       puts the activity at the end of the queue, and takes the next one
//     SLICED       likewise: the slice is over; a cancel does not end such a pause
//     PAUSED       takes the next activity that is ready
//     UNWINDS      goes on in the frame that has a handler (unwind.c), or ends the activity
//     SPILLED      goes on with the same activity: the stack was low, and now it is empty
//     FAILED       reports d->failure with the backtrace, which is complete only now
//     AGAIN        goes on with the same activity: it left its function only to have a rare
//                  operation done (abi-node.h)
//
// end.c has what happens at the end of an activity, but for the common cases.
#include "fm.h"

void fm__ready(fm__runtime *d, fm_node *a) {
  fm__push(fm__set_of(d, a), a);
  fm__tick_check(d);
}

// ---- a turn ----
// Whether a cancel that has come makes a unwind where it stands. It does not where a has not
// paused, or goes on with what it waited for.
static bool meets_cancel(fm__runtime *d, const fm_node *a, uintptr_t was) {
  if (was & FM__MUST)
    return true;
  return (was & (FM__ARMED | FM__HOLDS)) == FM__ARMED && !fm__is_atomic(d) &&
         a->leaf->state != 0;
}

// false: a unwinds.
static FM_COLD bool receive_more(fm__runtime *d, fm_node *a) {
  uintptr_t was = a->waits;
  fm_node *child = (fm_node *)(was & ~(uintptr_t)(FM__WKIND | FM__ARMED));
  fm_frame *f = (fm_frame *)child;
  a->waits = fm__arming(a);
  switch (was & FM__WKIND) {
  case FM__WSPAWN:
    d->spawned = (fm_task){ child, fm__generation(child) };
    d->c.result = &d->spawned;
    return true;
  case FM__WTAKE:
    f = child->leaf;
    fm__release(d, child);
    return fm__read_result(d, f);
  case FM__WRESULT:
    return fm__read_result(d, f);
  }
  if (was & FM__DEAD) {
    fm__throw_deadlock(d);
    return false;
  }
  if (!meets_cancel(d, a, was))
    return true;
  fm__throw_cancel(d);
  return false;
}

// Sets c->result.
static inline bool receive(fm__runtime *d, fm_node *a) {
  if (fm__likely(!a->waits))
    return true;
  if (fm__likely(a->waits == FM_SERVED)) {
    a->waits = 0;
    return true;
  }
  if (a->waits == FM__HOLDS) {
    a->waits = fm__arming(a); // the event it waited for has come
    return true;
  }
  unsigned kind = a->waits & (FM__WKIND | FM__ARMED);
  fm_frame *f = fm__waited_for(a);
  if (fm__likely(kind == FM__WTAKE)) {
    fm_node *child = fm__waited_for(a);
    f = child->leaf;
    fm__release(d, child);
  } else if (fm__unlikely(kind != FM__WRESULT)) {
    return receive_more(d, a);
  }
  a->waits = 0;
  d->c.result = fm__result_of(f);
  if (--f->spare == 0)
    fm__hand_over(d, f);
  return true;
}

bool fm__receive_result(fm__runtime *d, fm_node *a) {
  return receive(d, a);
}

// Stores only values that change: a switch consists of stores.
static inline void restore_errno(int *err, const fm_node *a) {
  if (fm__unlikely((int16_t)*err != a->err))
    *err = a->err;
}

static inline void save_errno(fm_node *a, const int *err) {
  if (fm__unlikely((int16_t)*err != a->err))
    a->err = (int16_t)*err;
}

// Notes where the activity that has paused goes on. Between pauses c->top and c->leaf are NULL. In
// a yield top may be NULL too: the activity goes on where it was resumed.
static inline void note_leaf(fm__runtime *d, fm_node *a) {
  fm_frame *leaf = d->c.top ? d->c.top : a->leaf;
  if (fm__unlikely(d->c.leaf)) {
    leaf = d->c.leaf;
    d->c.leaf = NULL;
  }
  d->c.top = NULL;
  if (fm__unlikely(a->leaf != leaf))
    a->leaf = leaf;
}

// Only one activity awaits a: its parent, or the owner of the scope that is its parent. Returns it
// if it goes on at once and reads the result in place: if nothing else is ready and this is the
// domain's own loop. Otherwise it takes a when it goes on; so nodes are released in the order in
// which they were made. An arm of a race wins by that.
static inline fm_node *
end_awaited(fm__runtime *d, fm_node *a, fm_frame *f, bool own_loop) {
  fm_node *w = (fm_node *)(a->waiters - FM__SOLE);
  fm__ato_joined(a, w);
  if (fm__unlikely(w->word & (FM__HELD | FM__INNER | FM__ARM)) &&
      (w->word & FM__ARM || (fm__load(unsigned, &d->attention) & FM__PAUSES &&
                             fm__innermost(w)->word & FM__HELD))) {
    fm__end_body(d, a, f);
    return NULL;
  }
  a->waiters = 0;
  if (own_loop && !d->base.head) {
    fm__to_idle(d, a);
    w->waits = 0;
    d->c.result = fm__result_of(f);
    fm__hand_over(d, f);
    return w;
  }
  f->spare = 1;
  a->leaf = f;
  a->word |= FM__ENDED;
  w->waits = (uintptr_t)a | FM__WTAKE;
  fm__ready(d, w);
  return NULL;
}

enum { INNER_LOOP = false, OWN_LOOP = true };

// Ends the first call of a. The common cases, without children and flags, are here. Returns the
// activity that goes on at once.
static inline __attribute__((always_inline)) fm_node *
end(fm__runtime *d, fm_node *a, fm_frame *f, bool own_loop) {
  if (fm__unlikely(a->child || a->word & FM__ANY)) {
    fm__end_body(d, a, f);
  } else if (a->waiters & FM__SOLE) {
    return end_awaited(d, a, f, own_loop);
  } else if (fm__unlikely(a->waiters ||
                          (a->handles && a->parent->word & FM__BODY))) {
    fm__end_body(d, a, f);
  } else if (a->handles) {
    f->spare = 1;
    a->leaf = f;
    a->word |= FM__ENDED;
  } else {
    fm_node *p = a->parent;
    fm__frame_free(&d->c, f);
    fm__to_idle(d, a);
    if (p->word & FM__BODY && fm__unlikely(!fm__has_live_child(p)))
      fm__child_ended(d, p);
  }
  return NULL;
}

static inline void begin(fm__runtime *d, fm_node *a, int *err) {
  d->current = a;
  restore_errno(err, a);
  fm__ato_turn(d, a);
}

static inline void resume(fm__runtime *d, fm_frame *f) {
  fm__ato_resumes(f);
  f->code->resume(&d->c, f);
  fm__ato_resumes(NULL);
}

// The call of f has ended, and its caller goes on.
static inline fm_frame *go_up(fm__runtime *d, fm_node *a, fm_frame *f) {
  fm_frame *ended = f;
  a->leaf = f = f->parent;
  d->c.result = fm__result_of(ended);
  fm__hand_over(d, ended);
  return f;
}

static inline void
note_pause(fm__runtime *d, fm_node *a, const int *err, unsigned why) {
  note_leaf(d, a);
  save_errno(a, err);
  // see wake-order.c
  if (fm__likely(why == FM__PAUSED))
    a->leaf->spare = ++d->stamp;
}

// The rest of a turn in which a unwinds. The function of f has been left by unwinding; f NULL: from
// the innermost function on. Apart from turn(), because hot code is faster the less there is of it.
static FM_COLD unsigned unwound(fm__runtime *d, fm_node *a, fm_frame *f) {
  unsigned why;
  for (f = f ? fm__left(d, a, f) : fm__land(d, a, a->leaf); f;
       f = fm__left(d, a, f)) {
    resume(d, f);
    while (!(why = fm__reason(d))) {
      if (!f->parent) {
        end(d, a, f, INNER_LOOP);
        return FM__GOING;
      }
      f = go_up(d, a, f);
      resume(d, f);
    }
    if (why != FM__UNWINDS) {
      note_pause(d, a, d->err, why);
      return why;
    }
  }
  return FM__GOING;
}

static FM_COLD void note_other_leaf(fm__runtime *d, fm_node *a) {
  note_leaf(d, a);
}

// Usually the function that was resumed is the one that yields or waits.
static inline void note_yield(fm__runtime *d, fm_node *a, const int *err) {
  if (fm__unlikely(d->c.top))
    note_other_leaf(d, a);
  save_errno(a, err);
}

static inline void
note_wait(fm__runtime *d, fm_node *a, fm_frame *f, const int *err) {
  if (fm__unlikely(d->c.top)) {
    note_other_leaf(d, a);
    f = a->leaf;
  }
  save_errno(a, err);
  f->spare = ++d->stamp; // see wake-order.c
}

static inline unsigned reason_in(uintptr_t guard) {
  return guard > FM_STOP ? (unsigned)~guard : FM__GOING;
}

// Runs *a until it pauses, and returns the reason; GOING: it has ended. *a is then the activity
// that paused or ended. A yield comes first: a switch is little else, and each instruction counts
// there.
static inline __attribute__((always_inline)) unsigned
run(fm__runtime *d, fm_node **a, bool own_loop, int *err, uintptr_t limit) {
  fm_frame *f = (*a)->leaf;
  uintptr_t guard;
  unsigned why;
  begin(d, *a, err);
  if (fm__unlikely(!receive(d, *a)))
    return unwound(d, *a, NULL);
  fm__store(uintptr_t, &d->c.guard, limit);
  for (;;) {
    resume(d, f);
    guard = fm__load(uintptr_t, &d->c.guard);
    if (fm__likely(guard == FM_PAUSE(FM__YIELDS))) {
      note_yield(d, *a, err);
      return FM__YIELDS;
    }
    if (fm__likely(guard == FM_PAUSE(FM__PAUSED))) {
      note_wait(d, *a, f, err);
      return FM__PAUSED;
    }
    if (fm__unlikely((why = reason_in(guard))))
      break;
    if (fm__unlikely(f->parent)) {
      f = go_up(d, *a, f);
    } else {
      if (!(*a = end(d, *a, f, own_loop)))
        return FM__GOING;
      begin(d, *a, err);
      f = (*a)->leaf;
    }
  }
  if (fm__unlikely(why == FM__UNWINDS))
    return unwound(d, *a, f);
  note_pause(d, *a, err, why);
  return why;
}

static inline __attribute__((always_inline)) unsigned
turn(fm__runtime *d, fm_node **a, bool own_loop, int *err, uintptr_t limit) {
  fm__ato_turn_before was;
  fm__ato_turn_enter(&was);
  unsigned why = run(d, a, own_loop, err, limit);
  fm__ato_turn_leave(&was);
  return why;
}

static FM__SHARED unsigned turn_once(fm__runtime *d, fm_node *a) {
  return turn(d, &a, INNER_LOOP, d->err, d->rest);
}

static unsigned unwind_again(fm__runtime *d, fm_node *a) {
  fm__ato_turn_before was;
  fm__ato_turn_enter(&was);
  fm__ato_turn(d, a);
  unsigned how = unwound(d, a, NULL);
  fm__ato_turn_leave(&was);
  return how;
}

// a left its function for a rare operation, which has been done, or has thrown.
static FM_COLD unsigned go_again(fm__runtime *d, fm_node *a) {
  unsigned how;
  do {
    if (fm__throws()) {
      fm__unwind(&d->c);
      how = unwind_again(d, a);
    } else {
      a->waits |= FM__HOLDS;
      how = turn_once(d, a);
    }
  } while (how == FM__AGAIN);
  return how;
}

unsigned fm__nested_turn(fm__runtime *d, fm_node *a) {
  unsigned how = turn_once(d, a);
  return fm__unlikely(how == FM__AGAIN) ? go_again(d, a) : how;
}

// ---- the loop ----
// Where many activities are ready, each is a miss of the cache, and so is its frame. Both are
// fetched one turn ahead. (The link of the last one is void, but may be fetched.)
static inline fm_node *pop(fm__set *s) {
  fm_node *a = s->head;
  fm_node *next = NULL;
  if (fm__unlikely(!a))
    return NULL;
  if (a != s->tail) {
    next = a->link;
    __builtin_prefetch(next->link, 1);
    __builtin_prefetch(next->leaf, 1);
  }
  fm__set_head(s, next);
  return a;
}

uint64_t fm__draw(fm__runtime *d, uint64_t n) {
  d->random = d->random * 6364136223846793005u + 1442695040888963407u;
  return (d->random >> 33) % n;
}

// Takes a, which is in the queue.
static fm_node *take(fm__set *s, fm_node *a) {
  fm_node *before = s->head;
  if (a == before) {
    a->word &= ~(uint64_t)FM__FIRST;
    return pop(s);
  }
  while (before->link != a)
    before = before->link;
  if (a == s->tail)
    s->tail = before;
  else
    before->link = a->link;
  return a;
}

// One of the first few: then the queue is not walked to its end, and no activity is passed over for
// ever.
static fm_node *choose_random(fm__runtime *d, fm__set *s) {
  enum { FEW = 32 };
  fm_node *a = s->head;
  uint64_t n = 1;
  uint64_t k;
  for (; n < FEW && a != s->tail; a = a->link)
    n++;
  k = s->head->word & FM__FIRST ? 0 : fm__draw(d, n);
  for (a = s->head; k > 0; k--)
    a = a->link;
  return a;
}

static fm_node *pop_random(fm__runtime *d, fm__set *s) {
  return take(s, d->explorer ? fm__explore_choose(d, s) : choose_random(d, s));
}

static inline __attribute__((always_inline)) fm_node *
next_with_care(fm__runtime *d, fm__set *s) {
  fm_node *a;
  // with nothing ready, fm__idle looks
  if ((s->head || d->attention & FM__STARTS) &&
      d->attention & (FM__INBOX | FM__LOOKS))
    fm__look_sometimes(d);
  if (fm__unlikely(d->attention & FM__STARTS) && s == &d->base &&
      fm__starts_turn(d))
    fm__starts_take(d);
  do
    a = d->attention & FM__RANDOM && s->head ? pop_random(d, s) : pop(s);
  while (a && FM__IS_LINKED(fm__set_aside) && fm__set_aside(d, a));
  if (fm__unlikely(d->attention & FM__SLOW))
    fm__watchdog_turn(d, a != NULL);
  return a;
}

static inline unsigned attention(fm__runtime *d) {
  return fm__load(unsigned, &d->attention);
}

// A switch stays fast while only a timer is set: the next look at it is some turns away.
static inline bool need_not_care(fm__runtime *d) {
  return fm__likely(!attention(d)) ||
         (attention(d) == FM__LOOKS && --d->turns_left >= 0);
}

// To the front of the queue, after the activities of the same cascade, which spilled because the
// stack was low.
void fm__goes_first(fm__runtime *d, fm_node *a) {
  fm__set *s = fm__set_of(d, a);
  fm_node *before = d->cascade;
  a->word |= FM__FIRST;
  if (!s->head || s->tail == before) {
    fm__push(s, a);
  } else if (before) {
    a->link = before->link;
    before->link = a;
  } else {
    a->link = s->head;
    fm__set_head(s, a);
  }
  d->cascade = a;
}

// true: the stack was low, and a goes on at once.
FM_COLD bool fm__spilled(fm__runtime *d, fm_node *a) {
  if (fm__reason(d) == FM__FAILED)
    fm__fatal(d, d->failure);
  if (!d->cascade)
    return true;
  fm__goes_first(d, a);
  d->cascade = NULL;
  return false;
}

void fm__requeue(fm__runtime *d, fm_node *a, unsigned how) {
  if (how == FM__SLICED) {
    a->waits |= FM__HOLDS;
    a->leaf->spare = ++d->stamp; // see wake-order.c
    d->host_waits = false;
    if (d->starts)
      fm__starts_sliced(d);
    if (fm__unlikely(a->word & FM__ARM))
      fm__arm_yields(d, a);
  }
  fm__push(fm__set_of(d, a), a);
}

// a has had a turn. true: it goes on at once.
static inline bool after_turn(fm__runtime *d, fm_node *a, unsigned how) {
  if (how == FM__YIELDS || how == FM__SLICED)
    fm__requeue(d, a, how);
  return fm__unlikely(how >= FM__SPILLED) && fm__spilled(d, a);
}

static inline __attribute__((always_inline)) unsigned go(fm__runtime *d,
                                                         fm_node *a) {
  unsigned how;
  do
    how = fm__nested_turn(d, a);
  while (after_turn(d, a, how));
  return how;
}

static FM_COLD fm_node *
run_with_care(fm__runtime *d, fm__set *s, const fm_node *me) {
  d->current = NULL; // no activity runs
  fm__dump_if_wanted(d);
  fm_node *a = next_with_care(d, s);
  if (!a || a == me)
    return a;
  bool traced = attention(d) & FM__TRACE;
  uint64_t generation = fm__generation(a);
  uint64_t before = traced ? fm__trace_begin(d, a, me != NULL) : 0;
  bool counted = attention(d) & FM__COUNT;
  uint64_t outer = counted ? fm__counts_turn(d, a) : 0;
  unsigned how = go(d, a);
  if (counted)
    fm__counts_over(d, a, generation, outer);
  if (traced)
    fm__trace_end(d, a, generation, before, how);
  return a;
}

fm_node *fm__run_next(fm__runtime *d, fm__set *s, const fm_node *me) {
  if (fm__unlikely(attention(d)))
    return run_with_care(d, s, me);
  fm_node *a = pop(s);
  if (a && a != me)
    go(d, a);
  return a;
}

// While a trace is written or turns are counted, the loop has no turns of its own: it sees that
// nothing is ready, and looks again.
static FM_COLD __attribute__((noinline)) bool is_traced(fm__runtime *d,
                                                        fm__set *s) {
  fm__dump_if_wanted(d);
  if (!(attention(d) & (FM__TRACE | FM__COUNT)))
    return false;
  run_with_care(d, s, NULL);
  if (!s->head && attention(d) & FM__TRACE)
    fm__trace_idle(d);
  if (!s->head && attention(d) & FM__COUNT)
    fm__counts_idle(d);
  return true;
}

static FM_COLD fm_node *next_of_loop(fm__runtime *d, fm__set *s) {
  d->current = NULL; // no activity runs
  if (fm__unlikely(attention(d) & (FM__DUMP | FM__TRACE | FM__COUNT)) &&
      is_traced(d, s))
    return NULL;
  return next_with_care(d, s);
}

// a yields: it goes to the end of the queue, and the first one is taken, in one step. This is what
// a switch is.
static inline fm_node *rotate(fm__set *s, fm_node *a) {
  fm_node *first = s->head;
  fm_node *last = s->tail;
  if (fm__unlikely(!first))
    return a;
  last->link = a;
  s->tail = a;
  fm__set_head(s, first == last ? a : first->link);
  return first;
}

// For the event loop of a host or a page: at most `most` turns. Returns how many there were; fewer:
// nothing is ready, or the host is to go on.
int fm__run_some(fm__runtime *d, int most) {
  fm__set *s = &d->base;
  int turns = 0;
  while (turns < most && d->host_waits && !(attention(d) & FM__STOP_LOOP)) {
    fm_node *a = attention(d) ? NULL : pop(s);
    unsigned how;
    FM__TURN_BEGINS(
        &d->c); // not of nested turns: a loop of these has to end, too
    if (!a && !(attention(d) && run_with_care(d, s, NULL)))
      break;
    turns++;
    if (!a)
      continue;
    do {
      while (fm__likely((how = turn_once(d, a)) == FM__YIELDS) &&
             turns < most && !attention(d)) {
        a = rotate(s, a);
        turns++;
        FM__TURN_BEGINS(&d->c);
      }
      if (fm__unlikely(how == FM__AGAIN))
        how = go_again(d, a);
    } while (after_turn(d, a, how));
  }
  return turns;
}

// Between turns the top set is the domain's own.
__attribute__((aligned(64))) void fm__loop(fm__runtime *d) {
  fm__set *s = &d->base;
  int *err = d->err;
  uintptr_t limit = d->rest;
  for (;;) {
    fm_node *a;
    unsigned how = attention(d);
    if (fm__likely(!how))
      a = pop(s);
    else if (how & FM__STOP_LOOP)
      break;
    else if (how == FM__LOOKS && (!s->head || --d->turns_left >= 0))
      a = pop(s);
    else
      a = next_of_loop(d, s);
    if (fm__unlikely(!a)) {
      fm__idle(d, s);
      continue;
    }
    while (
        fm__likely((how = turn(d, &a, OWN_LOOP, err, limit)) == FM__YIELDS) &&
        need_not_care(d))
      a = rotate(s, a);
    if (fm__unlikely(how == FM__AGAIN))
      how = go_again(d, a);
    if (fm__likely(how == FM__GOING || how == FM__PAUSED))
      continue;
    if (how == FM__YIELDS || how == FM__SLICED)
      fm__requeue(d, a, how);
    else if (fm__spilled(d, a))
      go(d, a);
  }
  d->attention &= ~(unsigned)FM__STOP_LOOP;
  if (fm__unlikely(d->attention & FM__SLOW))
    fm__watchdog_turn(d, false);
  d->current = NULL;
}
