// What the runtime reports: deadlocks, in and outside of atomics, mistakes with tasks, run in the wrong place; the status
// is 1. And dumps of the tree, on request and on SIGUSR1.
#include "rt.h"

#include <signal.h>

static char err[1 << 16];

static void has(const char *text) {
  if (!strstr(err, text)) {
    fprintf(stderr, "missing: %s\nin: %s", text, err);
    abort();
  }
}

// async void join_it(fm_activity a) { fm_join(a); }, called by two functions that wait for each other
FRAME(join_it, nothing, fm_activity whom;)
static void join_it__fm_resume(fm_domain *c, fm_frame *h) {
  F(join_it);
}
DESCRIBE(join_it, 10, 11)
static void join_it__fm_call(fm_domain *c, fm_activity whom) {
  fm__join(c, whom);
  if (fm__stopped(c) && fm__below(c)) {
    fm_frame *h = START(join_it, .whom = whom);
    h->state = 1;
    fm__paused(c, h);
  }
}

FRAME(other, nothing, fm_activity whom;)
static void other__fm_resume(fm_domain *c, fm_frame *h) {
  F(other);
  switch (h->state) { case 1: goto L1; }
  join_it__fm_call(c, other->whom);
  WAIT(1);
  fm__done(c);
}
DESCRIBE(other, 20, 21)

FRAME(first, nothing, fm_task t;)
static void first__fm_resume(fm_domain *c, fm_frame *h) {
  F(first);
  switch (h->state) { case 1: goto L1; }
  first->t = rt_spawn(c, START(other, .whom = fm_self()), 0);
  fm_set_name(fm__id(first->t), "a name of its own");
  fm__await(c, first->t);
  WAIT(1);
}
DESCRIBE(first, 30, 31)

static void deadlock(void) {
  fm__run(START(first), NULL);
  if (fm__throws())
    fm__unhandled();                              // which has nothing to add
}

// ---- in an atomic that waits for one who is held back ----
FRAME(quiet, nothing)
static void quiet__fm_resume(fm_domain *c, fm_frame *h) {
  F(quiet);
}
DESCRIBE(quiet, 40)

FRAME(holder, nothing)
static void holder__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  fm_task t = rt_spawn(c, START(quiet), 0);
  fm__atomic_enter();
  fm__await(c, t);
  ATOMIC_WAIT();
  if (fm__throws())
    fm__unhandled();
}
DESCRIBE(holder, 50)

static void atomic_deadlock(void) {
  fm__run(START(holder), NULL);
}

// ---- a task awaited twice: the backtrace has the frames of the functions that were on the C stack ----
FRAME(await_it, nothing)
static void await_it__fm_resume(fm_domain *c, fm_frame *h) {
  F(await_it);
}
DESCRIBE(await_it, 60, 61)
static void await_it__fm_call(fm_domain *c, fm_task t) {
  fm__await(c, t);
  if (fm__stopped(c) && fm__below(c)) {
    fm_frame *h = START(await_it);
    h->state = 1;
    fm__paused(c, h);
    return;
  }
  fm__done(c);
}

FRAME(twice, nothing, fm_task t;)
static void twice__fm_resume(fm_domain *c, fm_frame *h) {
  F(twice);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  twice->t = rt_spawn(c, START(quiet), 0);
  await_it__fm_call(c, twice->t);
  WAIT(1);
  fm__done(c);
  await_it__fm_call(c, twice->t);
  WAIT(2);
  abort();
}
DESCRIBE(twice, 70, 71, 72)

static void awaited_twice(void) {
  fm__run(START(twice), NULL);
}

// ---- run inside an activity, a spawn in one that has ended ----
FRAME(runs, nothing)
static void runs__fm_resume(fm_domain *c, fm_frame *h) {
  F(runs);
  fm__run(START(quiet), NULL);
}
DESCRIBE(runs, 80)

static void nested_run(void) {
  fm__run(START(runs), NULL);
}

FRAME(spawns_in, nothing, fm_activity a;)
static void spawns_in__fm_resume(fm_domain *c, fm_frame *h) {
  F(spawns_in);
  fm__spawn(c, START(quiet), FM_SPAWN_IN, spawns_in->a);
}
DESCRIBE(spawns_in, 90)

static void spawn_in_ended(void) {
  fm__run(START(spawns_in, .a = { 0 }), NULL);
}

static void bad_order(void) {
  setenv("FERMATA_SCHED", "lifo", 1);
  fm__here();
}

// ---- dumps ----
FRAME(dumps, nothing, fm_task t; int how;)
static void dumps__fm_resume(fm_domain *c, fm_frame *h) {
  F(dumps);
  switch (h->state) { case 1: goto L1; }
  rt_spawn(c, START(other, .whom = fm_self()), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  dumps->t = rt_spawn(c, START(quiet), 0);
  if (dumps->how)
    raise(SIGUSR1);
  fm__yield(c);
  WAIT(1);
  if (!dumps->how)
    fm_dump(stderr);
}
DESCRIBE(dumps, 100, 101)

static void dump(void) {
  fm__run(START(dumps), NULL);
}

static void dump_on_signal(void) {
  setenv("FERMATA_DUMP", "1", 1);
  fm__run(START(dumps, .how = 1), NULL);
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  assert(rt_child(deadlock, err, sizeof err) == 1);
  has("fermata: deadlock: nothing is ready");
  has("#1 first: waits at test.c:31 for #2 a name of its own\n    at test.c:31 in first\n");
  has("#2 a name of its own: waits at test.c:11 for #1 first\n    at test.c:11 in join_it\n    at test.c:21 in other\n");

  assert(rt_child(atomic_deadlock, err, sizeof err) == 1);
  has("fermata: deadlock inside an atomic: nothing is ready");
  has("#1 holder: waits in an atomic for #2 quiet\n    at test.c in holder\n");
  has("#2 quiet: ready at test.c:40, held back by an atomic\n");

  assert(rt_child(awaited_twice, err, sizeof err) == 1);
  has("fermata: await of a task that was already awaited or given up; fm_share makes one more handle\n");
  has("    at test.c:61 in await_it\n    at test.c:72 in twice\n");

  assert(rt_child(nested_run, err, sizeof err) == 1);
  has("fermata: `run` inside a running activity: call the function directly, or await the task\n#1 runs: running\n    at ");
  has("rt-report.c:120 in runs\n");
  assert(rt_child(spawn_in_ended, err, sizeof err) == 1);
  has("fermata: spawn in an activity that has ended: ask fm_alive first\n");
  assert(rt_child(bad_order, err, sizeof err) == 1);
  has("fermata: FERMATA_SCHED=lifo: expected fifo or random:SEED\n");

  assert(rt_child(dump, err, sizeof err) == 0);
  assert(strcmp(err, "#1 dumps: running\n  #3 quiet: has ended, and its task is held\n#2 other: waits at test.c:11 for #1 dumps\n") == 0);
  assert(rt_child(dump_on_signal, err, sizeof err) == 0);
  has("#1 dumps: ready at test.c:101\n  #3 quiet: ready at test.c:40\n#2 other: ready at test.c:20\n");
  return 0;
}
