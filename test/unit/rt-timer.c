// Timers: their order, equal deadlines, many of them with random withdrawals against a plain sorted list; fm_sleep and
// fm_every in virtual time, in all their versions; sleeping in an atomic; what is left when a run ends.
#include "rt.h"

static uint64_t ms(void) { return fm_now() / 1000000; }
static fm__runtime *domain(void) { return fm__runtime_of(fm__here()); }

// ---- order ----
FRAME(sleeper, nothing, int id; uint64_t ms;)
static void sleeper__fm_resume(fm_domain *c, fm_frame *h) {
  F(sleeper);
  switch (h->state) { case 1: goto L1; }
  fm_sleep__fm_call(c, sleeper->ms);
  WAIT(1);
  say("%d@%d ", sleeper->id, (int)ms());
}
DESCRIBE(sleeper, 1, 2)

FRAME(main1, nothing)
static void main1__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  static const int lengths[] = { 50, 10, 50, 0, 10, 3000000, 50, 1, 4096 };
  for (int i = 0; i < 9; i++)
    rt_spawn(c, START(sleeper, .id = i, .ms = (uint64_t)lengths[i]), FM_SPAWN_DROP);
}
DESCRIBE(main1, 1)

// ---- one after the other; and who yields meanwhile keeps virtual time from moving ----
static bool stop;
FRAME(yielder, nothing, int n;)
static void yielder__fm_resume(fm_domain *c, fm_frame *h) {
  F(yielder);
  switch (h->state) { case 1: goto L1; }
  while (yielder->n-- > 0) {
    assert(!stop);
    fm__yield(c);
    WAIT(1);
  }
}
DESCRIBE(yielder, 1, 2)

FRAME(main2, nothing, int i; uint64_t start; fm_task t;)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; }
  main2->start = ms();
  rt_spawn(c, START(yielder, .n = 5000), FM_SPAWN_DROP);
  for (main2->i = 0; main2->i < 1000; main2->i++) {
    fm_sleep__fm_call(c, 3600000);                // 1000 hours
    WAIT(1);
    stop = true;                                  // the yielder has long ended
  }
  assert(ms() - main2->start == 3600000000u);
  main2->t = rt_spawn(c, fm_sleep__fm_start(c, 20), 0);
  fm__await(c, main2->t);
  WAIT(2);
  fm__done(c);
  main2->t = rt_spawn(c, fm_sleep__fm_start(c, 0), 0);
  fm__await(c, main2->t);
  WAIT(3);
  fm__done(c);
  assert(ms() - main2->start == 3600000020u);
  stop = false;
}
DESCRIBE(main2, 1, 2, 3, 4)

// ---- fm_every: does not drift; leaves out what was missed ----
FRAME(main3, nothing, fm_timer t; int i; uint64_t start; fm_task task;)
static void main3__fm_resume(fm_domain *c, fm_frame *h) {
  F(main3);
  switch (h->state) { case 1: goto L1; case 2: goto L2; case 3: goto L3; case 4: goto L4; }
  main3->start = ms();
  main3->t = fm_every(100);
  for (main3->i = 0; main3->i < 3; main3->i++) {
    fm_tick__fm_call(c, &main3->t);
    WAIT(1);
    say("%d ", (int)(ms() - main3->start));
    fm_sleep__fm_call(c, 30);
    WAIT(2);
  }
  fm_sleep__fm_call(c, 300);                      // now: 630
  WAIT(3);
  fm_tick__fm_call(c, &main3->t);                 // that of 600; 400 and 500 are left out
  assert(!fm__stopped(c) && main3->t.missed == 2);
  main3->task = rt_spawn(c, fm_tick__fm_start(c, &main3->t), 0);
  fm__await(c, main3->task);
  WAIT(4);
  fm__done(c);
  say("%d/%d ", (int)(ms() - main3->start), (int)main3->t.missed);
  fm__atomic_enter();
  fm_tick__fm_atomic(&main3->t);
  say("%d", (int)(ms() - main3->start));
  fm__atomic_leave(c);
}
DESCRIBE(main3, 1, 2, 3, 4, 5)

// ---- atomic: the timers of others go off, but they wait ----
FRAME(main4, nothing, uint64_t start;)
static void main4__fm_resume(fm_domain *c, fm_frame *h) {
  F(main4);
  switch (h->state) { case 1: goto L1; }
  main4->start = ms();
  rt_spawn(c, START(sleeper, .id = 1, .ms = 10), FM_SPAWN_DROP | FM_SPAWN_NOW);
  fm__atomic_enter();
  rt_spawn(c, START(sleeper, .id = 2, .ms = 20), FM_SPAWN_DROP | FM_SPAWN_CONTAINED);
  fm_sleep__fm_atomic(100);
  fm_sleep__fm_atomic(0);
  say("atomic@%d ", (int)(ms() - main4->start));
  fm__atomic_leave(c);
  fm__yield(c);
  WAIT(1);
}
DESCRIBE(main4, 1, 2)

// ---- the end of a run withdraws them ----
FRAME(main5, nothing)
static void main5__fm_resume(fm_domain *c, fm_frame *h) {
  F(main5);
  switch (h->state) { case 1: goto L1; }
  for (int i = 0; i < 10; i++)
    rt_spawn(c, START(sleeper, .id = i, .ms = 1000), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  rt_spawn(c, START(sleeper, .id = 10, .ms = UINT64_MAX), FM_SPAWN_DROP | FM_SPAWN_DETACHED);
  fm__yield(c);
  WAIT(1);
  assert(fm__has_alarms(domain()) && domain()->base.external == 11);
}
DESCRIBE(main5, 1, 2)

// ---- the wheel by itself, in random order ----
enum { N = 20000, MILLION = 1000000 };
typedef struct Entry { fm__alarm t; uint64_t serial; bool set; } Entry;
static Entry entries[N];
static uint64_t serial, fired, last_deadline, last_serial, seed = 1;

static uint64_t draw(uint64_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (seed >> 33) % n;
}

static void on_fire(fm__runtime *d, fm__alarm *t) {
  Entry *e = (Entry *)t;
  (void)d;
  assert(e->set);
  e->set = false;
  assert(t->deadline > last_deadline || (t->deadline == last_deadline && e->serial > last_serial));
  last_deadline = t->deadline;
  last_serial = e->serial;
  fired++;
}

static uint64_t first_deadline(void) {
  uint64_t first = FM_FOREVER;
  for (int i = 0; i < N; i++)
    if (entries[i].set && entries[i].t.deadline < first)
      first = entries[i].t.deadline;
  return first;
}

static void set(Entry *e, uint64_t deadline) {
  e->t.fire = on_fire;
  e->serial = ++serial;
  e->set = true;
  fm__alarm_set(domain(), &e->t, deadline);
}

// As fm_cancel_after does; whoever sets one otherwise has read the clock.
static void set_after(Entry *e, uint64_t ns) {
  e->t.fire = on_fire;
  e->serial = ++serial;
  e->set = true;
  fm__alarm_set_after(domain(), &e->t, ns);
}

static void random_timers(uint64_t spread) {
  static uint64_t now = 1000;
  uint64_t sets = 0, unsets = 0, before = fired;
  fm__runtime *d = domain();
  fm__alarms_free(d);
  for (int step = 0; step < 200; step++) {
    for (int k = 0; k < 500; k++) {
      Entry *e = &entries[draw(N)];
      if (e->set) {
        fm__alarm_unset(d, &e->t);
        e->set = false;
        unsets++;
      } else {
        if (draw(3)) {
          set_after(e, draw(spread));
        } else {
          fm__alarms_settle(d, now);
          set(e, now + draw(spread));
        }
        sets++;
      }
    }
    fm__alarms_settle(d, now);
    uint64_t first = first_deadline();
    assert(fm__alarms_next(d, now) <= first);
    if (step % 3)
      now += draw(spread / 50 + 2);
    else
      now = fm__alarms_next(d, now);              // as virtual time does
    fm__alarms_fire(d, now);
    assert(first_deadline() > now);
  }
  fm__alarms_fire(d, now + spread);
  now += spread;
  assert(fired - before == sets - unsets && !fm__has_alarms(d) && fm__alarms_next(d, now) == FM_FOREVER);
}

static void million(void) {
  fm__runtime *d = domain();
  Entry *all = calloc(MILLION, sizeof *all);
  fm__alarms_free(d);
  last_deadline = last_serial = fired = 0;
  for (int i = 0; i < MILLION; i++)
    set(&all[i], 1 + draw(1000000000));
  for (int i = 0; i < MILLION; i += 2) {
    fm__alarm_unset(d, &all[i].t);
    all[i].set = false;
  }
  while (fm__has_alarms(d))
    fm__alarms_fire(d, fm__alarms_next(d, last_deadline));
  assert(fired == MILLION / 2);
  set(&all[0], UINT64_MAX);                       // the last moment
  set(&all[1], UINT64_MAX - 1);
  assert(fm__alarms_next(d, UINT64_MAX - 2) == UINT64_MAX - 1);
  fm__alarms_fire(d, UINT64_MAX);
  assert(fired == MILLION / 2 + 2);
  fm__alarms_free(d);
  free(all);
}

int main(void) {
  setenv("FERMATA_TICK", "off", 1);
  setenv("FERMATA_DRIVER", "virtual", 1);
  assert(fm_now() == 0);
  rt_run(START(main1), NULL);
  said("3@0 7@1 1@10 4@10 0@50 2@50 6@50 8@4096 5@3000000 ");
  rt_run(START(main2), NULL);
  rt_run(START(main3), NULL);
  said("100 200 300 700/0 800");
  rt_run(START(main4), NULL);
  assert(strstr(rt_log, "2@") && strstr(rt_log, "atomic@100 1@"));
  rt_log[0] = '\0';
  rt_run(START(main5), NULL);
  assert(!fm__has_alarms(domain()) && !domain()->base.external);
  random_timers(10);
  random_timers(100000);
  random_timers(1000000000000u);
  million();
  fm__runtime_free(domain());
  return 0;
}
