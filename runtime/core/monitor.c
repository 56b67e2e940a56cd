// monitor.c: how an activity has ended, for activities that neither await nor own it (fm_end_of in
// library/monitor.c). Such an activity waits as fm_join does. Just before the result is given to
// those who await it, or to its scope, fm__monitors_hear notes the outcome in each of them: in its
// frame, which is one of this file; or, in atomic code, in a structure on the C stack.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/leaf.h"

typedef struct MonitorFrame {
  fm_frame h;
  fm_activity a;
  fm_outcome *to;
} MonitorFrame;

typedef struct fm__monitor { // in atomic code
  struct fm__monitor *next;
  fm_node *node; // the activity that waits
  fm_outcome *to;
} fm__monitor;

static void resume(fm_domain *c, fm_frame *h);

static const fm_code monitor_code = {
  .resume = resume,
  .name = "fm_end_of",
  .file = "fermata",
  .lines = fm__leaf_lines,
  .nstates = 2,
  .size = sizeof(MonitorFrame),
  .lands = FM_OF_LIBRARY,
  .ends = fm__leaf_ends,
};

// ---- outcomes ----
static void note_cancel(fm__runtime *d, fm_node *a, fm_outcome *o) {
  fm_error *e = fm__cancelled_error(d, a);
  const struct fm_cancelled *why = fm_error_value(e);
  *o = (fm_outcome){ FM_END_CANCELLED, NULL, why->file, why->line };
  fm__error_drop(e);
}

static void note(fm__runtime *d, fm_node *a, fm_outcome *o) {
  const fm_frame *root = a->leaf;
  const fm_error *e = fm__has_failed(root) ? fm__error_in(root) : NULL;
  if (!e)
    *o = (fm_outcome){ .how = FM_END_RETURNED };
  else if (e == FM_CANCELLING || fm__error_is_cancel_of(e, a))
    note_cancel(d, a, o);
  else
    *o = (fm_outcome){
      FM_END_ERROR, fm_error_name(e), fm_error_file(e), fm_error_line(e)
    };
}

// NULL: w joins it, and does not ask.
static fm_outcome *wanted_by(fm__runtime *d, const fm_node *w) {
  if (w->word & FM__HUB || fm__waits_kind(w) != FM__WJOIN)
    return NULL;
  for (const fm__monitor *m = d->monitors; m; m = m->next)
    if (m->node == w)
      return m->to;
  return w->leaf && w->leaf->code == &monitor_code
             ? ((MonitorFrame *)w->leaf)->to
             : NULL;
}

void fm__monitors_hear(fm__runtime *d, fm_node *a) {
  fm_node *last = fm__last_waiter(a);
  fm_node *w = last;
  if (last)
    do {
      w = w->link;
      fm_outcome *o = wanted_by(d, w);
      if (o)
        note(d, a, o);
    } while (w != last);
}

// ---- async void fm__end_here(fm_activity a, fm_outcome *to) ----
// true: it has ended, or belongs to another domain.
static bool is_over(fm__runtime *d, fm_activity a, fm_outcome *to) {
  d->monitored = true;
  *to = (fm_outcome){ .how = FM_END_UNKNOWN };
  if (fm__is_remote(a) || !fm__is_valid(a.node, a.generation))
    return true;
  if (a.node->word & FM__ENDED && !(a.node->word & FM__REGION))
    note(d, a.node, to);
  return a.node->word & FM__ENDED;
}

void fm__end_here__fm_call(fm_domain *c, fm_activity a, fm_outcome *to) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (is_over(d, a, to) || fm__wait_ends_here(d))
    return;
  MonitorFrame *f = (MonitorFrame *)fm__frame_new(c, &monitor_code);
  f->a = a;
  f->to = to;
  f->h.state = 1;
  fm__join(c, a);
  fm__paused(c, &f->h);
}

static void resume(fm_domain *c, fm_frame *h) {
  MonitorFrame *f = (MonitorFrame *)h;
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (h->state || is_over(d, f->a, f->to))
    return;
  fm__join(c, f->a);
  fm__leaf_paused(c, h);
}

fm_frame *fm__end_here__fm_start(fm_domain *c, fm_activity a, fm_outcome *to) {
  MonitorFrame *f = (MonitorFrame *)fm__frame_new(c, &monitor_code);
  f->a = a;
  f->to = to;
  return &f->h;
}

void fm__end_here__fm_atomic(fm_activity a, fm_outcome *to) {
  fm_domain *c = fm__here();
  fm__runtime *d = fm__runtime_of(c);
  if (is_over(d, a, to))
    return;
  fm__monitor m = { d->monitors, d->current ? d->current : &d->host, to };
  d->monitors = &m;
  fm__join(c, a);
  fm__leaf_pump(c);
  d->monitors = m.next;
}

const fm_fn fm__end_here[1] = { { (void (*)(void))fm__end_here__fm_call,
                                  (void (*)(void))fm__end_here__fm_atomic,
                                  (void (*)(void))fm__end_here__fm_start,
                                  &monitor_code } };

// ---- activities of other domains ----
fm_domain *fm__other_domain_of(fm_activity a) {
  if (!fm__is_remote(a) || !fm__remote_word(a))
    return NULL;
  fm__runtime *d = fm__hold_runtime_of(a);
  return d ? &d->c : NULL;
}

void fm__other_domain_left(fm_domain *c) {
  fm__runtime_unref(fm__runtime_of(c));
}
