// turn.c: the turns of a domain in a page. main makes the root activity, runs one turn and returns
// to the page. Later turns begin by one timer, or by a microtask when an event of the page has
// made an activity ready. A turn ends when nothing is ready, or after some milliseconds; then the
// page has its turn before the next one (a timer of 0 ms: unlike a message, it lets frames be
// drawn).
//
//     state       of the program with an async main
//     RUNS        the root has not ended
//     UNWINDS     it has; the activities that still live are cancelled, and unwind turn by turn
//     ENDS        nothing lives: the program exits
//
// Without an async main the state is NONE, and turns go on for what plain functions, called by the
// page, have started.
#include "web/web.h"

#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

// Nanoseconds; WHILE: at least one step of the page's clock. MANY: activities that have a turn
// between two readings of the clock, at most.
enum { LONGEST = 5000000, MANY = 64, WHILE = 100000 };

typedef enum State { NONE, RUNS, UNWINDS, ENDS } State;

static struct {
  State state;
  fm_node *root;   // while it RUNS
  fm_error *error; // of the root, while it UNWINDS; NULL: none
  int status;      // of the program, once the root has ended
  size_t size;     // of what main returns
  bool in_turn;
  bool over; // the turn has lasted long enough
  bool
      ordered; // a turn will come without the page's doing: soon, or by a timer of 0
  uint64_t started; // when the turn began, by the page's clock
  int some;         // activities that have a turn between two readings
  int left;         // of them
  uint64_t since;   // when their number was chosen
  uint64_t turns;   // that activities have had since then
  uint64_t alarm;   // the time of the page's timer; FM_FOREVER: none is set
  size_t holds;     // see fm__page_hold
} page = { .alarm = FM_FOREVER, .some = 1 };

// ---- orders ----
void fm__page_order_turn(fm__runtime *d) {
  (void)d;
  if (page.ordered || page.in_turn)
    return;
  page.ordered = true;
  fm__page_soon();
}

bool fm__page_in_turn(void) {
  return page.in_turn;
}

bool fm__page_turn_over(uint64_t now) {
  page.over = page.in_turn && now - page.started >= LONGEST;
  return page.over;
}

void fm__page_hold(int change) {
  page.holds += (size_t)change;
}

size_t fm__page_holds(void) {
  return page.holds;
}

static void set_alarm(uint64_t at) {
  if (at == page.alarm)
    return;
  page.alarm = at;
  if (at == FM_FOREVER) {
    fm__page_timer(-1);
    return;
  }
  uint64_t now = fm__clock();
  fm__page_timer(at > now ? (double)(at - now) / 1e6 : 0);
}

// The page goes first, then the next turn.
static void order_after_page(void) {
  page.ordered = true;
  page.alarm = 0;
  fm__page_timer(0);
}

// ---- the end of the program ----
static void root_ended(fm__runtime *d) {
  fm_node *a = page.root;
  d->attention &= ~(unsigned)FM__STOP_LOOP;
  a->word &= ~(uint64_t)FM__RUN;
  a->handles--;
  fm__take_result(d, a);
  if (page.size && !fm__throws())
    memcpy(&page.status, d->c.result, sizeof page.status);
  fm__free_done(&d->c);
  page.error = fm__thrown;
  fm__thrown = NULL;
  page.root = NULL;
  page.state = UNWINDS;
  fm__cancel_below(d, &d->host);
}

// Nothing is ready. false: what still unwinds waits for the page.
static bool unwound(fm__runtime *d) {
  if (fm__has_unmarked(d)) {
    fm__cancel_below(d, &d->host);
    return true;
  }
  if (d->base.external)
    return false;
  d->current = NULL;
  fm__drop_all(d);
  fm__free_done(&d->c);
  page.state = ENDS;
  return true;
}

static int end_program(void) {
  fm__thrown = page.error;
  return fm__main_end(page.status);
}

// ---- a turn ----
// The number of turns in READ_SOON, by those of a WHILE. It shrinks at once, and grows by steps:
// slow turns may follow quick ones.
static void choose_some(uint64_t now) {
  uint64_t took = now - page.since;
  if (took < WHILE)
    return;
  uint64_t fit = page.turns * FM__READ_SOON / took + 1;
  uint64_t most = page.some < MANY ? 2 * (uint64_t)page.some : MANY;
  page.some = (int)(fit < most ? fit : most);
  page.since = now;
  page.turns = 0;
}

static bool look_at_clock(void) {
  uint64_t now = fm__page_now();
  page.turns += (uint64_t)page.some;
  choose_some(now);
  page.left = page.some;
  fm__fuel_read(now);
  return fm__page_turn_over(now);
}

static void run_ready(fm__runtime *d) {
  int turns;
  d->host_waits = true;
  do {
    turns = fm__run_some(d, page.left);
    page.left -= turns;
  } while (turns && !page.over && (page.left > 0 || !look_at_clock()));
  d->host_waits = false;
  d->current = NULL;
}

// Virtual time passes as soon as nothing is ready.
static bool time_is_virtual(fm__runtime *d) {
  return d->driver && !fm__is_web_driver(d->driver);
}

// Nothing is ready. true: now something may be; false: the page is waited for.
static bool wait_for_page(fm__runtime *d) {
  uint64_t next =
      fm__has_alarms(d) ? fm__alarms_next(d, fm__time(d)) : FM_FOREVER;
  if (next != FM_FOREVER && time_is_virtual(d) && !page.holds) {
    d->driver->poll(d->driver->ctx, next);
    return true;
  }
  set_alarm(time_is_virtual(d) ? FM_FOREVER : next);
  if (page.state == UNWINDS && unwound(d))
    return true;
  if (page.state != RUNS || d->base.external || page.holds ||
      (FM__IS_LINKED(fm__has_deadlines) && fm__has_deadlines(d)))
    return false;
  fm__deadlock_break(d);
  return true;
}

static void look(fm__runtime *d) {
  fm__inbox_drain(d);
  if (fm__has_alarms(d))
    fm__alarms_fire(d, fm__time(d));
}

static void turns(fm__runtime *d) {
  while (page.state != ENDS) {
    look(d);
    run_ready(d);
    if (page.state == RUNS && page.root->word & FM__ENDED) {
      root_ended(d);
      continue;
    }
    if (fm__page_turn_over(fm__page_now())) {
      order_after_page();
      return;
    }
    if (!d->base.head && !wait_for_page(d))
      return;
  }
}

// While the program is in the page's hands, a wake of the driver or of fm__ready orders a turn.
static void run_turn(fm__runtime *d) {
  page.ordered = false;
  page.in_turn = true;
  page.over = false;
  page.left = 1;
  page.turns = 0;
  page.started = page.since = fm__page_now();
  atomic_store(&d->sleeping, 0);
  d->asleep &= ~FM__ASLEEP;
  fm__fuel_begin(d, page.started);
  turns(d);
  d->asleep |= FM__ASLEEP;
  atomic_store(&d->sleeping, 1);
  page.in_turn = false;
}

// Called by the page (page.c). fired: by its timer. A call from inside of C comes to nothing: the
// turn under way will see what there is.
EMSCRIPTEN_KEEPALIVE void fm__page_turn(bool fired) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (fired)
    page.alarm = FM_FOREVER;
  if (page.in_turn || d->current || page.state == ENDS)
    return;
  run_turn(d);
  if (page.state == ENDS)
    exit(end_program());
}

// ---- main ----
int fm__main(const fm_fn *f, int argc, char **argv, char **envp, int params) {
  fm_frame *root = fm__main_start(f, argc, argv, envp, params);
  fm__runtime *d = fm__runtime_of(fm__here());
  page.size = root->code->result_size;
  page.root = fm__make(d, root, 0, (fm_activity){ 0 });
  page.root->word |= FM__RUN;
  page.state = RUNS;
  fm__ready(d, page.root);
  run_turn(d);
  if (page.state == ENDS)
    return end_program();
  emscripten_exit_with_live_runtime();
}
