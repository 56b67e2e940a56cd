// spawn now: the child runs at once until its first pause, then its parent goes on; errno is the parent's again. When the
// stack is used up, child and parents move to the heap and go on in the same order.
#include "rt.h"

FRAME(child, int, int n;)
static void child__fm_resume(fm_domain *c, fm_frame *h) {
  F(child);
  switch (h->state) { case 1: goto L1; }
  say("begins ");
  assert(errno == 0);
  errno = ENOENT;
  fm__yield(c);
  WAIT(1);
  assert(errno == ENOENT);
  say("ends ");
  child->result = child->n;
}
DESCRIBE(child, 1, 2)

FRAME(parent, int, fm_task t, u; int v;)
static void parent__fm_resume(fm_domain *c, fm_frame *h) {
  F(parent);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; case 4: goto L4; }
  errno = EINTR;
  parent->t = rt_spawn(c, START(child, .n = 1), FM_SPAWN_NOW);
  WAIT(1);
  assert(errno == EINTR && fm_self().node->child == parent->t.node);
  say("parent ");
  parent->u = rt_spawn(c, START(child, .n = 2), FM_SPAWN_NOW | FM_SPAWN_DETACHED);
  WAIT(2);
  fm__await(c, parent->u);
  WAIT(3);
  parent->v = rt_int(c);
  fm__await(c, parent->t);
  WAIT(4);
  parent->result = parent->v + rt_int(c);
}
DESCRIBE(parent, 1, 2, 3, 4, 5)

// async int nest(int n) { if (!n) return 0; task(int) t = spawn now nest(n - 1); order(n); yield; return await t + 1; }
static int last;
FRAME(nest, int, int n; fm_task t;)
static void nest__fm_resume(fm_domain *c, fm_frame *h) {
  F(nest);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  if (nest->n == 0) {
    nest->result = last = 0;
    return;
  }
  nest->t = rt_spawn(c, START(nest, .n = nest->n - 1), FM_SPAWN_NOW);
  if (fm__stopped(c) && fm__below(c)) {
    h->state = 1;
    fm__paused(c, h);
    return;
  }
  if (0)
L1:
    nest->t = *(fm_task *)c->result;
  assert(last == nest->n - 1);                    // the child has run to its first pause, and no one else since
  last = nest->n;
  fm__yield(c);
  WAIT(2);
  fm__await(c, nest->t);
  WAIT(3);
  nest->result = rt_int(c) + 1;
}
DESCRIBE(nest, 1, 2, 3, 4)

int main(void) {
  int v;
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(parent), &v);
  assert(v == 3);
  said("begins parent begins ends ends ");
  rt_run(START(nest, .n = 300000), &v);
  assert(v == 300000);
  setenv("FERMATA_SCHED", "random:1", 1);
  fm__runtime_free(fm__runtime_of(fm__here()));
  rt_run(START(nest, .n = 300000), &v);
  assert(v == 300000);
  return 0;
}
