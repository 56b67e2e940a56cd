// end.c: the end of an activity. Its first function has ended. While it has children that live, it
// waits for them (FM__BODY). Then it wakes the activities that wait for it, and leaves the tree; it
// stays there if it has handles, or an error that nobody has got. Its end may end its parent, too.
// sched.c has the common cases: an activity without children and flags, and one that its parent
// awaits.
//
// The result of an ended activity stays in its first frame. frame->spare counts its readers: the
// activities that awaited it, and the node itself while tasks are held.
#include "fm.h"

// ---- the ring of children ----
static void ring_to_front(fm_node *a) {
  fm_node *p = a->parent;
  if (p->child == a)
    return;
  fm__ring_remove(a);
  fm__ring_add(p, a);
  p->child = a;
}

bool fm__sort_children(fm_node *p) {
  fm_node *a = p->child;
  fm_node *last = a ? a->prev : NULL;
  fm_node *next;
  for (; a; a = a == last ? NULL : next) {
    next = a->next;
    if (a->word & FM__ENDED)
      ring_to_front(a);
  }
  return fm__has_live_child(p);
}

// ---- the end of an activity ----
uint32_t fm__wake_waiters(fm__runtime *d, fm_node *a) {
  if (FM__IS_LINKED(fm__arms_win))
    fm__arms_win(d, a);
  fm_node *last = fm__last_waiter(a);
  fm_node *w;
  fm_node *next;
  if (!last) // they were arms of races that were won elsewhere
    return 0;
  next = last->link;
  uintptr_t failed =
      a->word & (FM__REGION | FM__HUB) || !fm__has_failed(a->leaf) ? 0
                                                                   : FM__ARMED;
  uint32_t readers = 0;
  a->waiters = 0;
  do {
    w = next;
    next = w->link;
    fm__ato_joined(a, w);
    if (fm__unlikely(w->word & FM__HUB)) {
      if (w->owner)
        fm__hub_hears(d, w, a);
      else // no hub: the seat of a group
        fm__seat_hears(d, w);
      continue;
    }
    bool reads = fm__waits_kind(w) == FM__WAWAIT;
    w->waits = reads ? (uintptr_t)a->leaf | FM__WRESULT | failed : FM__HOLDS;
    readers += reads;
    fm__push(fm__set_of(d, w), w);
  } while (w != last);
  fm__tick_check(d);
  return readers;
}

void fm__withdraw(fm_node *w) {
  fm_node *a = fm__waited_for(w);
  fm_node *last = fm__last_waiter(a);
  fm_node *before = last;
  while (before->link != w)
    before = before->link;
  before->link = w->link;
  if (last == w)
    last = before == w ? NULL : before;
  *fm__waiters(a) = (uintptr_t)last;
}

// The last member of the group wakes the owner, if the owner waits for the group. A cancel that has
// come meanwhile makes the owner unwind there, unless it unwinds already.
void fm__leave_group(fm__runtime *d, fm_node *a) {
  fm_node *owner = fm__owner(a->parent);
  fm_share_group *g = fm__group(a);
  uintptr_t left = (uintptr_t)g->first - FM__MEMBER;
  a->handles = 0;
  g->first = left < FM__MEMBER ? NULL : (fm_node *)left;
  if (!g->first && owner->waits == ((uintptr_t)g | FM__WGROUP)) {
    owner->waits = left != FM__LEFT && fm__may_unwind(d, owner)
                       ? FM__ARMED | FM__MUST
                       : FM__HOLDS;
    fm__push(fm__set_of(d, owner), owner);
    fm__tick_check(d);
  }
}

// What activities with flags do at their end, beside the common case.
static FM_COLD void finish_flags(fm__runtime *d, fm_node *a) {
  if (a->word & FM__GROUPED)
    fm__leave_group(d, a);
  if (a->word & FM__RUN)
    d->attention |= FM__STOP_LOOP;
  if (a->word & FM__CONTAINED) {
    fm__set_of(d, a)->live--;
    if (d->called && d->called->node == a) {
      *d->called =
          (fm__called){ NULL, d->current == a ? *d->err : a->err, true };
      if (FM__IS_LINKED(fm__locals_return))
        fm__locals_return(d, a, fm__set_of(d, a)->owner);
    }
    a->set = 0;
  }
  if (a->word & FM__STOPPED)
    fm__unpause(d, a);
  if (a->word & FM__ARM)
    fm__arm_ended(d, a);
  if (a->word & FM__POOLED)
    atomic_fetch_sub_explicit(&d->load, 1, memory_order_relaxed);
  a->waits = 0; // it may have been armed
}

// Adds the errors of tasks that nobody has awaited to the result of a, their parent.
static FM_COLD void take_errors(fm__runtime *d, fm_node *a, fm_frame *root) {
  fm_error *errors = fm__drop_kept(d, a);
  if (errors)
    fm__fail_with(root,
                  fm__error_add(fm__has_failed(root) ? fm__error_in(root)
                                                     : NULL,
                                errors));
}

// The node stays after its end, for its handles or its error.
static inline void keep(fm_node *a) {
  a->word |= FM__ENDED;
  if (fm__unlikely(a->parent->word & FM__BODY))
    ring_to_front(a);
}

// The body and the children of a have ended. An error that nobody else gets keeps the node until
// its parent ends. Returns false if a clause `catch each` takes the error, and a goes on in it.
static bool finish_one(fm__runtime *d, fm_node *a) {
  fm_frame *root = a->leaf;
  fm__fate fate = FM__ENDS;
  if (fm__unlikely(a->child))
    take_errors(d, a, root);
  if (fm__unlikely(d->monitored) && a->waiters)
    fm__monitors_hear(d, a);
  if (fm__unlikely(fm__has_failed(root)))
    fate = fm__failed(d, a, root);
  if (fm__unlikely(fate == FM__GOES_ON))
    return false;
  uint32_t readers = a->waiters ? fm__wake_waiters(d, a) : 0;
  if (fm__unlikely(a->word & FM__ANY))
    finish_flags(d, a);
  bool stays = fate == FM__STAYS || a->handles != 0;
  root->spare = readers + stays;
  if (stays) {
    keep(a);
  } else {
    if (!readers)
      fm__result_free(d, root);
    fm__release(d, a);
  }
  return true;
}

void fm__child_ended(fm__runtime *d, fm_node *p) {
  for (fm_node *up; p->word & FM__BODY && !fm__has_live_child(p); p = up) {
    if (p->word & FM__SCOPE) {
      fm__scope_ended(d, p);
      return;
    }
    up = p->parent;
    if (!finish_one(d, p)) {
      fm__ready(d, p);
      return;
    }
  }
}

// Ends a, and the activities around it that only waited for it. Returns true if a goes on in a
// clause `catch each`.
static bool finish(fm__runtime *d, fm_node *a) {
  fm_node *p = a->parent;
  if (!finish_one(d, a))
    return true;
  fm__child_ended(d, p);
  return false;
}

bool fm__end_failed(fm__runtime *d, fm_node *a, fm_frame *root) {
  a->leaf = root;
  if (fm__likely(!a->child) || !fm__sort_children(a))
    return finish(d, a);
  a->word |= FM__BODY;
  if (fm__in_atomic(d))
    fm__contain_children(d, a, NULL);
  return false;
}

void fm__end_body(fm__runtime *d, fm_node *a, fm_frame *root) {
  if (fm__end_failed(d, a, root))
    fm__ready(d, a);
}
