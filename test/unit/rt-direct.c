// Completions: before and after the wait begins, twice, late, never used; their order; in atomic code; many at once; what is
// left of them when a run ends; and deadlocks: an open completion is something that may still come.
#include "rt.h"

static fm_completion *kept[1000];                 // what the functions below were given

static bool complete(fm_completion *k, int v) { return fm__complete(k, &v, sizeof v); }

// asyncdirect int later(int i, k) { kept[i] = k; }      asyncdirect int at_once(int v, k) { fm_complete(k, v); }
FRAME(value, int)
static void value__fm_resume(fm_domain *c, fm_frame *h) { (void)c, (void)h; abort(); }
DESCRIBE(value, 1)

static void *later(fm_domain *c, int i) {
  kept[i] = fm__direct_begin(c, &value__fm_code);
  return fm__direct_end(c, kept[i]);
}

static void *at_once(fm_domain *c, int v) {
  fm_completion *k = fm__direct_begin(c, &value__fm_code);
  kept[0] = k;
  assert(complete(k, v) && !complete(k, v + 1));
  return fm__direct_end(c, k);
}

// async int waiter(int i) { return later(i); }
FRAME(waiter, int, int i;)
static void waiter__fm_resume(fm_domain *c, fm_frame *h) {
  F(waiter);
  switch (h->state) { case 1: goto L1; }
  later(c, waiter->i);
  WAIT(1);
  waiter->result = rt_int(c);
  say("%d=%d ", waiter->i, waiter->result);
}
DESCRIBE(waiter, 1, 7)

// ---- before, after, twice, late ----
FRAME(main1, nothing, fm_task t;)
static void main1__fm_resume(fm_domain *c, fm_frame *h) {
  F(main1);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  int v = *(int *)at_once(c, 5);
  assert(v == 5 && !fm__stopped(c));
  fm__done(c);
  assert(!complete(kept[0], 6));                  // late
  main1->t = rt_spawn(c, START(waiter, .i = 1), 0);
  fm__yield(c);
  WAIT(1);
  assert(complete(kept[1], 7) && !complete(kept[1], 8)); // it is ready, and has not gone on
  say("completed ");
  fm__yield(c);
  WAIT(2);
  assert(!complete(kept[1], 9));
  fm__await(c, main1->t);
  WAIT(3);
  assert(rt_int(c) == 7);
  assert(!complete(NULL, 1) && !fm_resume_action(NULL) && !complete((fm_completion *)(UINTPTR_MAX >> 1), 1));
}
DESCRIBE(main1, 1, 2, 3, 4)

// ---- order: those completed go on in the order of completion, behind who was ready ----
FRAME(talker, nothing)
static void talker__fm_resume(fm_domain *c, fm_frame *h) {
  (void)c, (void)h;
  say("talker ");
}
DESCRIBE(talker, 1)

FRAME(main2, nothing, int i;)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  switch (h->state) { case 1: goto L1; }
  for (int i = 0; i < 4; i++)
    rt_spawn(c, START(waiter, .i = i), FM_SPAWN_DROP);
  fm__yield(c);
  WAIT(1);
  rt_spawn(c, START(talker), FM_SPAWN_DROP);
  assert(complete(kept[2], 2) && complete(kept[0], 0) && complete(kept[3], 3) && complete(kept[1], 1));
}
DESCRIBE(main2, 1, 2)

// ---- actions: no value ----
FRAME(action, nothing)
static void action__fm_resume(fm_domain *c, fm_frame *h) { (void)c, (void)h; abort(); }
DESCRIBE(action, 1)

FRAME(completer, nothing, int i; int v;)
static void completer__fm_resume(fm_domain *c, fm_frame *h) {
  F(completer);
  say("completer ");
  if (completer->v < 0)
    assert(fm_resume_action((fm_action *)kept[completer->i]));
  else
    assert(complete(kept[completer->i], completer->v));
}
DESCRIBE(completer, 1)

FRAME(main3, nothing)
static void main3__fm_resume(fm_domain *c, fm_frame *h) {
  F(main3);
  switch (h->state) { case 1: goto L1; }
  kept[0] = fm__direct_begin(c, &action__fm_code);
  rt_spawn(c, START(completer, .i = 0, .v = -1), FM_SPAWN_DROP);
  fm__direct_end(c, kept[0]);
  WAIT(1);
  fm__done(c);
  assert(!fm_resume_action((fm_action *)kept[0]));
  say("resumed ");
}
DESCRIBE(main3, 1, 2)

// ---- atomic: from inside the set; at once; in plain code ----
static void direct_in_atomic(void) {
  fm_domain *c = fm__atomic_enter();
  rt_spawn(c, START(completer, .i = 4, .v = 44), FM_SPAWN_DROP | FM_SPAWN_CONTAINED);
  later(c, 4);
  assert(fm__stopped(c));
  fm__atomic_pump(c);
  assert(rt_int(c) == 44);
  int v = *(int *)at_once(c, 45);
  assert(v == 45 && !fm__stopped(c));
  fm__done(c);
  fm__atomic_leave(c);
}

FRAME(main4, nothing)
static void main4__fm_resume(fm_domain *c, fm_frame *h) {
  F(main4);
  direct_in_atomic();
}
DESCRIBE(main4, 1)

// ---- steady state: slots are used again ----
FRAME(main5, nothing, int i;)
static void main5__fm_resume(fm_domain *c, fm_frame *h) {
  F(main5);
  switch (h->state) { case 1: goto L1; }
  for (main5->i = 0; main5->i < 100000; main5->i++) {
    rt_spawn(c, START(completer, .i = 0, .v = main5->i), FM_SPAWN_DROP);
    later(c, 0);
    WAIT(1);
    assert(rt_int(c) == main5->i);
    rt_log[0] = '\0';
  }
}
DESCRIBE(main5, 1, 2)

// ---- many open at once: more than one chunk ----
FRAME(main6, nothing, int i;)
static void main6__fm_resume(fm_domain *c, fm_frame *h) {
  F(main6);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  for (int i = 0; i < 1000; i++)
    rt_spawn(c, START(waiter, .i = i), FM_SPAWN_DROP);
  fm__yield(c);
  WAIT(1);
  for (int i = 0; i < 1000; i++)
    for (int j = 0; j < i; j++)
      assert(kept[i] != kept[j]);
  for (int i = 999; i >= 0; i--)
    assert(complete(kept[i], i));
  fm__yield(c);
  WAIT(2);
  rt_log[0] = '\0';
}
DESCRIBE(main6, 1, 2, 3)

// ---- the domain ends while one waits ----
static void drop_waiting(void) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm__nested_turn(d, fm__make(d, START(waiter, .i = 7), FM_SPAWN_DROP | FM_SPAWN_DETACHED, (fm_activity){ 0 }));
  d->current = NULL;
  assert(d->base.external == 1);
  fm__drop_all(d);
  assert(!complete(kept[7], 1) && !d->base.external && !fm__frames_live(d));
}

// ---- deadlocks ----
FRAME(never, nothing)
static void never__fm_resume(fm_domain *c, fm_frame *h) {
  F(never);
  switch (h->state) { case 1: goto L1; }
  fm__join(c, fm_self());
  WAIT(1);
}
DESCRIBE(never, 1, 21)

FRAME(main8, nothing)
static void main8__fm_resume(fm_domain *c, fm_frame *h) {
  F(main8);
  switch (h->state) { case 1: goto L1; }
  rt_spawn(c, START(waiter, .i = 8), FM_SPAWN_DROP | FM_SPAWN_NOW);
  fm__atomic_enter();                             // the open completion is of one that is held back
  fm__join(c, fm_self());
  ATOMIC_WAIT();
  WAIT(1);
}
DESCRIBE(main8, 1, 2)

static void plain_deadlock(void) {
  fm__run(START(never), NULL);
  if (fm__throws())
    fm__unhandled();
}
static void atomic_deadlock(void) { fm__run(START(main8), NULL); }

static void check_deadlocks(void) {
  char err[4096];
  assert(rt_child(plain_deadlock, err, sizeof err) == 1 && strstr(err, "fermata: deadlock: "));
  assert(rt_child(atomic_deadlock, err, sizeof err) == 1 && strstr(err, "fermata: deadlock inside an atomic: "));
  assert(strstr(err, " waiter: waits at test.c:7 for a completion, held back by an atomic"));
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(main1), NULL);
  said("completed 1=7 ");
  rt_run(START(main2), NULL);
  said("talker 2=2 0=0 3=3 1=1 ");
  rt_run(START(main3), NULL);
  said("completer resumed ");
  rt_run(START(main4), NULL);
  said("completer ");
  direct_in_atomic();
  said("completer ");
  rt_run(START(main5), NULL);
  rt_run(START(main6), NULL);
  drop_waiting();
  check_deadlocks();
  fm__runtime_free(fm__runtime_of(fm__here()));
  assert(!complete(kept[7], 1));                  // harmless for ever
  return 0;
}
