// all.c: fm_all and fm_any: waiting for several tasks at once. An activity can stand in one ring of
// waiters only. So a small *stand-in*, a node that is not in the tree, waits in the ring of each
// task, and the activity waits for the *hub*, another such node. When a task ends, its stand-in
// informs the hub and is freed. That takes one step for each task.
//
//     hub:       handles   tasks that have not ended
//                child     ring of the stand-ins
//                winner    fm_any: the first task to end; fm_all: the first to fail
//     stand-in:  owner     the hub
//
// For a task of another domain the stand-in is of another kind: an activity of this domain that
// remote-await.c makes, and that ends as the task does. The hub sees that activity only.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/park.h"

// ---- hubs ----
static fm_node *hub_new(fm__runtime *d) {
  fm_node *a = d->idle;
  if (a)
    d->idle = a->link;
  else
    a = fm__node_more(d);
  a->word = ++d->serial << FM__FLAGS | FM__HUB;
  a->handles = 0;
  a->parent = NULL;
  a->owner = NULL;
  return a;
}

static void node_free(fm__runtime *d, fm_node *a) {
  a->word = 0;
  a->waits = 0;
  a->parent = NULL;
  a->link = d->idle;
  d->idle = a;
}

static void watch(fm__runtime *d, fm_node *hub, fm_node *a) {
  fm_node *w = hub_new(d);
  fm_node *last = fm__last_waiter(a);
  fm__ring_add(hub, w);
  w->owner = hub;
  w->waits = (uintptr_t)a | FM__WJOIN;
  w->link = last ? last->link : w;
  if (last)
    last->link = w;
  *fm__waiters(a) = (uintptr_t)w;
  hub->handles++;
}

// Something that matters has happened: the activity that waits for the hub goes on.
static void news(fm__runtime *d, fm_node *hub) {
  if (hub->waiters)
    fm__wake_waiters(d, hub);
}

void fm__hub_hears(fm__runtime *d, fm_node *w, fm_node *a) {
  fm_node *hub = w->owner;
  if (hub == w) { // no hub: an ear of another domain
    fm__ear_hears(d, w, a);
    return;
  }
  bool any = hub->word & FM__RACE;
  fm__ring_remove(w);
  node_free(d, w);
  hub->handles--;
  if (!hub->winner && (any || fm__has_failed(a->leaf))) {
    hub->winner = a;
    news(d, hub);
  } else if (hub->handles == 0) {
    news(d, hub);
  }
}

static void hub_free(fm__runtime *d, fm_node *hub) {
  while (hub->child) {
    fm_node *w = hub->child;
    fm__withdraw(w);
    fm__ring_remove(w);
    node_free(d, w);
  }
  node_free(d, hub);
}

// ---- what fm_all and fm_any have in common ----
typedef struct all_frame {
  fm_frame h;
  size_t result; // of fm_any
  fm_task *t;
  size_t n;
  fm_node *hub;
  // fm_any: the first task to end; fm_all: the first to fail
  fm_task decided;
  // stand-ins for tasks of other domains, by index; NULL: there are none
  fm_task *here;
} all_frame;

static bool is_foreign(const all_frame *f, size_t i) {
  return f->here && f->here[i].node;
}
static fm_task task_at(const all_frame *f, size_t i) {
  return is_foreign(f, i) ? f->here[i] : f->t[i];
}

static bool is_valid(fm_task t) {
  return fm__is_valid(t.node, t.generation) && t.node->handles;
}

// A task that has ended already counts at once.
static void note(fm_node *hub, fm_node *a) {
  if (!hub->winner && (hub->word & FM__RACE || fm__has_failed(a->leaf)))
    hub->winner = a;
}

// ---- tasks of other domains ----
static void stand_in(fm__runtime *d, all_frame *f, size_t i) {
  if (!f->here) {
    f->here = fm__buffer_new(d, NULL, f->n * sizeof *f->here);
    for (size_t k = 0; k < f->n; k++)
      f->here[k] = (fm_task){ 0 };
  }
  f->here[i] = fm__stand_in(&d->c, f->t[i], FM__TO_WATCH);
}

// The tasks themselves are still held.
static void drop_stand_ins(fm__runtime *d, all_frame *f) {
  for (size_t i = 0; f->here && i < f->n; i++)
    if (is_foreign(f, i) && is_valid(f->here[i])) {
      fm_node *a = f->here[i].node;
      a->handles = 0;
      if (a->word & FM__ENDED)
        fm__error_drop(fm__forget(d, a, NULL));
      else
        fm__cancel(d, a);
    }
  fm__buffer_free(f->here);
  f->here = NULL;
}

// ---- all tasks ----
static void gather(fm__runtime *d, all_frame *f, unsigned flags) {
  f->hub = hub_new(d);
  f->hub->word |= flags;
  for (size_t i = 0; i < f->n; i++) {
    if (fm__is_remote(fm__id(f->t[i])))
      stand_in(d, f, i);
    fm_task t = task_at(f, i);
    if (!is_valid(t))
      fm__fatal(d,
                t.node ? "fm_all or fm_any of a task that was already awaited "
                         "or given up; fm_share makes one more handle"
                       : "fm_all or fm_any of a task that is zero: nothing was "
                         "spawned for it");
    if (t.node->word & FM__ENDED) {
      note(f->hub, t.node);
      continue;
    }
    watch(d, f->hub, t.node);
    if (fm__in_atomic(d))
      fm__contain(d, t.node);
  }
}

static void cancel_others(fm__runtime *d, all_frame *f, const fm_node *but) {
  for (size_t i = 0; i < f->n; i++) {
    fm_task t = task_at(f, i);
    if (t.node == but || !is_valid(t) || t.node->word & FM__ENDED)
      continue;
    if (is_foreign(f, i))
      fm__remote_cancel(fm__id(f->t[i]), NULL, 0);
    else
      fm__cancel(d, t.node);
  }
}

// Returns the errors among them that nobody has seen.
static fm_error *
give_up_others(fm__runtime *d, all_frame *f, const fm_node *but) {
  fm_error *errors = NULL;
  for (size_t i = 0; i < f->n; i++) {
    fm_task t = task_at(f, i);
    if (t.node == but || !is_valid(t))
      continue;
    if (is_foreign(f, i))
      fm__remote_forget(f->t[i]);
    if (--t.node->handles == 0)
      errors = fm__forget(d, t.node, errors);
  }
  return errors;
}

static size_t index_of(const all_frame *f, fm_task t) {
  size_t i = 0;
  while (task_at(f, i).node != t.node)
    i++;
  return i;
}

// Whether the activity has to wait: until something is decided, and then, without being cancelled,
// until all tasks have ended.
static bool has_to_wait(fm__runtime *d, all_frame *f) {
  fm_node *hub = f->hub;
  if (hub->winner && !f->decided.node) {
    f->decided = (fm_task){ hub->winner, fm__generation(hub->winner) };
    cancel_others(d, f, hub->winner);
  }
  return hub->handles > 0;
}

// Waits again as long as it has to. false: it has paused, or unwinds.
static bool wait_for_all(fm_domain *c, all_frame *f) {
  fm__runtime *d = fm__runtime_of(c);
  while (has_to_wait(d, f)) {
    fm__join(c, (fm_activity){ f->hub, fm__generation(f->hub) });
    if (!fm__is_atomic(d))
      return false;
    fm__atomic_pump(c);
  }
  return true;
}

// All tasks have ended.
static void finish_all(fm_domain *c, all_frame *f) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *failed = f->decided.node;
  hub_free(d, f->hub);
  f->hub = NULL;
  if (!failed) {
    drop_stand_ins(d, f);
    return;
  }
  fm_error *more = give_up_others(d, f, failed);
  if (more)
    fm__error_add(fm__error_in(failed->leaf), more);
  size_t i = index_of(f, f->decided);
  if (is_foreign(f, i))
    fm__remote_forget(f->t[i]);
  fm__buffer_free(f->here);
  fm__await(c, f->decided);
}

// The errors of the other tasks hang on the error of the first one.
static void finish_any(fm_domain *c, all_frame *f) {
  fm__runtime *d = fm__runtime_of(c);
  fm_node *first = f->decided.node;
  hub_free(d, f->hub);
  f->hub = NULL;
  f->result = index_of(f, f->decided);
  fm_error *errors = give_up_others(d, f, first);
  if (is_foreign(f, f->result)) // its stand-in is dropped
    fm__error_unwanted(d,
                       d->current,
                       errors,
                       "in fm_any, of a task that was not the first to end");
  else
    fm__errors_of_losers(d, first, errors);
  drop_stand_ins(d, f);
}

// ---- async void fm_all(fm_task *t, size_t n), async size_t fm_any(fm_task *t, size_t n) ----
typedef enum {
  ALL,
  ANY,
} function;

static void leave(fm__runtime *d, all_frame *f) {
  hub_free(d, f->hub);
  drop_stand_ins(d, f);
}

static void play_on(fm_domain *c, all_frame *f, function which) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__unwinds(c)) {
    leave(d, f);
    return;
  }
  if (f->h.state == 0) {
    f->h.state = 1;
    gather(d, f, which == ANY ? FM__RACE : 0);
  }
  if (!wait_for_all(c, f)) {
    if (fm__unwinds(c))
      leave(d, f);
    else
      fm__paused(c, &f->h);
    return;
  }
  if (which == ANY)
    finish_any(c, f);
  else
    finish_all(c, f);
}

static void all_resume(fm_domain *c, fm_frame *h) {
  play_on(c, (all_frame *)h, ALL);
}
static void any_resume(fm_domain *c, fm_frame *h) {
  play_on(c, (all_frame *)h, ANY);
}

static const uint32_t no_lines[] = { 0, 0 };
static const fm_code all_code = {
  .resume = all_resume,
  .name = "fm_all",
  .file = "fermata",
  .lines = no_lines,
  .nstates = 2,
  .size = sizeof(all_frame),
  .result = offsetof(all_frame, result),
  .lands = FM_LANDS,
};
static const fm_code any_code = {
  .resume = any_resume,
  .name = "fm_any",
  .file = "fermata",
  .lines = no_lines,
  .nstates = 2,
  .size = sizeof(all_frame),
  .result = offsetof(all_frame, result),
  .result_size = sizeof(size_t),
  .lands = FM_LANDS,
};

static all_frame *
start(fm_domain *c, const fm_code *code, fm_task *t, size_t n) {
  all_frame *f = (all_frame *)fm__frame_new(c, code);
  f->t = t;
  f->n = n;
  f->decided = (fm_task){ 0 };
  f->here = NULL;
  if (code == &any_code && n == 0)
    fm__fatal(fm__runtime_of(c), "fm_any of no tasks");
  return f;
}

static size_t call(fm_domain *c, all_frame *f, function which) {
  size_t result;
  play_on(c, f, which);
  // It has paused; in atomic code it never does.
  if (c->top == &f->h)
    return 0;
  result = f->result;
  fm__frame_free(c, &f->h);
  return result;
}

fm_frame *fm_all__fm_start(fm_domain *c, fm_task *t, size_t n) {
  return &start(c, &all_code, t, n)->h;
}
fm_frame *fm_any__fm_start(fm_domain *c, fm_task *t, size_t n) {
  return &start(c, &any_code, t, n)->h;
}
void fm_all__fm_call(fm_domain *c, fm_task *t, size_t n) {
  call(c, start(c, &all_code, t, n), ALL);
}
size_t fm_any__fm_call(fm_domain *c, fm_task *t, size_t n) {
  return call(c, start(c, &any_code, t, n), ANY);
}

void fm_all__fm_atomic(fm_task *t, size_t n) {
  fm_domain *c = fm__here();
  call(c, start(c, &all_code, t, n), ALL);
}

size_t fm_any__fm_atomic(fm_task *t, size_t n) {
  fm_domain *c = fm__here();
  return call(c, start(c, &any_code, t, n), ANY);
}

const fm_fn fm_all[1] = { { (void (*)(void))fm_all__fm_call,
                            (void (*)(void))fm_all__fm_atomic,
                            (void (*)(void))fm_all__fm_start,
                            &all_code } };
const fm_fn fm_any[1] = { { (void (*)(void))fm_any__fm_call,
                            (void (*)(void))fm_any__fm_atomic,
                            (void (*)(void))fm_any__fm_start,
                            &any_code } };
