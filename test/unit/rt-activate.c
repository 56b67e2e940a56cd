// activate: activities that share the variables of a block; the end of the block waits for them, in atomic code as well.
#include "rt.h"

FRAME(body, nothing, fm_share_group *up; int *sum; int n;) // (in fmcc's, `up` is the frame that holds the group)
static void body__fm_resume(fm_domain *c, fm_frame *h) {
  F(body);
  switch (h->state) { case 1: goto L1; }
  fm__yield(c);
  WAIT(1);
  *body->sum += body->n;
}
DESCRIBE(body, 1, 2)

// async int owner(void) { int sum = 0; { for (i) activate [&id] (i) { yield; sum += i; } } return sum; }
FRAME(owner, int, int sum; fm_activity id; fm_share_group g;)
static void owner__fm_resume(fm_domain *c, fm_frame *h) {
  F(owner);
  switch (h->state) { case 1: goto L1; }
  for (int i = 1; i <= 4; i++)
    fm__activate(c, START(body, .up = &owner->g, .sum = &owner->sum, .n = i), &owner->g, &owner->id, i == 2 ? FM_SPAWN_NOW : 0);
  assert(fm_alive(owner->id));
  fm__join_group(c, &owner->g);
  WAIT(1);
  assert(!fm_alive(owner->id));
  fm__join_group(c, &owner->g);                   // nobody left: no pause
  assert(!fm__stopped(c));
  owner->result = owner->sum;
}
DESCRIBE(owner, 1, 2)

static int owner__fm_atomic(void) {
  fm_share_group g = { 0 };
  int sum = 0;
  fm_domain *c = fm__atomic_enter();
  for (int i = 1; i <= 4; i++)
    fm__activate(c, START(body, .up = &g, .sum = &sum, .n = i), &g, NULL, 0);
  fm__join_group(c, &g);
  ATOMIC_WAIT();
  fm__done(c);
  fm__atomic_leave(c);
  return sum;
}

int main(void) {
  int v;
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(owner), &v);
  assert(v == 10);
  assert(owner__fm_atomic() == 10);
  return 0;
}
