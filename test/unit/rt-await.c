// Tasks: values of any size, awaited before and after they end; sharing, giving up; handles that have gone stale; who
// cleans up what no one awaits; and that an activity has ended only when its children have.
#include "rt.h"

typedef struct big { char bytes[200]; } big;

FRAME(number, int, int n; int yields;)
static void number__fm_resume(fm_domain *c, fm_frame *h) {
  F(number);
  switch (h->state) { case 1: goto L1; }
  while (number->yields-- > 0) {
    fm__yield(c);
    WAIT(1);
  }
  say("%d. ", number->n);
  number->result = number->n;
}
DESCRIBE(number, 1, 2)

FRAME(fill, big, int with;)
static void fill__fm_resume(fm_domain *c, fm_frame *h) {
  F(fill);
  memset(&fill->result, fill->with, sizeof fill->result);
}
DESCRIBE(fill, 1)

FRAME(quiet, nothing)
static void quiet__fm_resume(fm_domain *c, fm_frame *h) {
  F(quiet);
}
DESCRIBE(quiet, 1)

// int, void and struct results; the second number has ended when it is awaited.
FRAME(values, int, fm_task a, b, q, f; int sum;)
static void values__fm_resume(fm_domain *c, fm_frame *h) {
  F(values);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; case 4: goto L4; }
  values->a = rt_spawn(c, START(number, .n = 40, .yields = 2), 0);
  values->b = rt_spawn(c, START(number, .n = 2), 0);
  values->q = rt_spawn(c, START(quiet), 0);
  values->f = rt_spawn(c, START(fill, .with = 'x'), 0);
  fm__await(c, values->a);
  WAIT(1);
  values->sum = rt_int(c);
  assert(*(int *)fm__await(c, values->b) == 2);   // a finished task does not pause
  assert(!fm__stopped(c));
  WAIT(2);
  values->sum += rt_int(c);
  fm__await(c, values->q);
  WAIT(3);
  fm__done(c);
  fm__await(c, values->f);
  WAIT(4);
  assert(((big *)c->result)->bytes[199] == 'x');
  fm__done(c);
  values->result = values->sum;
}
DESCRIBE(values, 1, 2, 3, 4, 5)

FRAME(reader, int, fm_task t;)
static void reader__fm_resume(fm_domain *c, fm_frame *h) {
  F(reader);
  switch (h->state) { case 1: goto L1; }
  fm__await(c, reader->t);
  WAIT(1);
  say("reads %d ", rt_int(c));
}
DESCRIBE(reader, 1, 2)

// Three handles: two wait, the third is read long after the end.
FRAME(shared, nothing, fm_task t; fm_activity id; int i;)
static void shared__fm_resume(fm_domain *c, fm_frame *h) {
  F(shared);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  shared->t = rt_spawn(c, START(number, .n = 7, .yields = 2), 0);
  shared->id = fm__id(shared->t);
  rt_spawn(c, START(reader, .t = fm__share(shared->t)), FM_SPAWN_DROP);
  rt_spawn(c, START(reader, .t = fm__share(shared->t)), FM_SPAWN_DROP);
  for (shared->i = 0; shared->i < 9; shared->i++) {
    fm__yield(c);
    WAIT(1);
  }
  assert(!fm_alive(shared->id));
  fm__await(c, shared->t);
  WAIT(2);
  say("late %d ", rt_int(c));
}
DESCRIBE(shared, 1, 2, 3)

// A stale handle is harmless but in await. Detaching before and after the end; a kept task that no one awaits.
FRAME(stale, nothing, fm_task t, u; int i;)
static void stale__fm_resume(fm_domain *c, fm_frame *h) {
  F(stale);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  stale->t = rt_spawn(c, START(number, .n = 1), 0);
  stale->u = rt_spawn(c, START(number, .n = 2, .yields = 3), 0);
  rt_spawn(c, START(number, .n = 3), 0);          // kept
  assert(fm_alive(fm__id(stale->t)));
  fm__detach(stale->u);                           // before its end
  fm__join(c, fm__id(stale->t));
  WAIT(1);
  assert(!fm_alive(fm__id(stale->t)));
  fm__detach(stale->t);                           // after its end: released
  stale->u = rt_spawn(c, START(number, .n = 4), 0);
  assert(stale->u.node == stale->t.node);         // the memory is used again, and the old handle is still recognised
  assert(!fm_alive(fm__id(stale->t)) && fm_alive(fm__id(stale->u)));
  fm__detach(stale->t);
  fm_set_name(fm__id(stale->t), "nobody");
  assert(!fm__share(stale->t).node);
  fm__join(c, fm__id(stale->t));
  assert(!fm__stopped(c));
  WAIT(2);
  fm__await(c, stale->u);
  WAIT(3);
  assert(rt_int(c) == 4);
}
DESCRIBE(stale, 1, 2, 3, 4)

FRAME(parent, nothing)
static void parent__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  rt_spawn(c, START(number, .n = 1, .yields = 3), FM_SPAWN_DROP);
  rt_spawn(c, START(number, .n = 2, .yields = 1), FM_SPAWN_DROP);
  say("parent's body. ");
}
DESCRIBE(parent, 1)

FRAME(grandparent, nothing, fm_task t;)
static void grandparent__fm_resume(fm_domain *c, fm_frame *h) {
  F(grandparent);
  switch (h->state) { case 1: goto L1; }
  grandparent->t = rt_spawn(c, START(parent), 0);
  rt_spawn(c, START(number, .n = 9, .yields = 50), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  fm__await(c, grandparent->t);
  WAIT(1);
  fm__done(c);
  say("awaited ");
}
DESCRIBE(grandparent, 1, 2)

int main(void) {
  int v = 0;
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(values), &v);
  assert(v == 42);
  said("2. 40. ");
  rt_run(START(shared), NULL);
  said("7. reads 7 reads 7 late 7 ");
  rt_run(START(stale), NULL);
  said("1. 3. 4. 2. ");
  rt_run(START(grandparent), NULL);               // the detached one is unwound
  said("parent's body. 2. 1. awaited ");

  fm_task t = rt_spawn(fm__here(), START(number, .n = 5, .yields = 1), FM_SPAWN_DETACHED);
  fm_task u = rt_spawn(fm__here(), START(number, .n = 6), FM_SPAWN_DETACHED);
  fm__run_task(t, &v, sizeof v);
  assert(v == 5);
  fm__run_task(u, &v, sizeof v);                  // had ended, and its task was held
  assert(v == 6);
  said("6. 5. ");
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
