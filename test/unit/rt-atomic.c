// atomic: nothing else runs; waits inside run only what is contained; what is spawned inside is delayed until the outermost
// atomic ends, unless it is contained or waited for; atomics nest, also in what they contain; plain code may use them.
#include "rt.h"

FRAME(counter, int, int id; int n;)
static void counter__fm_resume(fm_domain *c, fm_frame *h) {
  F(counter);
  switch (h->state) { case 1: goto L1; }
  while (counter->n-- > 0) {
    say("%d ", counter->id);
    fm__yield(c);
    WAIT(1);
  }
  say("%d. ", counter->id);
  counter->result = counter->id;
}
DESCRIBE(counter, 1, 2)

static int await_atomic(fm_domain *c, fm_task t) {
  fm__await(c, t);
  ATOMIC_WAIT();
  return rt_int(c);
}

// ---- one atomic: contained, delayed, delayed and awaited, now ----
static void one_atomic(void) {
  fm_domain *c = fm__atomic_enter();
  rt_spawn(c, START(counter, .id = 1, .n = 1), FM_SPAWN_DROP);
  rt_spawn(c, START(counter, .id = 2, .n = 2), FM_SPAWN_DROP | FM_SPAWN_CONTAINED);
  fm_task awaited = rt_spawn(c, START(counter, .id = 3, .n = 1), 0);
  fm_task now = rt_spawn(c, START(counter, .id = 4, .n = 1), FM_SPAWN_NOW);
  say("{ ");
  errno = EDOM;
  assert(await_atomic(c, awaited) == 3);
  assert(errno == EDOM);
  say("3! ");
  assert(await_atomic(c, now) == 4);
  say("4! ");
  fm__atomic_leave(c);
  say("} ");
}

FRAME(main1, nothing)
static void main1__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  rt_spawn(c, START(counter, .id = 9, .n = 1), FM_SPAWN_DROP); // held back
  one_atomic();
  assert(fm_self().node == fm__runtime_of(c)->current);
}
DESCRIBE(main1, 1)

// ---- nested: B, contained in A's atomic, has one of its own, in which its sibling does not run ----
FRAME(inner, int, fm_task t;)
static void inner__fm_resume(fm_domain *c, fm_frame *h) {
  F(inner);
  fm__atomic_enter();
  fm_task t = rt_spawn(c, START(counter, .id = 6, .n = 2), 0);
  say("[ ");
  fm__atomic_enter();                             // shares the set
  assert(fm__top_set(fm__runtime_of(c))->depth == 2);
  inner->result = await_atomic(c, t);
  fm__atomic_enter();
  fm__atomic_leave(c);
  fm__atomic_leave(c);
  say("] ");
  fm__atomic_leave(c);
}
DESCRIBE(inner, 1)

static void nested_atomics(void) {
  fm_domain *c = fm__atomic_enter();
  fm_task b = rt_spawn(c, START(inner), FM_SPAWN_CONTAINED);
  rt_spawn(c, START(counter, .id = 5, .n = 3), FM_SPAWN_DROP | FM_SPAWN_CONTAINED);
  fm__atomic_enter();                             // a set of its own: 5 and b do not run in it
  rt_spawn(c, START(counter, .id = 7), FM_SPAWN_DROP | FM_SPAWN_CONTAINED);
  fm__atomic_leave(c);
  assert(await_atomic(c, b) == 6);
  say("b! ");
  fm__atomic_leave(c);
}

FRAME(main2, nothing)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  nested_atomics();
  say("} ");
}
DESCRIBE(main2, 1)

// ---- the end of a contained activity waits for its children: they are contained, too ----
FRAME(family, nothing)
static void family__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  rt_spawn(c, START(counter, .id = 8, .n = 1), FM_SPAWN_DROP);
  say("family ");
}
DESCRIBE(family, 1)

FRAME(main3, nothing)
static void main3__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  fm__atomic_enter();
  fm_activity a = fm__id(rt_spawn(c, START(family), 0));
  fm__join(c, a);
  ATOMIC_WAIT();
  say("joined ");
  fm__atomic_leave(c);
}
DESCRIBE(main3, 1)

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(main1), NULL);
  said("4 { 2 4. 3 2 3. 2. 3! 4! } 9 1 9. 1. ");
  rt_run(START(main2), NULL);
  said("7. [ 6 6 6. ] 5 b! 5 5 5. } ");
  rt_run(START(main3), NULL);
  said("family 8 8. joined ");
  one_atomic();                                   // in plain code: what is delayed waits for a run
  said("4 { 2 4. 3 2 3. 2. 3! 4! } ");
  rt_run(START(main3), NULL);
  said("1 family 8 8. joined ");                  // the run ends before 1 does
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
