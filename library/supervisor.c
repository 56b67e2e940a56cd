// supervisor.c: supervisors of supervisor.h.
//
//     fm_supervisor_run   the loop: waits for events, decides what is started again
//       sentinel          a child that does nothing but meet a cancel, and note it
//       shield, scope     a cancel does not reach below them
//         run_child …     the children: each ends by an event
//
// A cancel of the supervisor is to stop the children one after the other, so it must not reach
// them. They are children of a scope inside a shield, and so is the loop; the sentinel stands
// outside.
#include "library.h"

#include <string.h>

// A call that waits for the start of a child, in the frame of start_or_throw.
typedef struct Caller {
  struct Caller *next;
  fm_sem over;
  bool started;      // over: it was started; otherwise it was given up
  const char *error; // of a child that was given up
} Caller;

typedef struct fm__child Child;
struct fm__child {
  fm_child spec;
  Child *next, *prev;             // in the order of starts
  Child *next_ended, *prev_ended; // in fm__ended, while it `is_listed`
  fm_activity id;
  fm_sem ready;    // for the supervisor: its start is over, or it has ended
  Caller *callers; // those that wait
  uint64_t delay;
  const char *error; // NULL: it has returned or was cancelled
  bool runs;         // its activity has been made, and has not ended
  bool started;      // its start is over
  bool failed;       // it has ended by an error
  bool wanted;       // it runs, or is to be started
  bool by_call;      // a call has begun it, and waits for its start
  bool is_listed;
  bool on_duty;
  fm__duty duty; // the supervisor's: questions wait while it does not run
};

void fm_supervisor_init(fm_supervisor *s,
                        fm_strategy strategy,
                        struct fm_restart how) {
  *s = (fm_supervisor){ .fm__strategy = strategy, .fm__restarts.how = how };
}

void fm_supervisor_free(fm_supervisor *s) {
  if (s->fm__runs)
    fm__misuse("fm_supervisor_free of a supervisor that runs");
  for (Child *c = s->fm__first, *next; c; c = next) {
    next = c->next;
    fm__free(c);
  }
  s->fm__first = s->fm__last = NULL;
  fm__restarts_free(&s->fm__restarts);
}

void fm_supervisor_stays(fm_supervisor *s, bool stays) {
  s->fm__stays = stays;
  if (s->fm__runs)
    fm_sem_post(&s->fm__events);
}

size_t fm_supervisor_count(const fm_supervisor *s) {
  size_t n = 0;
  for (const Child *c = s->fm__first; c; c = c->next)
    n += c->runs;
  return n;
}

static Child *find(const fm_supervisor *s, const char *name) {
  if (!name)
    fm__misuse("a child of a supervisor is named by a null pointer");
  Child *c = s->fm__first;
  while (c && (!c->spec.name || strcmp(c->spec.name, name) != 0))
    c = c->next;
  return c;
}

fm_activity fm_supervisor_child(const fm_supervisor *s, const char *name) {
  Child *c = find(s, name);
  return c && c->runs ? c->id : (fm_activity){ 0 };
}

// ---- children whose end is to be looked at ----
static void list(fm_supervisor *s, Child *c) {
  c->is_listed = true;
  c->next_ended = NULL;
  c->prev_ended = s->fm__last_ended;
  *(c->prev_ended ? &c->prev_ended->next_ended : &s->fm__ended) = c;
  s->fm__last_ended = c;
}

static void unlist(fm_supervisor *s, Child *c) {
  if (!c->is_listed)
    return;
  c->is_listed = false;
  *(c->prev_ended ? &c->prev_ended->next_ended : &s->fm__ended) = c->next_ended;
  *(c->next_ended ? &c->next_ended->prev_ended : &s->fm__last_ended) =
      c->prev_ended;
}

// ---- a child, in its own activity ----
static void answer_callers(Child *c, bool started) {
  for (Caller *w; (w = c->callers);) {
    c->callers = w->next;
    w->started = started;
    w->error = c->error;
    fm_sem_post(&w->over);
  }
}

static void has_started(Child *c) {
  c->started = true;
  c->by_call = false;
  answer_callers(c, true);
  fm_sem_post(&c->ready);
}

// It is not started again, as things are.
static void give_up_child(fm_supervisor *s, Child *c) {
  c->wanted = false;
  unlist(s, c);
  if (!c->runs)
    answer_callers(c, false);
  if (!c->on_duty)
    return;
  c->on_duty = false;
  c->duty.error = c->error;
  fm__duty_ends(&c->duty);
}

static async void live(Child *c) throws(fm_error) {
  scope {
    if (c->spec.start)
      c->spec.start(c->spec.arg);
    has_started(c);
    if (c->spec.fm__mailbox)
      c->spec.fm__agent_body(c->spec.fm__self, c->spec.arg);
    else if (c->spec.body)
      c->spec.body(c->spec.arg);
  }
}

static async void live_as_agent(Child *c) throws(fm_error) {
  fm__duty duty;
  fm__duty_begins(&duty, c->spec.fm__mailbox);
  defer {
    duty.error = c->error;
    fm__duty_ends(&duty);
  }
  try {
    live(c);
  } catch (fm_error *e) {
    c->error = fm_error_name(e);
    fm__duty_fails(&duty, c->error);
    throw;
  }
}

static void child_ended(fm_supervisor *s, Child *c) {
  c->runs = false;
  if (!c->wanted || (c->by_call && !c->started))
    give_up_child(s, c);
  else
    list(s, c);
  fm_sem_post(&c->ready);
  fm_sem_post(&s->fm__events);
}

static async void run_child(fm_supervisor *s, Child *c) {
  defer child_ended(s, c);
  if (c->delay)
    fm_sleep(c->delay);
  try {
    if (c->spec.fm__mailbox)
      live_as_agent(c);
    else
      live(c);
  } catch (fm_error *e) {
    c->failed = true;
    c->error = fm_error_name(e);
    fm__restart_report(&s->fm__restarts, e, true, "a child of a supervisor");
  }
}

// ---- starting and stopping, by the supervisor ----
static async void begin(fm_supervisor *s, Child *c, uint64_t delay) {
  unlist(s, c);
  c->runs = c->wanted = true;
  c->started = c->failed = c->by_call = false;
  c->error = NULL;
  c->delay = delay;
  fm_sem_init(&c->ready, 0);
  if (c->spec.fm__mailbox && !c->on_duty) {
    fm__duty_begins(&c->duty, fm__agent_comes(c->spec.fm__mailbox));
    c->on_duty = true;
  }
  auto t = spawn in(s->fm__scope)run_child(s, c);
  c->id = fm_id(t);
  fm_detach(t);
}

// false: the supervisor is to stop.
static async bool wait_for_start(fm_supervisor *s, Child *c) {
  while (c->runs && !c->started && !s->fm__stops)
    race {
    case fm_sem_wait(&c->ready):
      break;
    case fm_sem_wait(&s->fm__stop):
      fm_sem_post(&s->fm__stop);
      return false;
    }
  return !s->fm__stops;
}

static bool is_down(const Child *c) {
  return c->wanted && !c->runs && !c->is_listed;
}

static bool is_kept(const Child *c) {
  return c->spec.keep == FM_PERMANENT ||
         (c->spec.keep == FM_TRANSIENT && c->failed);
}

// again: it will be started again; a call that has begun it waits for that start.
static async void stop_child(fm_supervisor *s, Child *c, bool again) {
  while (c->runs) {
    c->by_call &= !again;
    fm_cancel(c->id);
    fm_join(c->id);
  }
  unlist(s, c);
}

static async void stop_all(fm_supervisor *s) {
  for (Child *c = s->fm__last; c; c = c->prev) {
    stop_child(s, c, false);
    give_up_child(s, c);
  }
}

// ---- what is started again ----
static async bool sleeps(fm_supervisor *s, uint64_t ms) {
  if (s->fm__stops)
    return false;
  if (!ms)
    return true;
  race {
  case fm_sleep(ms):
    return true;
  case fm_sem_wait(&s->fm__stop):
    fm_sem_post(&s->fm__stop);
    return false;
  }
}

// Starts what is to be started, from `first` on. If one cannot be started, its end is looked at
// next; the supervisor comes back for those after it.
static async void start_from(fm_supervisor *s, Child *first) {
  for (Child *c = first; c && !s->fm__stops; c = c->next) {
    if (is_down(c))
      begin(s, c, 0);
    if (!wait_for_start(s, c) || (c->wanted && !c->started && is_kept(c)))
      return;
  }
}

// Children from `first` on that run, or are to be started, are stopped and started again.
static async void restart_from(fm_supervisor *s, Child *first, uint64_t delay) {
  for (Child *c = s->fm__last; c; c = c == first ? NULL : c->prev) {
    stop_child(s, c, true);
    if (c->spec.keep == FM_TEMPORARY)
      give_up_child(s, c);
  }
  if (sleeps(s, delay))
    start_from(s, first);
}

static async void look_at(fm_supervisor *s, Child *c)
    throws(struct fm_gave_up) {
  if (!is_kept(c)) {
    give_up_child(s, c);
    s->fm__stops |= c->spec.significant;
    return;
  }
  if (!fm__restart(&s->fm__restarts))
    throw(struct fm_gave_up){ c->spec.name, c->error, false };
  uint64_t delay = fm__restart_next_delay(&s->fm__restarts);
  s->fm__restarts.last = fm_now();
  if (s->fm__strategy == FM_ONE_FOR_ONE)
    begin(s, c, delay);
  else
    restart_from(s,
                 s->fm__strategy == FM_ONE_FOR_ALL ? s->fm__first : c,
                 delay);
  // A child that fails before it waits lets the others run, too.
  yield;
}

// ---- the loop ----
static async void sentinel(fm_supervisor *s) {
  defer {
    s->fm__stops = true;
    fm_sem_post(&s->fm__stop);
    fm_sem_post(&s->fm__events);
  }
  fm_sem_wait(&s->fm__never);
}

static bool has_children(const fm_supervisor *s) {
  const Child *c = s->fm__first;
  while (c && !c->wanted && !c->runs)
    c = c->next;
  return c != NULL;
}

static Child *first_down(const fm_supervisor *s) {
  Child *c = s->fm__first;
  while (c && !is_down(c))
    c = c->next;
  return c;
}

static async void start_all(fm_supervisor *s) throws(struct fm_gave_up) {
  for (Child *c = s->fm__first; c; c = c->next)
    c->wanted = true;
  for (Child *c = s->fm__first; c && !s->fm__stops; c = c->next) {
    if (is_down(c))
      begin(s, c, 0);
    if (!wait_for_start(s, c))
      return;
    if (c->wanted && !c->started)
      throw(struct fm_gave_up){ c->spec.name, c->error, true };
  }
}

static async void supervise(fm_supervisor *s) throws(struct fm_gave_up) {
  start_all(s);
  while (!s->fm__stops && (has_children(s) || s->fm__stays)) {
    Child *ended = s->fm__ended;
    Child *down = first_down(s);
    if (ended) {
      unlist(s, ended);
      look_at(s, ended);
    } else if (down) {
      start_from(s, down);
    } else {
      fm_sem_wait(&s->fm__events);
    }
  }
}

static async void run_shielded(fm_supervisor *s) throws(struct fm_gave_up) {
  shield scope(all) {
    s->fm__scope = all;
    defer {
      s->fm__stops = true; // calls start no more children
      stop_all(s);
    }
    supervise(s);
  }
}

async void fm_supervisor_run(fm_supervisor *s) throws(struct fm_gave_up) {
  if (s->fm__runs)
    fm__misuse("fm_supervisor_run of a supervisor that runs already");
  fm_sem_init(&s->fm__events, 0);
  fm_sem_init(&s->fm__stop, 0);
  fm_sem_init(&s->fm__never, 0);
  s->fm__runs = true;
  s->fm__stops = false;
  s->fm__restarts.last = fm_now();
  auto guard = spawn now sentinel(s);
  defer {
    fm_cancel(fm_id(guard));
    fm_join(fm_id(guard));
    fm_detach(guard);
    s->fm__runs = false;
  }
  run_shielded(s);
  fm_checkpoint(); // a cancel has stopped it
}

// ---- by other activities ----
static void leave_callers(Child *c, Caller *w) {
  Caller **p = &c->callers;
  while (*p && *p != w)
    p = &(*p)->next;
  if (*p)
    *p = w->next;
}

static async void start_or_throw(fm_supervisor *s, Child *c)
    throws(struct fm_gave_up) {
  begin(s, c, 0);
  c->by_call = true;
  Caller me = { .next = c->callers };
  fm_sem_init(&me.over, 0);
  c->callers = &me;
  defer leave_callers(c, &me);
  fm_sem_wait(&me.over);
  if (!me.started)
    throw(struct fm_gave_up){ c->spec.name, me.error, true };
}

async void fm_supervisor_add(fm_supervisor *s, fm_child child)
    throws(struct fm_gave_up) {
  if (!child.start && !child.body && !child.fm__agent_body)
    fm__misuse("fm_supervisor_add of a child without a body");
  Child *c = fm__realloc(NULL, sizeof *c);
  if (!c)
    fm__out_of_memory("a child of a supervisor", "", sizeof *c);
  *c = (Child){ .spec = child, .prev = s->fm__last };
  *(s->fm__last ? &s->fm__last->next : &s->fm__first) = c;
  s->fm__last = c;
  if (s->fm__runs && !s->fm__stops)
    start_or_throw(s, c);
}

async bool fm_supervisor_stop(fm_supervisor *s, const char *name) {
  Child *c = find(s, name);
  if (!c || !(c->runs || c->wanted))
    return false;
  bool ran = c->runs;
  fm_activity id = c->id;
  give_up_child(s, c);
  fm_sem_post(&s->fm__events);
  if (ran) {
    fm_cancel(id);
    fm_join(id);
  }
  return ran;
}

// It was stopped, or has ended for good, seen by the supervisor or not.
static bool is_over(const Child *c) {
  return !c->runs &&
         (!c->wanted || (c->is_listed && !is_kept(c) && !c->spec.significant));
}

async bool fm_supervisor_start(fm_supervisor *s, const char *name)
    throws(struct fm_gave_up) {
  Child *c = find(s, name);
  if (!c || !is_over(c) || !s->fm__runs || s->fm__stops)
    return false;
  start_or_throw(s, c);
  return true;
}
