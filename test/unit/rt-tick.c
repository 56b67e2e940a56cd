// The tick: activities that never pause by themselves take turns; who is alone has no helper thread; and two threads have
// a domain each. (Real time passes here, a few milliseconds; nothing depends on how many.)
#include "rt.h"

#include <pthread.h>

// async void busy(void) { while (turns < 10) { if (last != me) turns++, last = me; f(); } }   with automatic yields
static _Thread_local int turns, last;
FRAME(busy, nothing, int me;)
static void busy__fm_resume(fm_domain *c, fm_frame *h) {
  F(busy);
  switch (h->state) { case 1: goto L1; }
  while (turns < 10) {
    turns += last != busy->me;
    last = busy->me;
    if (fm__stopped(c) && fm__slice(c) == FM_YIELDED) {
      h->state = 1;
      fm__paused(c, h);
      return;
    }
  L1:;
  }
}
DESCRIBE(busy, 1, 2)

// async void calls(int me): the same, and the yield is merged with the check after a call
FRAME(calls, nothing, int me;)
static void calls__fm_resume(fm_domain *c, fm_frame *h) {
  F(calls);
  switch (h->state) { case 1: goto L1; }
  while (turns < 10) {
    turns += last != calls->me;
    last = calls->me;
    assert(!fm__low(c) || fm__entry(c) == FM_GO); // the entry of what is called: a slice is over, but the stack is not low
    if (fm__stopped(c)) {
      assert(fm__after(c) == FM_YIELDED);
      h->state = 1;
      fm__paused(c, h);
      return;
    }
  L1:;
  }
}
DESCRIBE(calls, 1, 2)

FRAME(both, nothing)
static void both__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  rt_spawn(c, START(busy, .me = 1), FM_SPAWN_DROP);
  rt_spawn(c, START(calls, .me = 2), FM_SPAWN_DROP);
}
DESCRIBE(both, 1)

FRAME(alone, nothing, int i;)
static void alone__fm_resume(fm_domain *c, fm_frame *h) {
  F(alone);
  switch (h->state) { case 1: goto L1; }
  for (alone->i = 0; alone->i < 1000; alone->i++) {
    fm__yield(c);
    WAIT(1);
  }
}
DESCRIBE(alone, 1, 2)

static void *run_both(void *arg) {
  turns = last = 0;
  rt_run(START(both), NULL);
  assert(turns >= 10 && fm__runtime_of(fm__here())->ticker);
  return arg;
}

int main(void) {
  pthread_t thread;
  setenv("FERMATA_TICK", "1", 1);
  rt_run(START(alone), NULL);
  assert(!fm__runtime_of(fm__here())->ticker);
  assert(pthread_create(&thread, NULL, run_both, NULL) == 0);
  run_both(NULL);
  pthread_join(thread, NULL);
  usleep(10000);                                  // long enough for the ticker to fall asleep
  run_both(NULL);
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
