// scope.c: scopes and shields: nodes of the tree that belong to an activity, the owner, for a
// stretch of its code. They stand between the owner and its children: the innermost one is the
// parent of activities that the owner makes. A node is small, so an activity in a region keeps its
// innermost region in the field of its ring of waiters, and that region keeps the ring
// (fm__waiters).
//
// A scope has ended when its body and its children have; its owner waits for that. A shield stops
// the marks of cancels from above. When it ends, its children and its owner get those marks.
#include "fm.h"

// ---- the stack of an activity's scopes and shields ----
static fm_node *owner_here(fm__runtime *d) {
  return d->current ? d->current : &d->host;
}

fm_node *fm__region_enter(fm__runtime *d, unsigned flags) {
  fm_node *a = owner_here(d);
  fm_node *outer = fm__innermost(a);
  fm_node *s = fm__node_new(d, outer, NULL);
  bool atomic = fm__is_atomic(d);
  bool held = flags & FM__SHIELD || (atomic && !fm__is_inside(d, outer));
  unsigned marks = held ? FM__HELD : FM__INHERITED;
  s->handles = 0;
  s->set = atomic ? fm__top_set(d)->level : 0;
  s->owner = a;
  s->word |= flags | (outer->word & marks);
  s->outer = *fm__waiters(a);
  a->waiters = (uintptr_t)s;
  a->word |= FM__INNER;
  return s;
}

static inline void pop_from_owner(fm__runtime *d, fm_node *s) {
  fm_node *a = s->owner;
  fm_node *outer = s->parent;
  if (outer == a) {
    a->waiters = s->outer;
    a->word &= ~(uint64_t)FM__INNER;
  } else {
    outer->outer = s->outer;
    a->waiters = (uintptr_t)outer;
  }
  s->waits = 0;
  s->set = 0;
  if (s->handles)
    fm__deadlines_end(d, s);
}

void fm__region_pop(fm__runtime *d, fm_node *s) {
  if (s->word & FM__RACE)
    fm__race_forget(d, s);
  pop_from_owner(d, s);
  if (s->word & FM__STOPPED)
    fm__unpause(d, s);
  if (s->waiters)
    fm__wake_waiters(d, s);
  fm__release(d, s);
}

void fm__region_wait(fm__runtime *d, fm_node *s) {
  d->c.result = NULL;
  s->word |= FM__BODY;
  if (!fm__sort_children(s) && !fm__revive_kept(d, s)) {
    s->word |= FM__ENDED;
    return;
  }
  if (fm__in_atomic(d))
    fm__contain_children(d, s, NULL);
  fm__pause_for(d, FM__WJOIN, s);
}

// ---- shields ----
void fm__shield_enter(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm__rearm(fm__region_enter(d, FM__SHIELD)->owner);
}

// All children of a node stand in the order in which they were made, so it makes no difference
// whether a shield was needed. Those of the parent that are younger than s come from `spawn in`.
static void hand_up(fm_node *s, fm_node *child) {
  fm_node *before = s->parent->child->prev;
  while (before != s && fm__generation(before) > fm__generation(child))
    before = before->prev;
  fm__ring_remove(child);
  fm__ring_insert(before, child);
}

static void hand_children_up(fm_node *s) {
  while (s->child)
    hand_up(s, s->child);
}

void fm__shield_leave(fm_domain *c) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *a = owner_here(d);
  fm_node *s = fm__innermost(a);
  fm_node *outer = s->parent;
  hand_children_up(s);
  fm__region_pop(d, s);
  fm__rearm(a);
  if (outer->word & FM__CANCELLED &&
      (!fm__is_atomic(d) || fm__is_inside(d, outer)))
    fm__cancel_below(d, outer);
}

// ---- scopes ----
void fm__scope_enter(fm_domain *c, fm_activity *id) {
  fm_node *s = fm__region_enter(fm__runtime_of(c), FM__SCOPE);
  if (id)
    *id = (fm_activity){ s, fm__generation(s) };
}

void fm__scope_failed(fm__runtime *d, fm_node *s, fm_error *e) {
  s->errors = fm__error_add(s->errors, e);
  fm__cancel(d, s);
}

void fm__scope_ended(fm__runtime *d, fm_node *s) {
  fm_node *a = s->owner;
  if (fm__unlikely(s->child && fm__revive_kept(d, s))) {
    if (fm__in_atomic(d))
      fm__contain_children(d, s, NULL);
    return;
  }
  s->word |= FM__ENDED;
  if (s->parent->word & FM__CANCELLED && (s->set || fm__may_unwind(d, a)))
    s->word |= FM__MET;
  a->waits = FM__HOLDS;
  if (s->word & FM__RACE && !fm__winner(s)) {
    fm__race_lost(d, s);
    a->waits |= FM__MUST;
  }
  fm__ready(d, a);
}

// No mark is on it or around it. What its end does to the owner (fm__region_pop, fm__rearm) is
// little then.
static inline bool is_plain(const fm_node *s) {
  return (s->word & FM__ANY) == FM__SCOPE &&
         !(s->parent->word & FM__INHERITED) && !s->child && !s->errors &&
         !s->waiters;
}

int fm__scope_stays(fm_domain *c, fm_error *e) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__innermost(owner_here(d));
  if (fm__unlikely(e || !is_plain(s)))
    return 1;
  pop_from_owner(d, s);
  fm__to_idle(d, s);
  return 0;
}

void fm__scope_end(fm_domain *c, fm_error *e) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *s = fm__innermost(owner_here(d));
  if (e)
    fm__cancel(d, s);
  fm__region_wait(d, s);
}

// The errors of children, in the order in which they came; those of tasks that were kept come last.
static fm_error *errors_of(fm__runtime *d, fm_node *s) {
  if (fm__likely(!s->child && !s->errors))
    return NULL;
  fm_error *errors = s->word & FM__RACE ? NULL : s->errors;
  fm_error *kept = fm__drop_kept(d, s);
  if (s->word & FM__RACE) {
    fm__error_unwanted(d, s->owner, kept, "in a race that was left");
    return NULL;
  }
  return kept ? fm__error_add(errors, kept) : errors;
}

// How the owner goes on after the scope. word: that of the scope. e: the error or cancel that left
// the body. errors: those of the children.
// An error that left the body, or that a child threw by itself, is thrown, together with all
// others. Otherwise a cancel from above decides: if it has been met, or has come besides the
// scope's own, it unwinds on and carries the errors of cleanups. Without such a cancel these errors
// are thrown.
static fm_error *outcome(
    fm__runtime *d, fm_node *a, uint64_t word, fm_error *e, fm_error *errors) {
  bool cut =
      fm__cancels(e) || word & FM__MET || (word & FM__TARGET && word & FM__CUT);
  bool unwinds = cut && (fm__may_unwind(d, a) || fm__is_cancelled_inside(d));
  bool failed = (e && !fm__cancels(e)) || !fm__error_all_in_cancel(errors);
  fm_error *all = fm__carried(e);
  if (errors)
    all = fm__error_add(all, errors);
  if (failed || (all && !unwinds))
    return fm__error_in_flight(all);
  return unwinds || (fm__cancels(e) && !(word & FM__TARGET)) ? fm__carry(all)
                                                             : NULL;
}

int fm__scope_leave(fm_domain *c, fm_error **e) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *a = owner_here(d);
  fm_node *s = fm__innermost(a);
  uint64_t word = s->word;
  fm_error *errors = errors_of(d, s);
  bool cut = fm__cancels(*e) || word & FM__CUT;
  fm__region_pop(d, s);
  fm__rearm(a);
  *e = outcome(d, a, word, *e, errors);
  return !*e && cut && word & FM__TARGET;
}
