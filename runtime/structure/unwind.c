// unwind.c: an error or a cancel leaves functions, frame by frame, and then the activity.
//
// A function that is left by unwinding returns with the guard at FM_PAUSE(FM_UNWINDS). Its frame is
// dead then, and the frame of its caller is next. If the caller's code `lands` (it has a handler or
// cleanup in some state), the frame is resumed; if not, it is freed without being run. When the
// first frame has been left, the activity has failed: that frame, which would hold the result,
// holds the error instead. Each reader of the result is thrown the error. If there is no reader,
// the error goes to the scope, to the domain's handler, or waits in the tree for the parent's end:
// no error is lost.
#include "fm.h"

// ---- frames ----
void fm__fail_with(fm_frame *root, fm_error *e) {
  root->state = FM__FAILED_STATE;
  root->parent = (fm_frame *)e;
}

void fm__mark_read(fm_frame *root) {
  root->state = FM__READ_STATE;
}

// Returns the frame in which a goes on: a clause `catch each` takes the error. NULL: it has ended.
static fm_frame *fail(fm__runtime *d, fm_node *a, fm_frame *root) {
  fm_error *e = fm__thrown;
  fm__thrown = NULL; // between turns there is none
  if (fm__cancels(e)) {
    fm__cut_short(a);
    e = fm__carried(e) ? fm__carried(e) : FM_CANCELLING;
  }
  if (fm__tracing())
    fm__trace_failed(d, e == FM_CANCELLING);
  fm__set_guard(d, d->rest);
  fm__fail_with(root, e);
  return fm__end_failed(d, a, root) ? a->leaf : NULL;
}

static fm_frame *caller(fm__runtime *d, fm_frame *f) {
  fm_frame *up = f->parent;
  fm__frame_free(&d->c, f);
  return up;
}

fm_frame *fm__land(fm__runtime *d, fm_node *a, fm_frame *f) {
  while (!(f->code->lands & FM_LANDS)) {
    fm__passes(f->code, f->state);
    if (!f->parent)
      return fail(d, a, f);
    f = caller(d, f);
  }
  return a->leaf = f;
}

fm_frame *fm__left(fm__runtime *d, fm_node *a, fm_frame *f) {
  return f->parent ? fm__land(d, a, caller(d, f)) : fail(d, a, f);
}

void fm__start_unwinding(fm__runtime *d) {
  if (d->current && !fm__is_atomic(d))
    fm__unwind(&d->c);
}

void fm__throw_cancel(fm__runtime *d) {
  fm__thrown = FM_CANCELLING;
  fm__start_unwinding(d);
}

// ---- results ----
void fm__result_free(fm__runtime *d, fm_frame *f) {
  if (fm__has_failed(f))
    fm__error_drop(fm__error_in(f));
  fm__frame_free(&d->c, f);
}

// The task was cancelled, and so is its reader, usually by the same cancel. Then that cancel goes
// on, and there is no error, unless others hang on it.
static bool is_same_cancel(fm__runtime *d, const fm_frame *f) {
  if (!d->current || !(fm__is_armed(d) || fm__is_cancelled_inside(d)))
    return false;
  const fm_error *e = fm__error_in(f);
  return fm__is(e, "fm_cancelled", sizeof(struct fm_cancelled)) &&
         !fm_error_next(e);
}

bool fm__read_result(fm__runtime *d, fm_frame *f) {
  bool failed = fm__has_failed(f);
  bool last = --f->spare == 0;
  if (!failed) {
    d->c.result = fm__result_of(f);
    if (last)
      fm__hand_over(d, f);
    return true;
  }
  d->c.result = NULL;
  fm__mark_read(f);
  if (is_same_cancel(d, f))
    fm__thrown = FM_CANCELLING;
  else
    fm__throw_shared(fm__error_in(f));
  if (last)
    fm__result_free(d, f);
  fm__start_unwinding(d);
  return false;
}

// ---- activities that failed ----
static bool has_reader(fm_node *a) {
  fm_node *last = fm__last_waiter(a);
  fm_node *w = last;
  if (w)
    do {
      w = w->link;
      if (fm__waits_kind(w) == FM__WAWAIT)
        return true;
    } while (w != last);
  return false;
}

// The node that gets a's error: a scope, the host or the parent.
static fm_node *who_answers(fm_node *a) {
  fm_node *p = a->parent;
  while (p->word & FM__SHIELD)
    p = p->parent;
  return p;
}

// No activity was thrown a's error, and none will be.
static fm__fate orphan(fm__runtime *d, fm_node *a, fm_frame *root) {
  fm_node *p = who_answers(a);
  fm_error *e = fm__error_in(root);
  if (p != &d->host && !(p->word & FM__SCOPE))
    return FM__STAYS;
  if (p->word & FM__SCOPE && FM__IS_LINKED(fm__each_takes) &&
      fm__each_takes(d, p, a, root))
    return FM__GOES_ON;
  fm__fail_with(root, FM_CANCELLING); // which is no error
  if (p->word & FM__RACE)
    fm__error_unwanted(d, a, e, "which has lost a race");
  else if (p->word & FM__SCOPE)
    fm__scope_failed(d, p, e);
  else
    fm__error_of_detached(d, a, e);
  return FM__ENDS;
}

fm__fate fm__failed(fm__runtime *d, fm_node *a, fm_frame *root) {
  bool read = (a->handles && !(a->word & FM__GROUPED)) || has_reader(a);
  if (fm__error_in(root) != FM_CANCELLING)
    return read ? FM__ENDS : orphan(d, a, root);
  if (read) {
    fm__fail_with(root, fm__cancelled_error(d, a));
    fm__mark_read(root); // nobody needs to
  }
  return FM__ENDS;
}

static bool has_unseen_error(const fm_frame *f) {
  return f->state == FM__FAILED_STATE && fm__error_in(f) != FM_CANCELLING;
}

// Of an ended activity that is kept: no activity that awaited it is about to read the error.
static bool has_lost_error(const fm_frame *f) {
  return has_unseen_error(f) && f->spare == 1;
}

void fm__give_up(fm__runtime *d, fm_node *a) {
  fm_frame *f = a->leaf;
  fm__fate fate = has_lost_error(f) ? orphan(d, a, f) : FM__ENDS;
  if (fate == FM__GOES_ON)
    fm__each_revives(d, a);
  if (fate != FM__ENDS)
    return;
  if (--f->spare == 0)
    fm__result_free(d, f);
  fm__release(d, a);
}

// From the end, as fm__drop_kept().
bool fm__revive_kept(fm__runtime *d, fm_node *s) {
  bool any = false;
  if (!FM__IS_LINKED(fm__each_takes) || !fm__clauses_of(d, s))
    return false;
  fm_node *first = s->child;
  fm_node *a = first ? first->prev : NULL;
  for (fm_node *next; a; a = a == first ? NULL : next) {
    next = a->prev;
    if (!has_lost_error(a->leaf) || !fm__each_takes(d, s, a, a->leaf))
      continue;
    fm__each_revives(d, a);
    any = true;
  }
  return any;
}

fm_error *fm__take_unseen(fm_frame *f) {
  if (!has_unseen_error(f))
    return NULL;
  fm_error *e = fm__error_in(f);
  fm__fail_with(f, FM_CANCELLING);
  return e;
}

fm_error *fm__forget(fm__runtime *d, fm_node *a, fm_error *errors) {
  fm_frame *f = a->leaf;
  fm_error *e = has_lost_error(f) ? fm__take_unseen(f) : NULL;
  if (e)
    errors = fm__error_add(errors, e);
  if (--f->spare == 0)
    fm__result_free(d, f);
  fm__release(d, a);
  return errors;
}

void fm__errors_of_losers(fm__runtime *d, fm_node *winner, fm_error *errors) {
  fm_frame *f = winner->leaf;
  if (!errors)
    return;
  if (fm__has_failed(f) && fm__error_in(f) != FM_CANCELLING)
    fm__error_add(fm__error_in(f), errors);
  else
    fm__error_unwanted(
        d,
        d->current,
        errors,
        "of a task or arm that was not the first to end in its race or fm_any");
}

// From the end: that is the order in which they were made or ended.
fm_error *fm__drop_kept(fm__runtime *d, fm_node *a) {
  fm_error *errors = NULL;
  while (a->child)
    errors = fm__forget(d, a->child->prev, errors);
  return errors;
}
