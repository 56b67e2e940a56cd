// cancel.c: cancel. It marks a node and all below it, but for nodes that are shielded or were made
// in an atomic that goes on; children that are made there later inherit the mark. So nodes below a
// marked node need not be visited again, and the innermost scope or shield of an activity alone
// decides whether the activity is to unwind.
//
// An activity that is to unwind is *armed*: while it runs or is ready, `waits` holds FM__ARMED in
// place of a wait. Only code that reads `waits` anyhow sees that: the beginning of a turn, and a
// primitive that is about to wait. The wait of a blocked activity is withdrawn; the activity is
// armed and made ready. An activity whose wait has been completed gets the result first.
#include "fm.h"

// ---- arming ----
void fm__rearm(fm_node *a) {
  a->waits = fm__arming(a);
}

static bool owns_set(fm__runtime *d, const fm_node *a) {
  for (fm__set *s = fm__top_set(d); s->owner; s = s->below)
    if (s->owner == a)
      return true;
  return false;
}

// While another atomic of the same activity goes on, the end of an inner one changes nothing.
void fm__rearm_after_atomic(fm__runtime *d, fm_node *a) {
  fm_node *inner = fm__innermost(a);
  if (!(inner->word & FM__CANCELLED) || owns_set(d, a))
    return;
  fm__rearm(a);
  fm__cancel_below(d, inner);
}

// ---- blocked activities ----
// The activity waits for the end of its own scope, which only the ends of its children can end.
static bool waits_for_region(const fm_node *a) {
  const fm_node *s = fm__waited_for(a);
  return s->word & FM__REGION && s->word & FM__BODY && s->owner == a;
}

bool fm__may_unwind(fm__runtime *d, fm_node *w) {
  return !(w->word & FM__HUB) && fm__to_unwind(w) &&
         !(fm__in_atomic(d) && owns_set(d, w));
}

// All activities that wait for one node and are to unwind leave together: each ring is walked once.
static void leave_ring(fm__runtime *d, fm_node *a, fm__wake_list *out) {
  fm_node *last = fm__last_waiter(a);
  fm_node *w;
  fm_node *next = last->link;
  fm_node *kept = NULL;
  do {
    w = next;
    next = w->link;
    if (fm__may_unwind(d, w)) {
      if (fm__waits_kind(w) == FM__WAWAIT)
        // The await has had no effect: it gives the handle back.
        a->handles++;
      w->waits = FM__ARMED;
      fm__wake_list_add(out, w);
    } else {
      w->link = kept ? kept->link : w;
      if (kept)
        kept->link = w;
      kept = w;
    }
  } while (w != last);
  *fm__waiters(a) = (uintptr_t)kept;
}

static void interrupt(fm__runtime *d, fm_node *a, fm__wake_list *out) {
  if (a->word & FM__BODY || !fm__may_unwind(d, a))
    return;
  switch (fm__waits_kind(a)) {
  case 0:
  case FM__WRESULT:
  case FM__WTAKE:
    a->waits |= FM__ARMED;
    break;
  case FM__WAWAIT:
  case FM__WJOIN:
    if (!waits_for_region(a))
      leave_ring(d, fm__waited_for(a), out);
    break;
  case FM__WOBJECT:
    if (fm__wait_cancel(d, a)) {
      a->waits = FM__ARMED;
      fm__wake_list_add(out, a);
    }
  }
}

// ---- what an atomic holds back ----
// The level of the set in which an activity was made; while it is in an atomic itself, `set` is
// that one's.
static unsigned made_at(fm__runtime *d, const fm_node *a) {
  unsigned level = a->set;
  for (fm__set *s = fm__top_set(d); s->owner; s = s->below)
    if (s->owner == a)
      level = s->owner_was;
  return level;
}

static unsigned level_of(fm__runtime *d, fm_node *a) {
  return a->word & FM__REGION && a->set ? a->set : made_at(d, fm__owner(a));
}

static bool is_older(const fm_node *a, const fm__set *s) {
  return fm__generation(a) <= ((const fm__inner_set *)s)->serial;
}

// A delayed activity is in no set yet: that of the atomic in which it was made counts.
static unsigned delayed_at(fm__runtime *d, const fm_node *a) {
  const fm__set *s = fm__top_set(d);
  while (s->owner && is_older(a, s))
    s = s->below;
  return s->level;
}

// An activity that was made in an atomic which the cancelled node is not in gets the mark at the
// atomic's end (fm__rearm_after_atomic).
static bool held_back(fm__runtime *d, fm_node *a, unsigned level) {
  if (a->word & FM__DELAYED)
    return delayed_at(d, a) > level;
  return a->word & FM__CONTAINED && made_at(d, a) > level;
}

bool fm__holds_back(fm__runtime *d, fm_node *a) {
  return fm__in_atomic(d) && held_back(d, a, level_of(d, a->parent));
}

// Such an activity has not begun. A cancel may have come to it in an outer atomic, or may have been
// held back in an inner one; its own one stays.
void fm__mark_contained(fm__runtime *d, fm_node *a) {
  if (a->parent->word & FM__CANCELLED && !fm__holds_back(d, a))
    a->word |= FM__CANCELLED;
  else if (!(a->word & FM__AIMED))
    a->word &= ~(uint64_t)FM__CANCELLED;
  fm__rearm(a);
}

// ---- the subtree ----
static void mark(fm__runtime *d, fm_node *top) {
  fm_node *at = top;
  bool in_atomic = fm__in_atomic(d);
  unsigned level = in_atomic ? level_of(d, top) : 0;
  while (at) {
    bool stop = at->word & (FM__CANCELLED | FM__SHIELD | FM__ENDED) ||
                (in_atomic && at != top && held_back(d, at, level));
    if (!stop)
      at->word |= FM__CANCELLED | FM__FRESH;
    at = fm__tree_step(top, at, !stop);
  }
}

static void interrupt_marked(fm__runtime *d, fm_node *top, fm__wake_list *out) {
  fm_node *at = top;
  while (at) {
    bool fresh = at->word & FM__FRESH;
    if (fresh) {
      at->word &= ~(uint64_t)FM__FRESH;
      interrupt(d, fm__owner(at), out);
    }
    at = fm__tree_step(top, at, fresh);
  }
}

void fm__cancel(fm__runtime *d, fm_node *a) {
  fm__wake_list out = { 0 };
  if (a->word & (FM__CANCELLED | FM__ENDED))
    return;
  mark(d, a);
  a->word |= FM__AIMED;
  if (d->stopped)
    fm__end_pauses(d, a, &out);
  fm__wake_list_release(d, &out);
  interrupt_marked(d, a, &out);
  fm__wake_list_release(d, &out);
  if (fm__unlikely(d->lines != NULL))
    fm__lines_serve(d);
}

void fm__cut_short(fm_node *a) {
  while ((a->word & (FM__CANCELLED | FM__AIMED)) == FM__CANCELLED)
    a = a->parent;
  if (a->word & FM__SCOPE && a->word & FM__AIMED)
    a->word |= FM__CUT;
}

// The mark of a goes down now. It is one cancel: all that it releases go on in the order in which
// they had blocked, whichever child they are below.
void fm__cancel_below(fm__runtime *d, fm_node *a) {
  enum { NOT_MARKED = FM__CANCELLED | FM__ENDED | FM__SHIELD };
  fm_node *child = a->child;
  fm__wake_list paused = { 0 };
  fm__wake_list out = { 0 };
  if (!child)
    return;
  bool held = fm__lines_hold(d);
  do {
    if (!(child->word & NOT_MARKED)) {
      mark(d, child);
      if (d->stopped)
        fm__end_pauses(d, child, &paused);
    }
    child = child->next;
  } while (child != a->child);
  fm__wake_list_release(d, &paused);
  do {
    interrupt_marked(d, child, &out);
    child = child->next;
  } while (child != a->child);
  fm__wake_list_release(d, &out);
  fm__lines_release(d, held);
}

// The outermost atomic has ended; a has not begun. The cancel lifts pauses here, too.
void fm__mark_released(fm__runtime *d, fm_node *a) {
  fm__wake_list out = { 0 };
  a->word |= FM__CANCELLED;
  fm__rearm(a);
  if (d->stopped)
    fm__end_pauses(d, a, &out);
  fm__wake_list_release(d, &out);
}

void fm__cancel_group(fm_domain *c, fm_share_group *g) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *p = fm__innermost(d->current);
  fm_node *child = p->child;
  if (!child || !g->first)
    return;
  g->first = (fm_node *)((uintptr_t)g->first | FM__LEFT);
  bool held = fm__lines_hold(d);
  do {
    if (fm__group(child) == g)
      fm__cancel(d, child);
    child = child->next;
  } while (child != p->child);
  fm__lines_release(d, held);
}

// ---- what programs call ----
void fm__cancel_target(fm__runtime *d, fm_node *a, struct fm_cancelled value) {
  // Nothing is left to cancel, but a pause may hold the end of a scope.
  if (a->word & FM__ENDED) {
    if (FM__IS_LINKED(fm__resume))
      fm__resume(d, a);
    return;
  }
  if (fm__tracing())
    fm__trace_cancel(d, a, value);
  if (!(a->word & FM__TARGET))
    fm__cancel_origin_set(d, a, value);
  fm__cancel(d, a);
}

void fm__cancel_at(fm_activity a, const char *file, int line) {
  if (fm__is_remote(a)) {
    fm__remote_cancel(a, file, line);
    return;
  }
  if (fm__is_valid(a.node, a.generation))
    fm__cancel_target(fm__runtime_of(fm__here()),
                      a.node,
                      (struct fm_cancelled){ fm_self(), file, line });
}

void(fm_cancel)(fm_activity a) {
  fm__cancel_at(a, NULL, 0);
}

bool fm_cancelled(fm_activity a) {
  if (fm__is_remote(a))
    return fm__remote_word(a) & FM__CANCELLED;
  return fm__is_valid(a.node, a.generation) && a.node->word & FM__CANCELLED;
}

// For library/writer.c.
bool fm__cancel_pends(void) {
  fm_node *a = fm_self().node;
  if (!a)
    return false;
  for (const fm_node *n = fm__innermost(a); n; n = n->parent)
    if (n->word & FM__CANCELLED)
      return true;
  return false;
}
