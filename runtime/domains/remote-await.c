// remote-await.c: tasks of other domains. The task's domain waits for the end of the activity as if
// an activity of its own did: an ear (remote.h) stands in the ring of waiters. What the ear hears,
// a value or a copy of an error, is sent home.
//
//     await, run       take the handle, and get the value
//     fm_all, fm_any   watch: an activity of this domain that never runs ends, or fails, as the
//                      task does; for all.c it is a task of this domain
//
// An await is an offer (claim.c). A cancel, or a race that another arm has won, takes its claim at
// home, and the activity goes on at once; the task's domain gives the handle back when it hears of
// the cancel. If the task has ended before, its domain has taken the claim, and the value comes. So
// either the value comes, or the task can still be awaited by others.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "domains/remote.h"

#include <string.h>

typedef fm__errand errand;

enum {
  // values of `answer`; CANCELLED: its domain has ended
  CANCELLED,
  VALUE,
  FAILED,
  INVALID
};
enum { BYTES = 64 }; // results up to that size travel in the errand

#define NOT_HELD                                                              \
  "await of a task that was already awaited or given up; fm_share makes one " \
  "more handle"

// ---- away ----
static void note_value(errand *r, fm_frame *f) {
  size_t size = f->code->result_size;
  r->answer = VALUE;
  r->code = f->code;
  if (!r->takes || !size)
    return;
  if (size > BYTES && !(r->more = fm__alloc(size)))
    fm__out_of_memory("result of ", f->code->name, size);
  memcpy(r->more ? r->more : r->bytes, fm__result_of(f), size);
}

// The activity that takes the task is thrown its error.
static void note(errand *r, fm_frame *f) {
  if (!fm__has_failed(f)) {
    note_value(r, f);
    return;
  }
  fm_error *e = fm__error_in(f);
  if (e == FM_CANCELLING)
    return;
  r->answer = FAILED;
  r->error = fm__error_copy(e);
  if (r->takes)
    fm__mark_read(f);
}

// If not, home need not know: whatever took the claim withdraws the errand.
static bool is_wanted(errand *r) {
  return !r->offer.claim ||
         fm__claim_take(r->offer.claim, (uintptr_t)&r->offer);
}

static void hears(fm__runtime *d, errand *r, fm_node *a) {
  (void)d;
  if (!is_wanted(r)) {
    a->handles += r->takes;
    fm__errand_release(r);
    return;
  }
  note(r, a->leaf);
  fm__errand_finish(r);
}

static void take_ended(fm__runtime *d, errand *r, fm_node *a) {
  if (!is_wanted(r)) {
    fm__errand_release(r);
    return;
  }
  note(r, a->leaf);
  if (r->takes && --a->handles == 0)
    fm__give_up(d, a);
  fm__errand_finish(r);
}

static void begin(fm__runtime *d, fm__msg *m) {
  errand *r = (errand *)(void *)((char *)m - offsetof(errand, start));
  fm_node *a = r->task.node;
  if ((r->offer.claim && fm__offer_is_void(&r->offer)) ||
      (d->closing && !is_wanted(r))) {
    fm__errand_release(r);
    return;
  }
  if (d->closing) {
    fm__errand_finish(r);
    return;
  }
  if (!fm__is_valid(a, r->task.generation) || !a->handles) {
    r->answer = INVALID;
    fm__errand_finish(r);
    return;
  }
  if (a->word & FM__ENDED) {
    take_ended(d, r, a);
    return;
  }
  a->handles -= r->takes;
  fm__errand_listen(r, a, r->takes ? FM__WAWAIT : FM__WJOIN);
  fm__errand_link(d, r, a);
  fm__errand_obey(d, r);
}

// The wait has had no effect: it gives the handle back.
static void obey(fm__runtime *d, errand *r, unsigned changed) {
  fm_node *a = r->guest;
  if (!(changed & FM__WANT_CANCEL))
    return;
  fm__withdraw(&r->ear);
  a->handles += r->takes;
  fm__errand_unlink(d, r);
  fm__errand_finish(r);
}

// ---- home ----
static errand *
errand_new(const fm__errand_kind *e, fm_task t, fm__stand_in_for what) {
  fm__runtime *away = fm__hold_runtime_of(fm__id(t));
  errand *r = away ? fm__errand_new(e, away, BYTES) : NULL;
  if (away && !r)
    fm__out_of_memory("await of another domain", "", sizeof *r + BYTES);
  if (!r)
    return NULL;
  r->task = t;
  r->takes = what == FM__TO_TAKE;
  r->start.fn = begin;
  return r;
}

static fm_error *cancelled_error(void) {
  struct fm_cancelled value = { 0 };
  return fm__error_new(&value, sizeof value, "fm_cancelled", NULL, 0);
}

// A frame like that of the activity in the other domain, with its result.
static fm_frame *value_frame(fm__runtime *d, errand *r) {
  fm_frame *f = fm__frame_new(&d->c, r->code);
  f->state = 0;
  if (r->code->result_size)
    memcpy(fm__result_of(f),
           r->more ? r->more : r->bytes,
           r->code->result_size);
  return f;
}

static fm_error *take_error(errand *r) {
  fm_error *e = r->error;
  r->error = NULL;
  return r->answer == FAILED ? e : NULL;
}

static void is_invalid(fm__runtime *d, fm_node *a) {
  d->current = a;
  fm__pause_current(d, FM__PAUSED); // its frames have the place
  fm__fatal(d, NOT_HELD);
}

// ---- await: the activity itself waits ----
static void stop_waiting(fm__runtime *d, fm_node *a) {
  errand *r = fm__waited_for(a);
  r->offer.node = NULL;
  if (r->offer.sent) {
    fm__errand_drop(d, a);
    return;
  }
  a->waits = 0; // it is released with its race
  d->from_domains--;
  r->proxy = NULL;
}

static bool withdraw(fm__runtime *d, fm_node *a) {
  if (!fm__offer_void(&((errand *)fm__waited_for(a))->offer))
    return false;
  stop_waiting(d, a);
  return true;
}

static void drop(fm__runtime *d, fm_node *a) {
  fm__offer_void(&((errand *)fm__waited_for(a))->offer);
  stop_waiting(d, a);
}

static const fm__wait_kind awaits = {
  .what = "a task of another domain",
  .withdraw = withdraw,
  .drop = drop,
};

static void go_on(fm__runtime *d, fm_node *a, fm_frame *f, uintptr_t arming) {
  f->spare = 1;
  d->from_domains--;
  fm__wait_over(d, a, (uintptr_t)f | FM__WRESULT | arming);
}

static void throw_in(fm__runtime *d, fm_node *a, fm_error *e) {
  fm_frame *f = fm__frame_new(&d->c, &fm__action_code);
  fm__fail_with(f, e ? e : cancelled_error());
  go_on(d, a, f, FM__ARMED);
}

static void comes(fm__runtime *d, errand *r) {
  fm_node *a = r->proxy;
  // It has won there.
  if (a->word & FM__ARM)
    fm__race_settle(d, a->parent);
  r->offer.node = NULL;
  switch (r->answer) {
  case VALUE:
    go_on(d, a, value_frame(d, r), fm__arming(a));
    break;
  case INVALID:
    is_invalid(d, a);
    break;
  default:
    throw_in(d, a, take_error(r));
  }
}

static const fm__errand_kind awaited = { obey, hears, comes };

// The task has ended, and so has its domain.
static void throw_gone(fm__runtime *d) {
  fm__thrown = cancelled_error();
  fm__start_unwinding(d);
}

static void send(fm__runtime *d, fm__offer *o) {
  errand *r = (errand *)(void *)((char *)o - offsetof(errand, offer));
  if (fm__inbox_post(r->away, &r->start))
    return;
  // Its domain has ended: it counts as cancelled.
  fm__claim_take(o->claim, (uintptr_t)o);
  comes(d, r);
  r->references = 1;
  fm__errand_release(r);
}

static void release_unsent(fm__offer *o) {
  errand *r = (errand *)(void *)((char *)o - offsetof(errand, offer));
  r->references = 1;
  fm__errand_release(r);
}

static const fm__offer_kind offers = { send, release_unsent };

// The answer comes in a later turn of the loop at the earliest.
void fm__remote_await(fm_domain *c, fm_task t) {
  fm__runtime *d = fm__runtime_of(c);
  fm__nothing_to_read(d);
  if (fm__wait_ends_here(d))
    return;
  errand *r = errand_new(&awaited, t, FM__TO_TAKE);
  if (!r) {
    throw_gone(d);
    return;
  }
  r->home = d;
  r->proxy = d->current;
  r->references = 2;
  r->wait.kind = &awaits;
  fm__wait_begin(d, &r->wait);
  d->from_domains++;
  fm__offer_begin(d, &r->offer, &offers);
}

// ---- run, fm_all, fm_any: an activity that does not run waits ----
static void stand_resume(fm_domain *c, fm_frame *f) {
  (void)c;
  (void)f;
}

static const fm_code stand_code = {
  .resume = stand_resume,
  .name = "a task of another domain",
  .file = "fermata",
  .size = sizeof(fm_frame),
  .lands = FM_OF_LIBRARY,
};

// If nobody wants the result any more, the error remains the task's own.
static void end_stand_in(fm__runtime *d, errand *r) {
  fm_node *a = r->proxy;
  fm_frame *root = a->leaf;
  fm__wait_unset(d, a);
  if (r->answer == INVALID)
    is_invalid(d, a);
  if (r->answer != VALUE) {
    fm_error *e = a->handles ? take_error(r) : NULL;
    fm__fail_with(root, e ? e : FM_CANCELLING);
  } else if (r->takes) {
    fm__frame_free(&d->c, root);
    root = value_frame(d, r);
    root->parent = NULL;
  }
  fm__end_body(d, a, root);
}

static const fm__errand_kind watched = { obey, hears, end_stand_in };

fm_task fm__stand_in(fm_domain *c, fm_task t, fm__stand_in_for what) {
  fm__runtime *d = fm__runtime_of(c);
  errand *r = errand_new(&watched, t, what);
  fm_node *a =
      fm__make(d, fm__frame_new(c, &stand_code), 0, (fm_activity){ 0 });
  fm_task here = { a, fm__generation(a) };
  if (!r && !(r = fm__errand_new(&watched, NULL, 0)))
    fm__out_of_memory("await of another domain", "", sizeof *r);
  fm__errand_waits(d, r, a);
  if (r->away && fm__inbox_post(r->away, &r->start))
    return here;
  end_stand_in(d, r); // its domain has ended
  r->references = 1;
  fm__errand_release(r);
  return here;
}
