// pause.c: fm_pause and fm_resume. A node that is paused holds all below it: each has the mark
// FM__HELD, so that one look is enough. An activity inside a scope that is paused is held as well.
// A held activity runs on to its next pause. When it would go on from there, it is *set aside*: it
// is in no queue, and fm_resume, which walks the same subtree to take the marks off, finds it.
// While no node is paused, nothing here is called.
#include "fm.h"
#include "report/trace-format.h"

static void note_stop(fm__runtime *d, fm_node *a) {
  a->word |= FM__STOPPED;
  d->stopped++;
  d->attention |= FM__PAUSES;
}

void fm__unpause(fm__runtime *d, fm_node *a) {
  a->word &= ~(uint64_t)FM__STOPPED;
  if (--d->stopped == 0)
    d->attention &= ~(unsigned)FM__PAUSES;
}

static bool is_held(const fm_node *a) {
  return a->word & FM__HELD;
}

// An activity that has yielded or has not begun, or whose wait was withdrawn, counts as having
// blocked now; one whose slice was over has a stamp of that time (fm__requeue).
bool fm__set_aside(fm__runtime *d, fm_node *a) {
  if (!is_held(fm__innermost(a)) || fm__in_atomic(d))
    return false;
  if (!fm__waits_kind(a) && !(a->waits & (FM__HOLDS | FM__DEAD)))
    a->leaf->spare = ++d->stamp;
  a->word |= FM__SET_ASIDE;
  return true;
}

// Takes the mark off `at`, which is an activity or a scope of one.
static void let_go(fm_node *at, fm__wake_list *out) {
  fm_node *a = fm__owner(at);
  at->word &= ~(uint64_t)FM__HELD;
  if (fm__proxy(at))
    fm__proxy_resume(fm__proxy(at));
  if (a->word & FM__SET_ASIDE && !is_held(fm__innermost(a))) {
    a->word &= ~(uint64_t)FM__SET_ASIDE;
    fm__wake_list_add(out, a);
  }
}

static void hold(fm_node *top) {
  fm_node *at = top;
  while (at) {
    bool held = at->word & FM__HELD;
    at->word |= FM__HELD;
    if (!held && fm__proxy(at))
      fm__proxy_pause(fm__proxy(at));
    at = fm__tree_step(top, at, !held);
  }
}

// Takes the marks off; nodes below that are paused themselves keep theirs.
static void take_marks(fm_node *top, fm__wake_list *out) {
  fm_node *at = top;
  while (at) {
    bool stopped = at->word & FM__STOPPED;
    if (!stopped)
      let_go(at, out);
    at = fm__tree_step(top, at, !stopped);
  }
}

void fm__end_pauses(fm__runtime *d, fm_node *top, fm__wake_list *out) {
  int depth = 0;
  for (fm_node *at = top; at; at = fm__tree_next(top, at, &depth))
    if (at->word & FM__STOPPED)
      fm__unpause(d, at);
  if (!is_held(top->parent))
    take_marks(top, out);
}

void fm_pause(fm_activity a) {
  if (fm__is_remote(a)) {
    fm__remote_pause(a);
    return;
  }
  if (!fm_alive(a) || a.node->word & (FM__STOPPED | FM__CANCELLED))
    return;
  note_stop(fm__runtime_of(fm__here()), a.node);
  hold(a.node);
  if (fm__tracing())
    fm__trace_on(fm__runtime_of(fm__here()), a.node, FM__N_PAUSE, "pause");
}

// Also for a scope whose children have ended: its owner may be held at its end.
void fm__resume(fm__runtime *d, fm_node *a) {
  if (!(a->word & FM__STOPPED))
    return;
  fm__wake_list out = { 0 };
  fm__unpause(d, a);
  if (!is_held(a->parent))
    take_marks(a, &out);
  fm__wake_list_release(d, &out);
  if (fm__tracing())
    fm__trace_on(d, a, FM__N_RESUME, "resume");
}

void fm_resume(fm_activity a) {
  if (fm__is_remote(a))
    fm__remote_resume(a);
  else if (fm__is_valid(a.node, a.generation))
    fm__resume(fm__runtime_of(fm__here()), a.node);
}
