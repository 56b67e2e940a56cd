// Drivers: what each function of the table does, for poll and for virtual time; a program's own driver; timers while others
// are busy; pending things and deadlocks. (Some milliseconds of real time pass; nothing depends on how many.)
#include "rt.h"

#include <pthread.h>
#include <signal.h>

static fm__runtime *domain(void) { return fm__runtime_of(fm__here()); }

static unsigned got;
static void on_ready(fm_watch *w, unsigned events) {
  (void)w;
  got += 1 + 16 * events;
}

static void *wake_soon(void *driver) {
  usleep(2000);
  ((fm_driver *)driver)->wake(((fm_driver *)driver)->ctx);
  return NULL;
}

// ---- descriptors, and being woken: the same for both ----
static void check_watching(fm_driver *v) {
  enum { MANY = 40 };
  int fds[2];
  fm_watch in[MANY], out;
  assert(pipe(fds) == 0 && !v->pending(v->ctx));
  assert(v->watch(v->ctx, &(fm_watch){ .fd = -1, .events = FM_READABLE }) == EBADF);
  for (int i = 0; i < MANY; i++) {
    in[i] = (fm_watch){ .fd = fds[0], .events = FM_READABLE, .ready = on_ready };
    assert(v->watch(v->ctx, &in[i]) == 0);
  }
  assert(v->pending(v->ctx) && v->poll(v->ctx, 0) == 0);
  out = (fm_watch){ .fd = fds[1], .events = FM_WRITABLE, .ready = on_ready };
  assert(v->watch(v->ctx, &out) == 0);
  got = 0;
  assert(v->poll(v->ctx, FM_FOREVER) == 1 && got == 1 + 16 * FM_WRITABLE);
  for (int i = 1; i < MANY; i += 2)
    v->unwatch(v->ctx, &in[i]);
  assert(write(fds[1], "x", 1) == 1);
  got = 0;
  assert(v->poll(v->ctx, FM_FOREVER) == MANY / 2 && got == MANY / 2 * (1 + 16 * FM_READABLE) && !v->pending(v->ctx));
  close(fds[0]);                                  // an error is both, as far as it is wanted
  assert(v->watch(v->ctx, &out) == 0);
  got = 0;
  assert(v->poll(v->ctx, FM_FOREVER) == 1 && got == 1 + 16 * FM_WRITABLE);
  close(fds[1]);
}

// One that is ready takes away the others.
static fm_driver *taking;
static fm_watch pair[3];
static void on_first(fm_watch *w, unsigned events) {
  (void)events;
  got++;
  for (int i = 0; i < 3; i++)
    if (&pair[i] != w)
      taking->unwatch(taking->ctx, &pair[i]);
}

static void check_taking_away(fm_driver *v) {
  int fds[2];
  assert(pipe(fds) == 0);
  taking = v;
  for (int i = 0; i < 3; i++) {
    pair[i] = (fm_watch){ .fd = fds[1], .events = FM_WRITABLE, .ready = on_first };
    assert(v->watch(v->ctx, &pair[i]) == 0);
  }
  got = 0;
  assert(v->poll(v->ctx, 0) == 1 && got == 1 && !v->pending(v->ctx));
  close(fds[0]);
  close(fds[1]);
}

static void check_waking(fm_driver *v) {
  pthread_t thread;
  v->wake(v->ctx);
  v->wake(v->ctx);
  v->poll(v->ctx, FM_FOREVER);                    // woken before
  assert(pthread_create(&thread, NULL, wake_soon, v) == 0);
  v->poll(v->ctx, FM_FOREVER);
  pthread_join(thread, NULL);
}

static void check_real(fm_driver *v) {
  uint64_t start = v->now(v->ctx);
  assert(start > 0);
  v->poll(v->ctx, 0);
  v->poll(v->ctx, start + 2000000);
  assert(v->now(v->ctx) >= start + 2000000);
  check_watching(v);
  check_taking_away(v);
  check_waking(v);
  v->free(v->ctx);
}

static void check_virtual(void) {
  fm_driver *v = fm_driver_virtual(0);
  assert(v->now(v->ctx) == 0);
  v->poll(v->ctx, 0);
  assert(v->now(v->ctx) == 0);
  v->poll(v->ctx, 5000000000u);
  v->poll(v->ctx, 4000000000u);
  assert(v->now(v->ctx) == 5000000000u);
  check_watching(v);
  check_taking_away(v);
  check_waking(v);
  assert(v->now(v->ctx) == 5000000000u);
  v->free(v->ctx);
}

// ---- in a run: real sleep, while another yields all the time ----
static bool slept;
FRAME(busy, nothing, long n;)
static void busy__fm_resume(fm_domain *c, fm_frame *h) {
  F(busy);
  switch (h->state) { case 1: goto L1; }
  while (!slept) {
    busy->n++;
    fm__yield(c);
    WAIT(1);
  }
  assert(busy->n > 10);
}
DESCRIBE(busy, 1, 2)

FRAME(nap, nothing, uint64_t start;)
static void nap__fm_resume(fm_domain *c, fm_frame *h) {
  F(nap);
  switch (h->state) { case 1: goto L1; case 2: goto L2; }
  slept = false;
  nap->start = fm_now();
  fm_sleep__fm_call(c, 1);
  WAIT(1);
  assert(fm_now() - nap->start >= 1000000);
  rt_spawn(c, START(busy), FM_SPAWN_DROP);
  fm_sleep__fm_call(c, 3);
  WAIT(2);
  slept = true;
}
DESCRIBE(nap, 1, 2, 3)

// The same with one who only has automatic yields: the tick ends its slice, although no one else is ready.
FRAME(computing, nothing)
static void computing__fm_resume(fm_domain *c, fm_frame *h) {
  F(computing);
  switch (h->state) { case 1: goto L1; }
  while (!slept) {
    if (fm__stopped(c) && fm__slice(c) == FM_YIELDED) {
      h->state = 1;
      fm__paused(c, h);
      return;
    }
  L1:;
  }
}
DESCRIBE(computing, 1, 2)

FRAME(main2, nothing)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  switch (h->state) { case 1: goto L1; }
  slept = false;
  rt_spawn(c, START(computing), FM_SPAWN_DROP);
  fm_sleep__fm_call(c, 2);
  WAIT(1);
  slept = true;
}
DESCRIBE(main2, 1, 2)

static void *with_tick(void *arg) {
  setenv("FERMATA_TICK", "1", 1);
  rt_run(START(main2), NULL);
  rt_run(START(nap), NULL);
  return arg;
}

// ---- a program's own driver: a clock that jumps, and nothing else ----
static uint64_t my_time, my_polls;
static uint64_t my_now(void *ctx) { (void)ctx; return my_time; }
static size_t my_poll(void *ctx, uint64_t until) {
  (void)ctx;
  my_polls++;
  if (until != FM_FOREVER && until > my_time)
    my_time = my_polls % 2 ? my_time : until;     // early for no reason, now and then
  return 0;
}
static void my_wake(void *ctx) { (void)ctx; }
static fm_driver mine = { .now = my_now, .poll = my_poll, .wake = my_wake };

FRAME(sleeps, nothing)
static void sleeps__fm_resume(fm_domain *c, fm_frame *h) {
  F(sleeps);
  switch (h->state) { case 1: goto L1; }
  fm_sleep__fm_call(c, 1000);
  WAIT(1);
}
DESCRIBE(sleeps, 1, 2)

static void my_sleeps(void) {
  fm_watch w = { .fd = 0, .events = FM_READABLE };
  rt_run(START(sleeps), NULL);
  assert(my_time == 1000000000u && my_polls == 2);
  assert(fm__watch(domain(), &w) == ENOSYS);
}

// ---- the seed: another order, the same each time ----
FRAME(number, nothing, int i;)
static void number__fm_resume(fm_domain *c, fm_frame *h) {
  F(number);
  say("%d ", number->i);
}
DESCRIBE(number, 1)

FRAME(numbers, nothing)
static void numbers__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  for (int i = 0; i < 8; i++)
    rt_spawn(c, START(number, .i = i), FM_SPAWN_DROP);
}
DESCRIBE(numbers, 1)

static void check_seed(void) {
  char first[64];
  fm_set_driver(fm_driver_virtual(7));
  rt_run(START(numbers), NULL);
  strcpy(first, rt_log);
  assert(strcmp(first, "0 1 2 3 4 5 6 7 ") != 0);
  rt_log[0] = '\0';
  fm_set_driver(fm_driver_virtual(7));
  rt_run(START(numbers), NULL);
  said(first);
}

// ---- deadlocks: a watched descriptor is something to wait for ----
static fm_completion *readable;
static void complete_it(fm_watch *w, unsigned events) {
  int v = (int)events;
  (void)w;
  assert(fm__complete(readable, &v, sizeof v));
}

FRAME(reads, int, fm_watch w; int fds[2];)
static void reads__fm_resume(fm_domain *c, fm_frame *h) {
  F(reads);
  switch (h->state) { case 1: goto L1; }
  assert(pipe(reads->fds) == 0 && write(reads->fds[1], "x", 1) == 1);
  reads->w = (fm_watch){ .fd = reads->fds[0], .events = FM_READABLE, .ready = complete_it };
  readable = fm__direct_begin(c, &reads__fm_code);
  assert(fm__watch(fm__runtime_of(c), &reads->w) == 0);
  fm__direct_end(c, readable);
  WAIT(1);
  reads->result = rt_int(c);
  close(reads->fds[0]);
  close(reads->fds[1]);
}
DESCRIBE(reads, 1, 2)

// ---- SIGUSR1 while the domain sleeps in its driver ----
static fm_completion *open_one;
static void *signal_then_complete(void *arg) {
  fm__runtime *d = arg;
  while (!d->sleeping)
    usleep(100);
  raise(SIGUSR1);                                 // in this thread
  while (d->attention & FM__DUMP)
    usleep(100);
  assert(fm_resume_action((fm_action *)open_one));
  return NULL;
}

FRAME(asleep, nothing)
static void asleep__fm_resume(fm_domain *c, fm_frame *h) {
  F(asleep);
  pthread_t thread;
  switch (h->state) { case 1: goto L1; }
  open_one = fm__direct_begin(c, &asleep__fm_code);
  assert(pthread_create(&thread, NULL, signal_then_complete, fm__runtime_of(c)) == 0 && pthread_detach(thread) == 0);
  fm__direct_end(c, open_one);
  WAIT(1);
  fm__done(c);
}
DESCRIBE(asleep, 8, 9)

static void dump_asleep(void) {
  fm__runtime_free(domain());
  setenv("FERMATA_DUMP", "1", 1);
  fm__run(START(asleep), NULL);
}

static void bad_setting(void) {
  setenv("FERMATA_DRIVER", "clockwork", 1);
  fm__runtime_free(domain());
  fm_now();
}

int main(void) {
  int v;
  pthread_t thread;
  char err[256];
  setenv("FERMATA_TICK", "off", 1);
  check_real(fm_driver_poll());
  check_real(fm_driver_uv());
  check_virtual();
  rt_run(START(nap), NULL);
  rt_run(START(reads), &v);
  assert(v == FM_READABLE);
  assert(pthread_create(&thread, NULL, with_tick, NULL) == 0);
  pthread_join(thread, NULL);
  fm_set_driver(&mine);
  rt_run(START(numbers), NULL);
  said("0 1 2 3 4 5 6 7 ");
  my_sleeps();
  check_seed();
  rt_run(START(reads), &v);                       // with virtual time
  assert(v == FM_READABLE);
  assert(rt_child(dump_asleep, err, sizeof err) == 0 && strstr(err, "asleep: waits at test.c:9 for a completion"));
  assert(rt_child(bad_setting, err, sizeof err) == 1 && strstr(err, "FERMATA_DRIVER=clockwork: expected uv or virtual"));
  fm__runtime_free(domain());
  return 0;
}
