// deadlock.c: nothing is ready, and nothing is pending. The deadlock is reported, and also thrown,
// as struct fm_deadlock, in the activity that blocked last: of all that are blocked, or, in an
// atomic, of those that it may run. The object that it waited for goes on without it. Some waits
// cannot be given up because others rely on them: of a scope or block for its activities, of an
// atomic for the activities it contains. If there are only such waits, or all activities are
// paused, the process ends here.
#include "fm.h"

#include <stdlib.h>

// ---- which activity ----
// At its end. fm_join of a scope from within waits in vain, and can be given up.
static bool is_own_scope(const fm_node *a, const fm_node *what) {
  return what->word & FM__REGION && what->word & FM__BODY && what->owner == a;
}

static bool may_give_up(fm__runtime *d, fm_node *a) {
  if (a->word & (FM__REGION | FM__BODY | FM__ENDED) ||
      a->set != fm__top_set(d)->level)
    return false;
  // An atomic goes on in spite of a pause.
  if (fm__innermost(a)->word & FM__HELD && !fm__in_atomic(d))
    return false;
  // A semaphore, a channel: as a cancel would end it.
  if (fm__waits_kind(a) == FM__WOBJECT)
    return fm__wait_kind_of(a)->inner;
  return fm__waits_kind(a) == FM__WAWAIT ||
         (fm__waits_kind(a) == FM__WJOIN &&
          !is_own_scope(a, fm__waited_for(a)));
}

// An activity in atomic code has no frame with the time when it blocked, and only an await can
// throw there.
static fm_node *owner_that_awaits(fm__runtime *d) {
  fm_node *a = fm__top_set(d)->owner;
  return a && fm__waits_kind(a) == FM__WAWAIT ? a : NULL;
}

// A call that runs as an activity: that is what waits, and may catch the error.
static bool awaits_its_call(fm__runtime *d, const fm_node *a) {
  return d->called && d->called->node == fm__waited_for(a);
}

static uint32_t age(fm__runtime *d, const fm_node *a) {
  return d->stamp -
         (a == fm__top_set(d)->owner ? fm__top_set(d)->stamp : a->leaf->spare);
}

static fm_node *last_to_block(fm__runtime *d) {
  fm_node *owner = owner_that_awaits(d);
  fm_node *last = owner && !awaits_its_call(d, owner) ? owner : NULL;
  int depth = 0;
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));)
    if (a != fm__top_set(d)->owner && may_give_up(d, a) &&
        (!last || age(d, a) < age(d, last)))
      last = a;
  return last ? last : owner;
}

// ---- what is done ----
static bool give_up(fm__runtime *d, fm_node *a) {
  if (fm__waits_kind(a) == FM__WOBJECT)
    return fm__wait_cancel(d, a);
  if (fm__waits_kind(a) == FM__WAWAIT)
    // The await has had no effect: it gives the handle back.
    ((fm_node *)fm__waited_for(a))->handles++;
  fm__withdraw(a);
  return true;
}

// If nothing has blocked since the last deadlock, this is the rest of it: the activity that was
// thrown it has ended, and others wait as before.
void fm__deadlock_break(fm__runtime *d) {
  fm_node *a = last_to_block(d);
  if (!d->deadlocked || d->deadlocked_at != d->stamp)
    fm__report_deadlock(d);
  d->deadlocked = true;
  d->deadlocked_at = d->stamp;
  if (!a || !give_up(d, a))
    exit(EXIT_FAILURE);
  a->waits = FM__DEAD;
  fm__ready(d, a);
  if (d->lines)
    fm__lines_serve(d);
}

void fm__throw_deadlock(fm__runtime *d) {
  struct fm_deadlock value = { 0 };
  fm__throw(&value, sizeof value, "fm_deadlock", NULL, 0);
  d->c.result = NULL;
  fm__start_unwinding(d);
}
