// Deadlocks: whom they are thrown in, what is left of those that were not caught, and how often they are reported.
#include "rt.h"

static char err[1 << 16];

static int reports(void) {
  int n = 0;
  for (const char *at = err; (at = strstr(at, "fermata: deadlock")); at++)
    n++;
  return n;
}

// ---- one that waits for itself, and catches what it is thrown ----
FRAME(waiter, int, int id; int catches; fm_activity whom;)
static void waiter__fm_resume(fm_domain *c, fm_frame *h) {
  F(waiter);
  if (fm__unwinds(c)) {
    say("%d ", waiter->id);
    if (!waiter->catches)
      return;
    fm_error *e = fm__caught(c);
    assert(fm__is(e, "fm_deadlock", sizeof(struct fm_deadlock)) && strcmp(fm_error_file(e), "?") == 0);
    fm__error_drop(e);
    waiter->result = waiter->id;
    return;
  }
  switch (h->state) { case 1: goto L1; }
  fm__join(c, waiter->whom.node ? waiter->whom : fm_self());
  WAIT(1);
  say("on%d ", waiter->id);
}
LANDS(waiter, 10, 11)

// ---- its parent: `now`: the children block before it does ----
FRAME(parent, int, int n; int now; int catches; int i; int sum; fm_task t[3];)
static void parent__fm_resume(fm_domain *c, fm_frame *h) {
  F(parent);
  switch (h->state) { case 1: goto L1; }
  for (int i = 0; i < parent->n; i++)
    parent->t[i] = rt_spawn(c, START(waiter, .id = i + 1, .catches = parent->catches), parent->now ? FM_SPAWN_NOW : 0);
  for (parent->i = 0; parent->i < parent->n; parent->i++) {
    fm__await(c, parent->t[parent->i]);
    WAIT(1);
    parent->sum += rt_int(c);
  }
  parent->result = parent->sum;
}
DESCRIBE(parent, 20, 21)

// The last to block is thrown it, then the last of those that are left, which the first report has named.
static void caught(void) {
  int v = 0;
  rt_run(START(parent, .n = 3, .catches = 1), &v);
  assert(v == 6);
  said("3 2 1 ");
}

static void check_throws(void) {
  assert(fm__throws());
  fm_error *e = fm__caught(NULL);
  assert(fm__is(e, "fm_deadlock", sizeof(struct fm_deadlock)));
  fm__error_drop(e);
}

// The first error goes to the parent, which ends when the others have: those are thrown it without a further report.
static void left(void) {
  fm__run(START(parent, .n = 3), NULL);
  check_throws();
  said("3 2 1 ");
  assert(fm__frames_live(fm__runtime_of(fm__here())) == 0);
}

// The parent itself is the last to block.
static void parent_last(void) {
  fm__run(START(parent, .n = 2, .now = 1), NULL);
  check_throws();
  said("2 1 ");
}

// ---- all are paused: there is no one to throw it in ----
FRAME(pauses, nothing)
static void pauses__fm_resume(fm_domain *c, fm_frame *h) {
  F(pauses);
  switch (h->state) { case 1: goto L1; }
  fm_pause(fm_self());
  fm__yield(c);
  WAIT(1);
}
DESCRIBE(pauses, 30, 31)

static void paused(void) {
  fm__run(START(pauses), NULL);
}

// ---- in an atomic ----
FRAME(held, int)
static void held__fm_resume(fm_domain *c, fm_frame *h) {
  F(held);
  switch (h->state) { case 1: goto L1; }
  fm__yield(c);
  WAIT(1);
  held->result = 3;
}
DESCRIBE(held, 40, 41)

FRAME(holder, nothing, fm_task t;)
static void holder__fm_resume(fm_domain *c, fm_frame *h) {
  F(holder);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  holder->t = rt_spawn(c, START(held), 0);
  fm__yield(c);
  WAIT(1);
  fm_task again = fm__share(holder->t);
  fm__atomic_enter();
  fm__await(c, again);
  ATOMIC_WAIT();
  check_throws();
  say("atomic ");
  rt_spawn(c, START(waiter, .id = 1, .catches = 1, .whom = fm__id(holder->t)), FM_SPAWN_CONTAINED | FM_SPAWN_DROP);
  fm__atomic_leave(c);
  fm__await(c, holder->t);
  WAIT(2);
  say("%d ", rt_int(c));
}
DESCRIBE(holder, 50, 51, 52)

static void in_atomic(void) {
  rt_run(START(holder), NULL);
  said("atomic 1 3 ");
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  assert(rt_child(caught, err, sizeof err) == 0 && reports() == 1);
  assert(rt_child(left, err, sizeof err) == 0);
  assert(reports() == 1);
  assert(rt_child(parent_last, err, sizeof err) == 0 && reports() == 1);
  assert(rt_child(paused, err, sizeof err) == 1 && reports() == 1);
  assert(rt_child(in_atomic, err, sizeof err) == 0 && reports() == 2);
  return 0;
}
