// Waits outside the scheduler that are cancelled or fail: timers, completions with and without a canceller, deadlines, the
// arms of a race. In virtual time.
#include "rt.h"

#include <pthread.h>

struct bad { int code; };

static fm__runtime *domain(void) { return fm__runtime_of(fm__here()); }
static int ms(void) { return (int)(fm_now() / 1000000); }
static fm_completion *kept[10];
static bool complete(int i, int v) { return fm__complete(kept[i], &v, sizeof v); }
static bool fail(int i, int code) {
  return fm__fail(kept[i], &(struct bad){ code }, sizeof(struct bad), "bad", "test.c", 3);
}

static void canceller(void *arg) { say("c%d ", (int)(intptr_t)arg); }
static void completer(void *arg) {
  int i = (int)(intptr_t)arg;
  say("c%d ", i);
  assert(complete(i, 90 + i) && !complete(i, 0));
}

// asyncdirect int on(int i, int how, k): keeps k.
FRAME(on, int, int i; int how;)
enum { BARE, CANCELS, COMPLETES, SLEEPS, FAILS_AT_ONCE };
static fm_completion *on_begin(fm_domain *c, int i, int how);
static void on__fm_resume(fm_domain *c, fm_frame *h) {
  F(on);
  switch (h->state) { case 1: goto L1; }
  fm__direct_end(c, on_begin(c, on->i, on->how));
  WAIT(1);
  on->result = rt_int(c);
}
LEAF(on, 1, 2)

static fm_completion *on_begin(fm_domain *c, int i, int how) {
  fm_completion *k = kept[i] = fm__direct_begin(c, &on__fm_code);
  if (how == CANCELS || how == COMPLETES)
    fm__on_cancel(k, how == CANCELS ? canceller : completer, (void *)(intptr_t)i);
  if (how == FAILS_AT_ONCE)
    assert(fail(i, i) && !fail(i, i) && !complete(i, 1));
  return k;
}

static void say_unwinding(int id) {
  if (fm__thrown == FM_CANCELLING)
    say("%d~ ", id);
  else
    say("%d!%d ", id, ((const struct bad *)fm_error_value(fm__thrown))->code);
}

// Waits, says what came of it, and meets a cancel at its next pause: 1=5 then 1~ if it was cancelled.
FRAME(op, int, int id; int how; int ms;)
static void op__fm_resume(fm_domain *c, fm_frame *h) {
  F(op);
  if (fm__unwinds(c)) {
    say_unwinding(op->id);
    return;
  }
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  h->state = 1;
  if (op->how == SLEEPS)
    fm_sleep__fm_call(c, (uint64_t)op->ms);
  else
    fm__direct_end(c, on_begin(c, op->id, op->how));
  if (fm__unwinds(c))
    say_unwinding(op->id);
  WAIT(1);
  op->result = op->how == SLEEPS ? ms() : rt_int(c);
  say("%d=%d ", op->id, op->result);
  h->state = 2;
  fm__yield(c);
  WAIT(2);
  say("%d. ", op->id);
}
LANDS(op, 1, 2, 3)

// ---- a row of tests: makes an op, lets it begin or not, cancels it, and completes it ----
FRAME(play, nothing, int how; bool begun; bool completed; fm_activity a;)
static void play__fm_resume(fm_domain *c, fm_frame *h) {
  F(play);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; case 4: goto L4; }
  play->a = fm__id(rt_spawn(c, START(op, .id = 1, .how = play->how, .ms = 10), FM_SPAWN_DROP));
  if (play->begun) {
    fm__yield(c);
    WAIT(1);
  }
  if (play->completed && play->how == SLEEPS) {   // until its timer has gone off: before it or behind it
    fm_sleep__fm_call(c, 10);
    WAIT(2);
  } else if (play->completed) {
    assert(complete(1, 5));
  }
  fm_cancel(play->a);
  say("cancel ");
  fm__yield(c);
  WAIT(3);
  if (play->how == BARE && !play->completed)
    assert(complete(1, 6));
  fm__join(c, play->a);
  WAIT(4);
  assert(!complete(1, 7));
}
DESCRIBE(play, 1, 2, 3, 4, 5)

static void check(int line, int how, bool begun, bool completed, const char *text) {
  rt_run(START(play, .how = how, .begun = begun, .completed = completed), NULL);
  assert(!fm__has_alarms(domain()) && !domain()->base.external);
  rt_said(line, text);
}

// ---- deadlines ----
FRAME(stuck, nothing)
static void stuck__fm_resume(fm_domain *c, fm_frame *h) {
  F(stuck);
  if (fm__unwinds(c)) {
    say("unstuck@%d ", ms());
    return;
  }
  switch (h->state) { case 1: goto L1; }
  fm__join(c, fm_self());
  WAIT(1);
}
LANDS(stuck, 1, 2)

FRAME(main2, nothing, fm_activity a; int start; int i;)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; case 4: goto L4; }
  main2->start = ms();
  main2->a = fm__id(rt_spawn(c, START(op, .id = 1, .how = SLEEPS, .ms = 1000), FM_SPAWN_DROP));
  fm_cancel_after(main2->a, 300);
  fm_cancel_after(main2->a, 100);
  fm__join(c, main2->a);
  WAIT(1);
  assert(ms() - main2->start == 100);
  main2->a = fm__id(rt_spawn(c, START(op, .id = 2, .how = SLEEPS, .ms = 1), FM_SPAWN_DROP));
  fm_cancel_after(main2->a, 50);                  // too late
  fm__join(c, main2->a);
  WAIT(2);
  fm_sleep__fm_call(c, 500);
  WAIT(3);
  assert(!domain()->in_scopes && !domain()->loose && !domain()->loose_deadlines);
  say("| ");
  main2->a = fm__id(rt_spawn(c, START(stuck), FM_SPAWN_DROP));
  fm_cancel_after(main2->a, 200);                 // no deadlock: this will end it
  fm__join(c, main2->a);
  WAIT(4);
  for (int i = 0; i < 10000; i++) {
    fm_cancel_after(fm_self(), 1000000);
    fm_cancel_after(main2->a, 1);                 // it has ended
  }
  assert(domain()->loose == 10000);
}
DESCRIBE(main2, 1, 2, 3, 4, 5)

// Those of activities that have ended do not pile up.
FRAME(brief, nothing)
static void brief__fm_resume(fm_domain *c, fm_frame *h) {
  F(brief);
  fm_cancel_after(fm_self(), 60000);
}
DESCRIBE(brief, 1)

FRAME(main3, nothing, int i;)
static void main3__fm_resume(fm_domain *c, fm_frame *h) {
  F(main3);
  switch (h->state) { case 1: goto L1; }
  for (main3->i = 0; main3->i < 10000; main3->i++) {
    rt_spawn(c, START(brief), FM_SPAWN_DROP);
    fm__yield(c);
    WAIT(1);
    assert(domain()->loose <= 64);
  }
}
DESCRIBE(main3, 1, 2)

// ---- errors ----
static void *fail_soon(void *arg) {
  usleep(1000);
  assert(fail(3, 33));
  return arg;
}

FRAME(main4, nothing, fm_activity a;)
static void main4__fm_resume(fm_domain *c, fm_frame *h) {
  F(main4);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  fm_task t = rt_spawn(c, START(op, .id = 1, .how = FAILS_AT_ONCE), 0);
  fm__join(c, fm__id(t));
  WAIT(1);
  rt_spawn(c, START(op, .id = 2, .how = BARE), 0);
  fm__yield(c);
  WAIT(2);
  assert(fail(2, 22) && !complete(2, 1));
}
DESCRIBE(main4, 1, 2, 3)

static void fails(int code) {
  fm__run(START(main4), NULL);                    // the tasks that no one awaited
  fm_error *e = fm__caught(NULL);
  assert(e && fm__is(e, "bad", sizeof(struct bad)) && ((const struct bad *)fm_error_value(e))->code == code);
  assert(fm_error_line(e) == 3 && fm_error_next(e));
  fm__error_drop(e);
  said("1!1 2!22 ");
}

static void fails_in_atomic(void) {
  pthread_t thread;
  fm_domain *c = fm__atomic_enter();
  fm__direct_end(c, on_begin(c, 4, FAILS_AT_ONCE));
  assert(!fm__stopped(c) && fm__throws());
  fm__error_drop(fm__caught(NULL));
  fm_completion *k = on_begin(c, 3, BARE);
  assert(pthread_create(&thread, NULL, fail_soon, NULL) == 0);
  fm__direct_end(c, k);
  assert(fm__stopped(c));
  fm__atomic_pump(c);
  pthread_join(thread, NULL);
  fm_error *e = fm__caught(NULL);
  assert(((const struct bad *)fm_error_value(e))->code == 33);
  fm__error_drop(e);
  fm__atomic_leave(c);
}

// ---- races: one wins, and in that step the others are withdrawn ----
FRAME(race, int, fm_task arms[2]; int how;)
static void race__fm_resume(fm_domain *c, fm_frame *h) {
  F(race);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  fm__race_enter(c);
  for (int i = 0; i < 2; i++)
    race->arms[i] = rt_spawn(c, race->how == SLEEPS ? fm_sleep__fm_start(c, 20) : START(on, .i = i, .how = race->how),
                             FM_SPAWN_NOW | FM_SPAWN_ARM);
  fm__race_wait(c);
  WAIT(1);
  race->result = fm__race_winner(c, race->arms, 2);
  fm__await(c, race->arms[race->result]);
  WAIT(2);
  say("%d won ", race->result);
  if (race->how != SLEEPS)
    say("%d ", *(int *)c->result);
  fm__done(c);
}
DESCRIBE(race, 1, 2, 3)

FRAME(main5, nothing, fm_task t;)
static void main5__fm_resume(fm_domain *c, fm_frame *h) {
  F(main5);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  main5->t = rt_spawn(c, START(race, .how = SLEEPS), 0);
  fm__await(c, main5->t);
  WAIT(1);
  fm__done(c);
  main5->t = rt_spawn(c, START(race, .how = CANCELS), 0);
  fm__yield(c);
  WAIT(2);
  assert(complete(1, 11));
  say("then ");
  assert(!complete(0, 10));                       // both were open, one was completed
  fm__await(c, main5->t);
  WAIT(3);
  fm__done(c);
}
DESCRIBE(main5, 1, 2, 3, 4)

// ---- the end of the run cancels what can be, and waits for what cannot ----
static void *complete_soon(void *arg) {
  usleep(1000);
  assert(complete(2, 8));
  return arg;
}

FRAME(main6, nothing, pthread_t *thread;)
static void main6__fm_resume(fm_domain *c, fm_frame *h) {
  F(main6);
  switch (h->state) { case 1: goto L1; }
  rt_spawn(c, START(op, .id = 1, .how = SLEEPS, .ms = 1000), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  rt_spawn(c, START(op, .id = 2, .how = BARE), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  rt_spawn(c, START(op, .id = 3, .how = CANCELS), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  fm__yield(c);
  WAIT(1);
  assert(pthread_create(main6->thread, NULL, complete_soon, NULL) == 0);
}
DESCRIBE(main6, 1, 2)

int main(void) {
  pthread_t thread;
  setenv("FERMATA_TICK", "off", 1);
  setenv("FERMATA_DRIVER", "virtual", 1);
  check(__LINE__, SLEEPS, true, false, "cancel 1~ ");
  check(__LINE__, SLEEPS, false, false, "cancel 1~ ");
  check(__LINE__, SLEEPS, true, true, "1=10 cancel 1~ ");
  check(__LINE__, SLEEPS, false, true, "cancel 1=20 1~ ");
  check(__LINE__, CANCELS, true, false, "c1 cancel 1~ ");
  check(__LINE__, CANCELS, false, false, "cancel c1 1~ ");
  check(__LINE__, CANCELS, true, true, "cancel 1=5 1~ ");
  check(__LINE__, COMPLETES, true, false, "c1 cancel 1=91 1~ ");
  check(__LINE__, COMPLETES, false, false, "cancel c1 1=91 1~ ");
  check(__LINE__, BARE, true, false, "cancel 1=6 1~ ");
  check(__LINE__, BARE, false, false, "cancel 1=6 1~ ");
  check(__LINE__, BARE, true, true, "cancel 1=5 1~ ");
  rt_run(START(main2), NULL);
  assert(!fm__has_alarms(domain()));
  rt_run(START(main3), NULL);
  said("1~ 2=121 2. | unstuck@821 ");
  fails(1);
  fails_in_atomic();
  rt_run(START(main5), NULL);
  said("0 won c0 then 1 won 11 ");
  rt_run(START(main6, .thread = &thread), NULL);
  pthread_join(thread, NULL);
  said("c3 1~ 3~ 2=8 2~ ");
  fm__runtime_free(domain());
  return 0;
}
