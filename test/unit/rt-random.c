// FERMATA_SCHED=random:SEED: any order among the ready ones; the results are the same, a seed gives the same order again,
// and every order of three comes up.
#include "rt.h"

FRAME(number, int, int n;)
static void number__fm_resume(fm_domain *c, fm_frame *h) {
  F(number);
  switch (h->state) { case 1: goto L1; }
  fm__yield(c);
  WAIT(1);
  say("%d", number->n);
  number->result = number->n;
}
DESCRIBE(number, 1, 2)

// async int sum(int n): spawns 1…n, half of them now, one in an atomic; awaits them, the last first
FRAME(sum, int, int n; int i; int v; fm_task t[40];)
static void sum__fm_resume(fm_domain *c, fm_frame *h) {
  F(sum);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  for (sum->i = 1; sum->i <= sum->n; sum->i++) {
    sum->t[sum->i] = rt_spawn(c, START(number, .n = sum->i), sum->n > 3 && sum->i % 2 ? FM_SPAWN_NOW : 0);
    WAIT(1);
  }
  if (sum->n > 3) {
    fm__atomic_enter();
    fm_task t = rt_spawn(c, START(number, .n = 0), 0);
    rt_spawn(c, START(number, .n = 0), FM_SPAWN_CONTAINED);
    fm__await(c, t);
    ATOMIC_WAIT();
    sum->v = rt_int(c);
    fm__atomic_leave(c);
  }
  for (sum->i = sum->n; sum->i > 0; sum->i--) {
    fm__await(c, sum->t[sum->i]);
    WAIT(2);
    sum->v += rt_int(c);
  }
  sum->result = sum->v;
}
DESCRIBE(sum, 1, 2, 3)

static void run_with(int seed, int n) {
  char order[32];
  int v;
  snprintf(order, sizeof order, "random:%d", seed);
  setenv("FERMATA_SCHED", order, 1);
  rt_log[0] = '\0';
  rt_run(START(sum, .n = n, .v = 0), &v);
  assert(v == n * (n + 1) / 2);
  fm__runtime_free(fm__runtime_of(fm__here()));
}

int main(void) {
  char before[256];
  unsigned seen = 0;
  setenv("FERMATA_TICK", "off", 1);
  for (int seed = 0; seed < 500; seed++) {
    run_with(seed, 39);
    memcpy(before, rt_log, sizeof before);
    run_with(seed, 39);
    assert(memcmp(before, rt_log, strlen(rt_log) + 1) == 0);
    run_with(seed, 3);
    seen |= 1u << ((rt_log[0] - '1') * 3 + (rt_log[1] - '1'));
  }
  assert(seen == (1u << 1 | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 6 | 1u << 7));
  return 0;
}
