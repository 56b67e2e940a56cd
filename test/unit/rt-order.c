// The order in which activities run: the ready queue is first in, first out; spawn and yield go to its end; those who wait
// for one activity go on in the order in which they came. Each has its own errno.
#include "rt.h"

FRAME(counter, nothing, int id; int n; int i;)
static void counter__fm_resume(fm_domain *c, fm_frame *h) {
  F(counter);
  switch (h->state) { case 1: goto L1; }
  for (counter->i = 0; counter->i < counter->n; counter->i++) {
    say("%d.%d ", counter->id, counter->i);
    fm__yield(c);
    WAIT(1);
  }
  say("%d. ", counter->id);
}
DESCRIBE(counter, 1, 2)

FRAME(three, nothing)
static void three__fm_resume(fm_domain *c, fm_frame *h) {
  switch (h->state) { case 1: goto L1; }
  for (int i = 1; i <= 3; i++)
    rt_spawn(c, START(counter, .id = i, .n = i), FM_SPAWN_DROP);
  say("main ");
  fm__yield(c);
  WAIT(1);
  say("main. ");
}
DESCRIBE(three, 1, 2)

FRAME(joiner, nothing, int id; fm_activity whom;)
static void joiner__fm_resume(fm_domain *c, fm_frame *h) {
  F(joiner);
  switch (h->state) { case 1: goto L1; }
  say("joins %d ", joiner->id);
  fm__join(c, joiner->whom);
  WAIT(1);
  say("joined %d ", joiner->id);
}
DESCRIBE(joiner, 1, 2)

FRAME(waiters, nothing, fm_task t;)
static void waiters__fm_resume(fm_domain *c, fm_frame *h) {
  F(waiters);
  switch (h->state) { case 1: goto L1; }
  waiters->t = rt_spawn(c, START(counter, .id = 9, .n = 1), 0);
  for (int i = 1; i <= 2; i++)
    rt_spawn(c, START(joiner, .id = i, .whom = fm__id(waiters->t)), FM_SPAWN_DROP);
  fm__await(c, waiters->t);
  WAIT(1);
  fm__done(c);
  say("awaited ");
}
DESCRIBE(waiters, 1, 2)

FRAME(own_errno, nothing, int value;)
static void own_errno__fm_resume(fm_domain *c, fm_frame *h) {
  F(own_errno);
  switch (h->state) { case 1: goto L1; }
  assert(errno == 0);
  errno = own_errno->value;
  fm__yield(c);
  WAIT(1);
  assert(errno == own_errno->value);
}
DESCRIBE(own_errno, 1, 2)

FRAME(errnos, nothing)
static void errnos__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  for (int i = 1; i <= 3; i++)
    rt_spawn(c, START(own_errno, .value = i), FM_SPAWN_DROP);
}
DESCRIBE(errnos, 1)

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(three), NULL);
  said("main 1.0 2.0 3.0 main. 1. 2.1 3.1 2. 3.2 3. ");
  rt_run(START(waiters), NULL);
  said("9.0 joins 1 joins 2 9. awaited joined 1 joined 2 ");
  rt_run(START(errnos), NULL);
  return 0;
}
