// stress: supervisors against a model of the rules of OTP: which children are started again, in
// which order they are stopped and started, when the supervisor gives up, after what delay.
// Children start, fail to start, return, throw and unwind slowly at random; activities stop, start
// and add children, cancel them, cancel the supervisor, and are cancelled themselves.
//
// The model was written from the comments of supervisor.h. It is a machine for one supervisor, and
// does not know when the supervisor takes its next step. So it keeps all the states in which the
// machine may be. What can be seen of the library (the calls of the children's functions, what
// calls return, which children run) rules out states. If none is left, the library did what no
// order of steps explains. When time passes, all steps that could be taken have been taken.
//     supervisor OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// expect: ok
#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/time.h>

#include <stdlib.h>
#include <string.h>

#include "random-checks.h"

#pragma fermata auto_yield off

enum { KIDS = 4, CALLERS = 4, MOST_STATES = 4000, MOST_TIMES = 4, MS = 1000000 };
struct bad { int n; };

static const char *const names[KIDS] = { "a", "b", "c", "d" };
static long budget;
static long done_ops;
static const char *last_event = "none";

// ---- the model: what a supervisor was told when it was made ----
static fm_strategy strategy;
static fm_keep keep[KIDS];
static bool significant[KIDS];
static struct fm_restart how;

// ---- the model: one state ----
typedef enum { STAYS, RETURNS, THROWS, UNWINDS } Leaving;
typedef struct {
  bool known;   // it was added
  bool runs;    // its activity has been made, and has not ended
  bool wanted;  // it runs, or is to be started
  bool entered; // its start has been called
  bool started;
  bool cancelled;
  bool delayed;
  bool failed;  // it has ended by an error
  bool by_call; // fm_supervisor_start or add has begun it, and its start is not over
  bool listed;  // its end is to be looked at
  uint8_t leaving;
  uint8_t nth, shown; // how often it was begun: now, and when it was last looked at
  uint64_t begins;    // when its start is called
} Kid;

typedef struct {
  uint8_t state; // NONE…
  uint8_t kid;
  uint8_t nth; // of its kid: which activity is stopped
  bool result;
} Call;
enum { NONE, STOPS, STARTS, DONE, FAILS };

typedef enum { STARTING, IDLE, HALTING, DELAYING, RESTARTING, ENDING, LEAVING, OVER } Phase;
typedef enum { ENDS_BY_RETURN, ENDS_BY_CANCEL, ENDS_BY_ERROR } Ending;
typedef struct {
  uint8_t phase;
  int8_t at, from;
  int8_t queue[KIDS]; // ends to be looked at, in their order
  uint8_t queued;
  bool stops; // it is to end: cancelled, or for another reason
  bool cancelled, stays;
  bool gave_up, culprit_failed, culprit_starting;
  int8_t culprit;
  uint8_t ending;
  uint8_t restarts; // within the period
  uint64_t when[MOST_TIMES];
  uint64_t delay, last, wait, until;
  uint64_t clock;
  Kid kids[KIDS];
  Call calls[CALLERS];
} State;

static bool is_kept(const State *s, int k) {
  return keep[k] == FM_PERMANENT || (keep[k] == FM_TRANSIENT && s->kids[k].failed);
}

static void unlist(State *s, int k) {
  int to = 0;
  for (int i = 0; i < s->queued; i++)
    if (s->queue[i] != k)
      s->queue[to++] = s->queue[i];
  memset(s->queue + to, 0, KIDS - (size_t)to);
  s->queued = (uint8_t)to;
  s->kids[k].listed = false;
}

// A call that waits for the start of the kid is over.
static void tell_starters(State *s, int k, int result) {
  for (int i = 0; i < CALLERS; i++)
    if (s->calls[i].state == STARTS && s->calls[i].kid == k)
      s->calls[i].state = (uint8_t)result;
}

static void unwant(State *s, int k) {
  s->kids[k].wanted = false;
  unlist(s, k);
  if (!s->kids[k].runs)
    tell_starters(s, k, FAILS);
}

static void begin(State *s, int k, uint64_t delay, bool by_call) {
  Kid *c = &s->kids[k];
  unlist(s, k);
  *c = (Kid){ .known = true, .runs = true, .wanted = true, .nth = (uint8_t)(c->nth + 1),
              .shown = c->shown, .begins = s->clock + delay * MS, .delayed = delay > 0,
              .by_call = by_call };
}

static void leave(State *s, int k) {
  Kid *c = &s->kids[k];
  c->runs = false;
  c->failed = c->leaving == THROWS;
  c->leaving = STAYS;
  if (c->by_call && !c->started)
    c->wanted = false;
  if (!c->wanted) {
    unwant(s, k);
    return;
  }
  s->queue[s->queued++] = (int8_t)k;
  c->listed = true;
}

// ---- the model: restarts ----
static bool may_restart(State *s) {
  int to = 0;
  if (how.within_ms && s->clock - s->last > how.within_ms * MS)
    s->delay = 0;
  if (how.times < 0)
    return true;
  for (int i = 0; i < s->restarts; i++)
    if (!how.within_ms || s->clock - s->when[i] <= how.within_ms * MS)
      s->when[to++] = s->when[i];
  s->restarts = (uint8_t)to;
  for (int i = to; i < MOST_TIMES; i++)
    s->when[i] = 0;
  if (to >= how.times)
    return false;
  s->when[s->restarts++] = s->clock;
  return true;
}

static uint64_t next_delay(State *s) {
  uint64_t most = how.max_delay_ms > how.delay_ms ? how.max_delay_ms : how.delay_ms;
  uint64_t ms = s->delay ? s->delay : how.delay_ms;
  s->delay = 2 * ms < most ? 2 * ms : most;
  s->last = s->clock;
  return ms;
}

static void end(State *s) {
  s->phase = ENDING;
  s->stops = true;
  s->at = KIDS - 1;
}

static void give_up(State *s, int k, bool starting) {
  s->gave_up = true;
  s->culprit = (int8_t)k;
  s->culprit_failed = s->kids[k].failed;
  s->culprit_starting = starting;
  end(s);
}

static void look_at(State *s, int k) {
  unlist(s, k);
  if (!is_kept(s, k)) {
    s->stops |= significant[k];
    unwant(s, k);
    return;
  }
  if (!may_restart(s)) {
    give_up(s, k, false);
    return;
  }
  uint64_t delay = next_delay(s);
  if (strategy == FM_ONE_FOR_ONE) {
    begin(s, k, delay, false);
    return;
  }
  s->phase = HALTING;
  s->from = strategy == FM_ONE_FOR_ALL ? 0 : (int8_t)k;
  s->at = KIDS - 1;
  s->wait = delay;
}

// ---- the model: the steps of the supervisor; false: it cannot take one ----
// Stops the kid; true: it does not run.
static bool is_stopped(State *s, Kid *c, bool *stepped) {
  if (!c->runs)
    return true;
  bool takes_over = c->by_call && s->phase == HALTING; // the call waits for the next start
  *stepped = !c->cancelled || takes_over;
  c->cancelled = true;
  c->by_call &= !takes_over;
  return false;
}

static bool start_next(State *s, bool initial) {
  Kid *c = &s->kids[s->at];
  if (s->stops || s->at == KIDS) {
    s->phase = IDLE;
    return true;
  }
  if (c->wanted && !c->runs && !c->listed) {
    begin(s, s->at, 0, false);
    return true;
  }
  if (c->runs && !c->started)
    return false;
  if (c->wanted && !c->started && initial)
    give_up(s, s->at, true);
  else if (c->wanted && !c->started && is_kept(s, s->at))
    s->phase = IDLE;
  else
    s->at++;
  return true;
}

static bool halt_next(State *s) {
  bool stepped = false;
  if (s->at < s->from) {
    s->phase = DELAYING;
    s->until = s->clock + s->wait * MS;
    s->wait = 0;
    return true;
  }
  if (!is_stopped(s, &s->kids[s->at], &stepped))
    return stepped;
  unlist(s, s->at);
  if (keep[s->at] == FM_TEMPORARY)
    unwant(s, s->at);
  s->at--;
  return true;
}

static bool end_next(State *s) {
  bool stepped = false;
  if (s->at < 0) {
    s->phase = LEAVING;
    return true;
  }
  if (!is_stopped(s, &s->kids[s->at], &stepped))
    return stepped;
  unwant(s, s->at);
  s->at--;
  return true;
}

static bool delay_over(State *s) {
  if (!s->stops && s->clock < s->until)
    return false;
  s->phase = s->stops ? IDLE : RESTARTING;
  s->until = 0;
  s->at = s->from;
  return true;
}

static bool idle_next(State *s) {
  bool any = false;
  int down = KIDS;
  for (int k = KIDS - 1; k >= 0; k--) {
    any |= s->kids[k].wanted || s->kids[k].runs;
    if (s->kids[k].wanted && !s->kids[k].runs)
      down = k;
  }
  if (s->stops || (!any && !s->stays))
    end(s);
  else if (s->queued)
    look_at(s, s->queue[0]);
  else if (down < KIDS)
    s->phase = RESTARTING, s->at = (int8_t)down;
  else
    return false;
  return true;
}

static bool leave_run(State *s) {
  s->ending = s->gave_up ? ENDS_BY_ERROR : s->cancelled ? ENDS_BY_CANCEL : ENDS_BY_RETURN;
  s->phase = OVER;
  return true;
}

static bool supervisor_step(State *s) {
  switch ((Phase)s->phase) {
  case STARTING: return start_next(s, true);
  case IDLE: return idle_next(s);
  case HALTING: return halt_next(s);
  case DELAYING: return delay_over(s);
  case RESTARTING: return start_next(s, false);
  case ENDING: return end_next(s);
  case LEAVING: return leave_run(s);
  case OVER: break;
  }
  return false;
}

// The steps that nothing shows: 0 is the supervisor's, 1 that it learns of its cancel, the others
// are the ends of children. Returns false if there is no such step.
static bool hidden_step(State *s, int which) {
  if (which == 0)
    return supervisor_step(s);
  if (which == 1) {
    bool learns = s->cancelled && !s->stops && s->phase != OVER;
    s->stops |= learns;
    return learns;
  }
  Kid *c = &s->kids[which - 2];
  if (c->leaving == STAYS && !(c->runs && c->delayed && c->cancelled && !c->entered))
    return false;
  if (c->leaving == STAYS)
    c->leaving = UNWINDS;
  leave(s, which - 2);
  return true;
}

// ---- the set of states ----
static State states[MOST_STATES];
static int nstates;

static void print_kid(const Kid *c, int k) {
  if (!c->known)
    return;
  printf("  %s%s%s%s%s%s%s%s%s%s", names[k], c->runs ? " runs" : "", c->wanted ? " wanted" : "",
         c->entered ? " entered" : "", c->started ? " started" : "",
         c->cancelled ? " cancelled" : "", c->delayed ? " delayed" : "", c->failed ? " failed" : "",
         c->by_call ? " by-call" : "", c->listed ? " listed" : "");
  printf(" keep %d, %d times, begins at %llu\n", keep[k], c->nth, (unsigned long long)c->begins);
}

static void print_state(const State *s) {
  printf("state: phase %d at %d%s%s%s, %d to be looked at, %d restarts\n", s->phase, s->at,
         s->stops ? " stops" : "", s->cancelled ? " cancelled" : "", s->stays ? " stays" : "",
         s->queued, s->restarts);
  for (int k = 0; k < KIDS; k++)
    print_kid(&s->kids[k], k);
  for (int i = 0; i < CALLERS; i++)
    if (s->calls[i].state)
      printf("  call %d of %s: state %d\n", i, names[s->calls[i].kid], s->calls[i].state);
}

static void wrong(const char *what) {
  printf("%s (after: %s; operation %ld, at %llu)\n", what, last_event, done_ops,
         (unsigned long long)fm_now());
  for (int i = 0; i < nstates && i < 3; i++)
    print_state(&states[i]);
  exit(1);
}

static void add_state(const State *s) {
  for (int i = 0; i < nstates; i++)
    if (!memcmp(&states[i], s, sizeof *s))
      return;
  if (nstates == MOST_STATES)
    wrong("too many states");
  states[nstates++] = *s;
}

static bool is_blocked(const State *s) {
  for (int i = 0; i < KIDS + 2; i++) {
    State next = *s;
    if (hidden_step(&next, i))
      return false;
  }
  return true;
}

static void take_hidden_steps(void) {
  for (int n = 0; n < nstates; n++)
    for (int i = 0; i < KIDS + 2; i++) {
      State next = states[n];
      if (hidden_step(&next, i))
        add_state(&next);
    }
}

// Only states remain for which `holds`.
#define KEEP_STATES(why, s, holds)                \
  do {                                            \
    int kept = 0;                                 \
    for (int n = 0; n < nstates; n++) {           \
      State *s = &states[n];                      \
      if (holds)                                  \
        states[kept++] = *s;                      \
    }                                             \
    if (!kept)                                    \
      wrong(why);                                 \
    nstates = kept;                               \
  } while (0)

// Time has passed since the state: was nothing late?
static bool is_in_time(const State *s, uint64_t now) {
  for (int k = 0; k < KIDS; k++)
    if (s->kids[k].runs && !s->kids[k].entered && s->kids[k].begins < now)
      return false;
  for (int i = 0; i < CALLERS; i++) {
    const Call *c = &s->calls[i];
    const Kid *k = &s->kids[c->kid];
    if (c->state > STARTS || (c->state == STOPS && (!k->runs || k->nth != c->nth)))
      return false;
  }
  return true;
}

static void pass_time(void) {
  uint64_t now = fm_now();
  for (uint64_t next = 0; next < now;) {
    take_hidden_steps();
    KEEP_STATES("something could go on, and did not", s, is_blocked(s));
    next = now;
    for (int n = 0; n < nstates; n++)
      if (states[n].phase == DELAYING && states[n].until < next)
        next = states[n].until;
    KEEP_STATES("something is late", s, is_in_time(s, next));
    for (int n = 0; n < nstates; n++)
      states[n].clock = next;
  }
}

static fm_supervisor sup;
static fm_activity shown[KIDS];

static bool is_as_shown(State *s, const fm_activity *ids, const bool *changed) {
  for (int k = 0; k < KIDS; k++) {
    Kid *c = &s->kids[k];
    if (c->runs != (ids[k].node != NULL))
      return false;
    if (c->runs && (c->nth != c->shown) != changed[k])
      return false;
  }
  for (int k = 0; k < KIDS; k++)
    if (s->kids[k].runs)
      s->kids[k].shown = s->kids[k].nth;
  return true;
}

// Every event begins with it: the states in which the machine may be now.
static void observe(const char *event) {
  fm_activity ids[KIDS];
  bool changed[KIDS];
  if (fm_now() > states[0].clock)
    pass_time();
  for (int k = 0; k < KIDS; k++) {
    ids[k] = fm_supervisor_child(&sup, names[k]);
    changed[k] = ids[k].node != shown[k].node || ids[k].generation != shown[k].generation;
    if (ids[k].node)
      shown[k] = ids[k];
  }
  take_hidden_steps();
  KEEP_STATES("other children run", s, is_as_shown(s, ids, changed));
  last_event = event;
  done_ops++;
}

// ---- children ----
static async void wait_a_little(void) {
  switch (draw(6)) {
  case 0: fm_sleep(1 + draw(3)); break;
  case 1: case 2: yield; break;
  case 3: fm_checkpoint(); break;
  }
}

static bool enters(State *s, int k) {
  Kid *c = &s->kids[k];
  bool ok = c->runs && !c->entered && s->clock == c->begins;
  c->entered = true;
  return ok;
}

static bool starts(State *s, int k) {
  Kid *c = &s->kids[k];
  bool ok = c->runs && c->entered && !c->started;
  c->started = true;
  c->by_call = false;
  tell_starters(s, k, DONE);
  return ok;
}

static bool leaves(State *s, int k, Leaving why) {
  Kid *c = &s->kids[k];
  bool ok = c->runs && c->leaving == STAYS && (why != UNWINDS || c->cancelled);
  c->leaving = (uint8_t)why;
  return ok;
}

static void kid_over(int k, Leaving why) {
  static const char *const events[] = { "", "a child returns", "a child throws",
                                        "a child unwinds" };
  observe(events[why]);
  KEEP_STATES("a child ends", s, leaves(s, k, why));
}

static async void kid_start(void *arg) throws(struct bad) {
  int k = (int)((const char *const *)arg - names);
  Leaving why = UNWINDS;
  observe("a child is started");
  KEEP_STATES("a child is started", s, enters(s, k));
  defer if (why != STAYS) kid_over(k, why);
  wait_a_little();
  if (!draw(8)) {
    why = THROWS;
    throw (struct bad){ k };
  }
  why = STAYS;
  observe("a child has started");
  KEEP_STATES("a child has started", s, starts(s, k));
}

static async void kid_body(void *arg) throws(struct bad) {
  int k = (int)((const char *const *)arg - names);
  Leaving why = UNWINDS;
  defer {
    if (!draw(3))
      fm_sleep(draw(3));
    kid_over(k, why);
  }
  for (int i = (int)draw(12); i > 0; i--)
    wait_a_little();
  if (!draw(3))
    fm_sleep(100000);
  why = draw(3) ? THROWS : RETURNS;
  if (why == THROWS)
    throw (struct bad){ k };
}

// ---- callers ----
static int nkids; // that were added

static void stop_begins(State *s, int i, int k) {
  Kid *c = &s->kids[k];
  s->calls[i] = (Call){ .state = DONE, .kid = (uint8_t)k, .nth = c->nth, .result = c->runs };
  if (!c->known || !(c->runs || c->wanted))
    return;
  unwant(s, k);
  if (c->runs) {
    c->cancelled = true;
    s->calls[i].state = STOPS;
  }
}

static bool stop_ends(State *s, int i, bool result) {
  Call c = s->calls[i];
  const Kid *k = &s->kids[c.kid];
  s->calls[i] = (Call){ 0 };
  return c.result == result && (c.state == DONE || !k->runs || k->nth != c.nth);
}

// Whether it is begun by the call.
static bool can_be_started(const State *s, int k) {
  const Kid *c = &s->kids[k];
  if (!c->known || c->runs || s->stops || s->phase == OVER)
    return false;
  return !c->wanted || (c->listed && !is_kept(s, k) && !significant[k]);
}

static void start_begins(State *s, int i, int k, bool adds) {
  bool begins = adds ? !s->stops && s->phase != OVER : can_be_started(s, k);
  s->kids[k].known |= adds;
  s->calls[i] = (Call){ .state = begins ? STARTS : DONE, .kid = (uint8_t)k, .result = begins };
  if (begins)
    begin(s, k, 0, true);
}

static bool start_ends(State *s, int i, bool result, bool failed) {
  Call c = s->calls[i];
  s->calls[i] = (Call){ 0 };
  return c.state == (failed ? FAILS : DONE) && (failed || c.result == result);
}

static void cut_short(int i) {
  for (int n = 0; n < nstates; n++)
    states[n].calls[i] = (Call){ 0 };
}

static async void stop_kid(int i, int k) {
  bool over = false;
  defer if (!over) cut_short(i);
  observe("fm_supervisor_stop");
  for (int n = 0; n < nstates; n++)
    stop_begins(&states[n], i, k);
  bool ran = fm_supervisor_stop(&sup, names[k]);
  over = true;
  observe("fm_supervisor_stop returns");
  KEEP_STATES("fm_supervisor_stop", s, stop_ends(s, i, ran));
}

static async bool start_or_add(int k, bool adds) throws(struct fm_gave_up) {
  if (!adds)
    return fm_supervisor_start(&sup, names[k]);
  fm_child child = { .name = names[k], .start = kid_start, .body = kid_body,
                     .arg = (void *)&names[k], .keep = keep[k], .significant = significant[k] };
  fm_supervisor_add(&sup, child);
  return true;
}

static async void start_kid(int i, int k, bool adds) {
  bool over = false;
  bool failed = false;
  bool did = false;
  defer if (!over) cut_short(i);
  observe(adds ? "fm_supervisor_add" : "fm_supervisor_start");
  for (int n = 0; n < nstates; n++)
    start_begins(&states[n], i, k, adds);
  try {
    did = start_or_add(k, adds);
  } catch (struct fm_gave_up e) {
    failed = true;
    if (e.child != names[k] || !e.starting)
      wrong("what fm_supervisor_start throws");
  }
  over = true;
  observe("fm_supervisor_start returns");
  KEEP_STATES("fm_supervisor_start", s,
              start_ends(s, i, adds ? s->calls[i].result : did, failed));
}

static void cancel_kid(int k) {
  fm_activity id = fm_supervisor_child(&sup, names[k]);
  observe("a child is cancelled");
  for (int n = 0; n < nstates; n++)
    states[n].kids[k].cancelled |= states[n].kids[k].runs;
  fm_cancel(id);
}

static void set_stays(bool stays) {
  observe("fm_supervisor_stays");
  for (int n = 0; n < nstates; n++)
    states[n].stays = stays;
  fm_supervisor_stays(&sup, stays);
}

static async void call(int i) {
  for (;;) {
    switch (draw(12)) {
    case 0: case 1: stop_kid(i, (int)draw(KIDS)); break;
    case 2: case 3: case 4: start_kid(i, (int)draw(KIDS), false); break;
    case 5: case 6: cancel_kid((int)draw(KIDS)); break;
    case 7:
      if (nkids < KIDS)
        start_kid(i, nkids++, true);
      break;
    case 8: set_stays(draw(2)); break;
    default: fm_sleep(1 + draw(4)); break;
    }
    wait_a_little();
  }
}

// ---- a supervisor ----
static void hear(const fm_error *e, void *arg) {
  (void)e, (void)arg;
}

static bool has_ended(const State *s, Ending by, const struct fm_gave_up *e) {
  if (s->phase != OVER || s->ending != by)
    return false;
  return by != ENDS_BY_ERROR ||
         (e->child == names[s->culprit] && e->starting == s->culprit_starting &&
          (e->error != NULL) == s->culprit_failed);
}

static bool ran;
static async void supervise(void) {
  struct fm_gave_up e = { 0 };
  Ending by = ENDS_BY_CANCEL;
  defer {
    observe("the supervisor ends");
    KEEP_STATES("the supervisor ends", s, has_ended(s, by, &e));
    ran = false;
  }
  for (int n = 0; n < nstates; n++) {
    states[n].phase = STARTING;
    states[n].last = states[n].clock = fm_now();
    for (int k = 0; k < nkids; k++)
      states[n].kids[k].wanted = true;
  }
  try {
    fm_supervisor_run(&sup);
    by = ENDS_BY_RETURN;
  } catch (struct fm_gave_up caught) {
    e = caught;
    by = ENDS_BY_ERROR;
  }
}

static async void make(void) {
  memset(states, 0, sizeof states[0]);
  memset(shown, 0, sizeof shown);
  nstates = 1;
  states[0].phase = OVER;
  states[0].clock = fm_now();
  strategy = (fm_strategy)draw(3);
  how = (struct fm_restart){ .times = (int)draw(MOST_TIMES + 2) - 1, .within_ms = draw(3) * 4,
                             .delay_ms = draw(2) ? draw(4) : 0, .max_delay_ms = draw(12),
                             .on_error = hear };
  fm_supervisor_init(&sup, strategy, how);
  nkids = (int)draw(KIDS + 1);
  for (int k = 0; k < KIDS; k++) {
    keep[k] = (fm_keep)(draw(2) ? FM_PERMANENT : draw(3));
    significant[k] = !draw(6);
    states[0].kids[k].known = k < nkids;
    try {
      if (k < nkids)
        start_or_add(k, true);
    } catch (struct fm_gave_up e) {
      wrong("a child fails before the supervisor runs");
    }
  }
}

static async void one_supervisor(void) {
  task(void) callers[CALLERS];
  make();
  ran = true;
  auto t = spawn now supervise();
  for (int i = 0; i < CALLERS; i++)
    callers[i] = spawn call(i);
  for (int i = (int)draw(40); ran && i > 0; i--) {
    fm_sleep(draw(3));
    int who = (int)draw(4 * CALLERS);
    if (who < CALLERS) {
      fm_cancel(fm_id(callers[who]));
      fm_join(fm_id(callers[who]));
      fm_detach(callers[who]);
      callers[who] = spawn call(who);
    }
  }
  if (ran) {
    observe("the supervisor is cancelled");
    for (int n = 0; n < nstates; n++)
      states[n].cancelled = true;
    fm_cancel(fm_id(t));
  }
  fm_join(fm_id(t));
  fm_detach(t);
  for (int i = 0; i < CALLERS; i++) {
    fm_cancel(fm_id(callers[i]));
    fm_join(fm_id(callers[i]));
    fm_detach(callers[i]);
  }
  if (ran || fm_supervisor_count(&sup))
    wrong("what is left");
  fm_supervisor_free(&sup);
}

async int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2862933555777941757u + 1 : 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (done_ops < budget)
    one_supervisor();
  printf("ok\n");
  return 0;
}
