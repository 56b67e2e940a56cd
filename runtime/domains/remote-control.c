// remote-control.c: what is done to an activity or a task from another thread than its domain's: a
// message tells that thread, which then does it as if it had been called there. If the activity has
// ended by then, nothing happens.
#include "fm.h"

// ---- whose it is ----
bool fm__is_elsewhere(fm_activity a) {
  fm__domain *d = a.node ? fm__domain_of(a.node) : NULL;
  return a.node && (!d || d != fm__domain_here());
}

// A node's word is changed by plain stores of its domain's thread, which are the cheapest. An
// aligned word is read as a whole on every machine we know; which of two values it is, is open
// anyhow.
#if defined __clang__ || __GNUC__ >= 8
__attribute__((noinline, no_sanitize("thread")))
#endif
static uint64_t
look(const volatile uint64_t *word) {
  return *word;
}

uint64_t fm__word_there(fm_activity a) {
  uint64_t word = look(&a.node->word);
  return word >> FM__FLAGS == a.generation ? word : 0;
}

// ---- messages ----
enum { CANCEL, PAUSE, RESUME, SHARE, DETACH, FORGET };

typedef struct order {
  fm__msg msg;
  int what;
  fm_activity whom;
  struct fm_cancelled why; // CANCEL
} order;

static void forget(fm__domain *d, fm_node *a) {
  if (a->handles && --a->handles == 0)
    fm__error_drop(fm__forget(d, a, NULL));
}

static void obey_to_task(fm__domain *d, const order *o) {
  fm_task t = { o->whom.node, o->whom.generation };
  if (o->what == SHARE)
    fm__share(t);
  else if (o->what == FORGET && t.node->word & FM__ENDED)
    forget(d, t.node);
  else
    fm__detach(t);
}

static void obey(fm__domain *d, fm__msg *m) {
  order o = *(order *)(void *)m;
  fm__free(m);
  if (!fm__fresh(o.whom.node, o.whom.generation))
    return;
  if (o.what >= SHARE)
    obey_to_task(d, &o);
  else if (o.what == CANCEL)
    fm__cancel_target(d, o.whom.node, o.why);
  else
    (o.what == PAUSE ? fm_pause : fm_resume)(o.whom);
}

static void send(const order *o) {
  fm__domain *d = fm__word_there(o->whom) ? fm__hold_domain_of(o->whom) : NULL;
  order *copy;
  if (!d)
    return;
  if (!(copy = fm__alloc(sizeof *copy)))
    fm__out_of_memory("message", "", sizeof *copy);
  *copy = *o;
  copy->msg.fn = obey;
  if (!fm__inbox_post(d, &copy->msg))
    fm__free(copy);
  fm__domain_unref(d);
}

void fm__cancel_there(fm_activity a, const char *file, int line) {
  send(&(order){ .what = CANCEL, .whom = a, .why = { fm_self(), file, line } });
}

void fm__pause_there(fm_activity a, bool paused) {
  send(&(order){ .what = paused ? PAUSE : RESUME, .whom = a });
}

void fm__share_there(fm_task t) {
  send(&(order){ .what = SHARE, .whom = fm__id(t) });
}
void fm__detach_there(fm_task t) {
  send(&(order){ .what = DETACH, .whom = fm__id(t) });
}
void fm__forget_there(fm_task t) {
  send(&(order){ .what = FORGET, .whom = fm__id(t) });
}

// ---- waiting for its end ----
// A guest there does it.
fm_activity fm__join_there(fm_domain *c, fm_activity a) {
  fm__domain *d = fm__word_there(a) ? fm__hold_domain_of(a) : NULL;
  if (!d)
    return (fm_activity){ 0 };
  fm_task t = fm__spawn_on(c, fm_join__fm_start(c, a), FM_SPAWN_DROP, &d->c);
  fm__domain_unref(d);
  return fm__id(t);
}
