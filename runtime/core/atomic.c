// atomic.c: the stack of sets. While an atomic is under way, only activities of the top set run:
// the owner, which is in the atomic, and the activities that the atomic contains. Entering pushes a
// set; leaving waits until the set is empty and pops it. So the sets nest exactly as the C stack
// does, on which the owners of lower sets stand below.
//
// An activity that is spawned in an atomic and not contained is *delayed*: it is ready in the
// domain's own set, which does not run. When the atomic waits for it, it moves to the top set. When
// the outermost atomic ends, it is an activity like any other.
#include "fm.h"

#include <string.h>

// ---- delayed activities: they follow d->delayed_after in the base queue and carry the flag ----
static fm_node *first_delayed(fm__runtime *d) {
  return d->delayed_after ? d->delayed_after->link : d->base.head;
}

static void unqueue(fm__runtime *d, fm_node *a) {
  fm__set *s = &d->base;
  fm_node *before = d->delayed_after;
  for (fm_node *at = first_delayed(d); at != a; at = at->link)
    before = at;
  if (!before)
    fm__set_head(s, a == s->tail ? NULL : a->link);
  else if (a != s->tail)
    before->link = a->link;
  if (a == s->tail)
    s->tail = before;
}

void fm__add_to_set(fm__runtime *d, fm_node *a) {
  fm__set *s = fm__top_set(d);
  a->set = s->level;
  s->live++;
  a->word |= FM__CONTAINED;
  if (d->called && !d->called->made)
    *d->called = (fm__called){ a, 0, true };
}

void fm__contain(fm__runtime *d, fm_node *a) {
  if (fm__start_here(d, a)) {
    fm__add_to_set(d, a);
    fm__push(fm__top_set(d), a);
    return;
  }
  // it goes on in its own domain, whatever is held back here
  if (fm__proxy(a)) {
    fm__wait_contain(d, a);
    return;
  }
  if (!(a->word & FM__DELAYED))
    return;
  unqueue(d, a);
  a->word &= ~(uint64_t)FM__DELAYED;
  fm__add_to_set(d, a);
  if (fm__unlikely((a->word | a->parent->word) & FM__CANCELLED))
    fm__mark_contained(d, a);
  fm__push(fm__top_set(d), a);
}

void fm__contain_children(fm__runtime *d, fm_node *a, const fm_share_group *g) {
  fm_node *child = a->child;
  if (child)
    do {
      if (!g || fm__group(child) == g)
        fm__contain(d, child);
      child = child->next;
    } while (child != a->child);
}

// a was made in the atomic, and has not begun. Its parent may be cancelled: the atomic has held
// that back (fm__inherit()); fm__rearm_after_atomic() comes to the region of the owner alone.
static inline void release(fm__runtime *d, fm_node *a) {
  a->word &= ~(uint64_t)FM__DELAYED;
  if (fm__unlikely(a->parent->word & FM__CANCELLED))
    fm__mark_released(d, a);
}

// Others that were woken meanwhile stand between the delayed ones.
static void release_delayed(fm__runtime *d) {
  fm__set *s = &d->base;
  if (s->head && s->tail != d->delayed_after)
    for (fm_node *a = first_delayed(d);; a = a->link) {
      if (a->word & FM__DELAYED)
        release(d, a);
      if (a == s->tail) {
        fm__tick_check(d);
        break;
      }
    }
  d->delayed_after = NULL;
}

// ---- sets ----
static fm__set *set_new(fm__runtime *d) {
  fm__set *s = d->sets;
  if (s)
    d->sets = s->below;
  else if (!(s = fm__alloc(sizeof(fm__inner_set))))
    fm__out_of_memory("atomic", "", sizeof(fm__inner_set));
  fm__set_head(s, NULL);
  s->live = 0;
  // relaxed for the reason that set_top gives
  __atomic_store_n(&s->external, 0, __ATOMIC_RELAXED);
  s->depth = 1;
  return s;
}

// The ticker reads the top set, and may still read a set that has been popped.
static void set_top(fm__runtime *d, fm__set *s) {
  __atomic_store_n((fm__set **)&d->set, s, __ATOMIC_RELEASE);
  d->nested = s->level;
}

static void set_push(fm__runtime *d) {
  fm__set *s = set_new(d);
  if (!fm__in_atomic(d))
    d->delayed_after = d->base.head ? d->base.tail : NULL;
  if (!d->current)
    d->current = &d->host;
  s->owner = d->current;
  s->below = fm__top_set(d);
  if (s->below->level == UINT16_MAX)
    fm__fatal(d, "atomics are nested too deeply");
  s->level = s->below->level + 1;
  s->owner_was = s->owner->set;
  s->owner->set = s->level;
  ((fm__inner_set *)s)->serial = d->serial;
  set_top(d, s);
}

static void set_pop(fm__runtime *d, fm__set *s) {
  set_top(d, s->below);
  s->owner->set = s->owner_was;
  fm__rearm_after_atomic(d, s->owner);
  if (!fm__in_atomic(d)) {
    if (d->current == &d->host)
      d->current = NULL;
    release_delayed(d);
  }
  s->below = d->sets;
  d->sets = s;
}

// ---- what generated code calls ----
// Apart, and called last: so the check costs two instructions.
static FM_COLD fm_domain *enter_traced(fm__runtime *d) {
  if (fm__top_set(d)->below == &d->base)
    fm__trace_atomic(d, true);
  return &d->c;
}

static FM_COLD void leave_traced(fm__runtime *d) {
  if (!fm__in_atomic(d))
    fm__trace_atomic(d, false);
}

// An inner atomic holds back the cancels of a scope of the outer one.
static bool has_scope(fm__runtime *d) {
  const fm_node *s = fm__innermost(d->current);
  while (s->word & FM__REGION && s->set && !fm__is_inside(d, s))
    s = s->parent;
  return fm__is_inside(d, s);
}

// A set that holds its owner alone serves that activity's inner atomics as well.
fm_domain *fm__atomic_enter(void) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm__set *s = fm__top_set(d);
  if (fm__is_atomic(d) && s->live == 0 && !has_scope(d)) {
    s->depth++;
    return &d->c;
  }
  set_push(d);
  return fm__tracing() ? enter_traced(d) : &d->c;
}

typedef enum {
  UNTIL_READY,
  UNTIL_ALONE,
} goal;

// Runs the top set until the current activity is ready again, or until all others have ended.
static void pump(fm__runtime *d, goal until) {
  fm_node *me = d->current;
  fm__set *s = fm__top_set(d);
  me->err = *d->err;
  s->stamp = ++d->stamp;
  if (fm__reason(d) == FM__YIELDS)
    fm__push(s, me);
  while (until == UNTIL_READY || s->live > 0) {
    fm_node *a = fm__run_next(d, s, me);
    if (a == me)
      break;
    if (!a)
      fm__idle(d, s);
  }
  d->current = me;
  *d->err = me->err;
  fm__set_guard(d, d->rest);
}

void fm__atomic_pump(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  if (!fm__reason(d))
    return;
  pump(d, UNTIL_READY);
  fm__receive_result(d, d->current);
}

void fm__atomic_result(fm_domain *c, void *r, void *to, size_t size) {
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED) {
    fm__atomic_pump(c);
    r = c->result;
  }
  if (size && fm__throws())
    memset(to, 0, size);
  else if (size)
    memcpy(to, r, size);
  fm__done(c);
}

// The atomic may be leaving with a result: waiting for contained activities must not change it.
void fm__atomic_leave(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__set *s = fm__top_set(d);
  if (s->live > 0) {
    void *result = c->result;
    fm_frame *done = c->done;
    c->done = NULL;
    pump(d, UNTIL_ALONE);
    fm__free_done(c);
    c->result = result;
    c->done = done;
  }
  if (--s->depth)
    return;
  set_pop(d, s);
  if (fm__tracing())
    leave_traced(d);
}

// ---- what a cancel can interrupt in an atomic: calls in a scope that was opened there ----
static void *await_here(fm_domain *c, fm_task t) {
  void *result = fm__await(c, t);
  if (!fm__stopped(c) || fm__below(c) != FM_PAUSED)
    return result;
  fm__atomic_pump(c);
  return c->result;
}

// Like a call: it begins at once, and its errno stays.
void *fm__atomic_call(fm_domain *c, fm_frame *root) {
  fm__runtime *d = fm__runtime_of(c);
  fm__called here = { 0 };
  fm__called *outer = d->called;
  d->called = &here;
  void *result =
      await_here(c, fm__spawn(c, root, FM_SPAWN_NOW, (fm_activity){ 0 }));
  d->called = outer;
  if (here.err)
    *d->err = here.err;
  return result;
}

// An activity that can be cancelled waits for the end. If it is cancelled, the task stays as it
// was.
void *fm__atomic_await(fm_domain *c, fm_task t) {
  fm__atomic_call(c, fm_join__fm_start(c, fm__id(t)));
  return fm__throws() ? NULL : await_here(c, t);
}

void fm__atomic_checkpoint(fm_domain *c) {
  if (fm__is_cancelled_inside(fm__runtime_of(c)))
    fm__thrown = FM_CANCELLING;
}
