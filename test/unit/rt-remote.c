// Several domains: 10^5 activities in others, handles of domains that have ended, the end of a domain in the middle of work,
// spawns on one that ends, errors of guests, who is least loaded.
#include "rt.h"

#include <pthread.h>
#include <sched.h>

enum { MANY = 100000 };

static fm_domain *other;
static fm_pool *pool;

static fm_task on(fm_domain *c, fm_frame *root, unsigned how, fm_domain *to) {
  return fm__spawn_on(c, root, how | FM_SPAWN_ON, to);
}

static fm_task on_pool(fm_domain *c, fm_frame *root, unsigned how, fm_pool *p) {
  return fm__spawn_in_pool(c, root, how | FM_SPAWN_ON, p);
}

// ---- many ----
FRAME(square, int, int n;)
static void square__fm_resume(fm_domain *c, fm_frame *h) {
  F(square);
  switch (h->state) { case 1: goto L1; }
  if (square->n % 3 == 0)
    fm__yield(c);
  WAIT(1);
  square->result = square->n * square->n;
  c->result = &square->result;
}
DESCRIBE(square, 1, 2)

static fm_task tasks[MANY];
FRAME(many, long, int i;)
static void many__fm_resume(fm_domain *c, fm_frame *h) {
  F(many);
  switch (h->state) { case 1: goto L1; }
  for (int i = 0; i < MANY; i++)
    tasks[i] = on_pool(c, START(square, .n = i % 1000), 0, pool);
  many->result = 0;
  for (many->i = 0; many->i < MANY; many->i++) {
    fm__await(c, tasks[many->i]);
    WAIT(1);
    many->result += rt_int(c);
  }
  c->result = &many->result;
}
DESCRIBE(many, 1, 2)

static void check_many(void) {
  long sum, want = 0;
  rt_run(START(many), &sum);
  for (int i = 0; i < MANY; i++)
    want += (i % 1000) * (i % 1000);
  assert(sum == want);
}

// ---- handles that outlive their domain ----
static fm_activity seen;
FRAME(tells, nothing, int wait;)
static void tells__fm_resume(fm_domain *c, fm_frame *h) {
  F(tells);
  switch (h->state) { case 1: goto L1; }
  seen = fm_self();
  if (tells->wait)
    fm_sleep__fm_call(c, 100000);
  WAIT(1);
}
DESCRIBE(tells, 1, 2)

FRAME(joins, nothing, fm_domain *to; int how; fm_task t;)
static void joins__fm_resume(fm_domain *c, fm_frame *h) {
  F(joins);
  switch (h->state) { case 1: goto L1; }
  joins->t = on(c, START(tells, .wait = joins->how), 0, joins->to);
  if (joins->how) {                               // its domain ends while it sleeps there
    while (atomic_load(&fm__runtime_of(joins->to)->load) != 1)
      sched_yield();
    fm_domain_free(joins->to);
  }
  fm__join(c, fm__id(joins->t));
  WAIT(1);
  assert(fm__has_failed(joins->t.node->leaf) == joins->how);
  fm__detach(joins->t);
}
DESCRIBE(joins, 1, 2)

static void harmless(fm_activity a) {
  assert(!fm_alive(a));
  fm_cancel(a);
  fm_pause(a);
  fm_resume(a);
  fm_set_name(a, "no one");
}

static void check_handles(void) {
  for (int i = 0; i < 50; i++) {
    fm_domain *d = fm_domain_new(NULL);
    rt_run(START(joins, .to = d, .how = i % 2), NULL);
    fm_activity old = seen;
    harmless(old);
    if (i % 2 == 0)
      fm_domain_free(d);
    harmless(old);
    d = fm_domain_new(NULL);                      // which gets the same memory
    rt_run(START(joins, .to = d, .how = 0), NULL);
    assert(seen.node != old.node || seen.generation != old.generation);
    harmless(old);
    fm_domain_free(d);
  }
}

// ---- a domain that has ended: nothing is asked of it; its memory is that of the next one ----
static fm_domain *old_domain;
static fm_activity old_activity;

FRAME(leaves, nothing)
static void leaves__fm_resume(fm_domain *c, fm_frame *h) {
  (void)c;
  (void)h;
  old_activity = fm_self();
}
DESCRIBE(leaves, 1)

static void *runs(void *arg) {
  (void)arg;
  old_domain = fm_domain_here();
  rt_run(START(leaves), NULL);
  return NULL;
}

static void check_stale(void) {                   // there is no other domain yet: nothing keeps memory for its sake
  pthread_t thread;
  assert(pthread_create(&thread, NULL, runs, NULL) == 0);
  pthread_join(thread, NULL);
  fm__runtime *old = fm__runtime_of(old_domain);
  assert(!fm__runtime_hold(old) && !fm_alive(old_activity));
  assert(fm__runtime_of(fm__here()) == old && fm__runtime_hold(old));
  fm__runtime_unref(old);
  harmless(old_activity);
}

FRAME(asks, int)
static void asks__fm_resume(fm_domain *c, fm_frame *h) { // its child has ended when spawn on returns: so await throws at once
  F(asks);
  (void)h;
  fm__await(c, on(c, START(leaves), 0, old_domain));
  asks->result = fm__unwinds(c) && fm__is(fm__thrown, "fm_cancelled", sizeof(struct fm_cancelled));
  fm__error_drop(fm__caught(c));
  c->result = &asks->result;
}
DESCRIBE(asks, 1)

static void check_spawn_on_stale(void) {
  int cancelled = 0;
  old_domain = fm_domain_new(NULL);
  fm_domain_free(old_domain);
  rt_run(START(asks), &cancelled);
  assert(cancelled);
  on(fm__here(), START(leaves), FM_SPAWN_DETACHED | FM_SPAWN_DROP, old_domain);
}

// ---- threads without a domain cancel what they know, while it ends by itself ----
static fm_activity known[64];
static _Atomic int stop;

static fm_activity peek(unsigned i) {             // the halves of two, perhaps: that is some other one, or none
  fm_activity a;
  __atomic_load(&known[i].node, &a.node, __ATOMIC_ACQUIRE);
  __atomic_load(&known[i].generation, &a.generation, __ATOMIC_ACQUIRE);
  return a;
}

static void *meddler(void *arg) {
  unsigned x = (unsigned)(uintptr_t)arg;
  while (!atomic_load(&stop)) {
    x = x * 1103515245 + 12345;
    fm_activity a = peek(x >> 16 & 63);
    switch (x >> 24 & 3) {
    case 0: fm_cancel(a); break;
    case 1: fm_pause(a); break;
    case 2: fm_resume(a); break;
    default: (void)fm_alive(a);
    }
    if (x >> 22 & 1)
      sched_yield();
  }
  return NULL;
}

FRAME(target, int, int n;)
static void target__fm_resume(fm_domain *c, fm_frame *h) {
  F(target);
  switch (h->state) { case 1: goto L1; }
  fm_activity me = fm_self();
  __atomic_store(&known[target->n % 64].generation, &me.generation, __ATOMIC_RELEASE);
  __atomic_store(&known[target->n % 64].node, &me.node, __ATOMIC_RELEASE);
  fm__yield(c);
  WAIT(1);
  target->result = 1;
  c->result = &target->result;
}
DESCRIBE(target, 1, 2)

static int got, lost;
FRAME(targets, nothing, int i; fm_task t[64];)
static void targets__fm_resume(fm_domain *c, fm_frame *h) {
  F(targets);
  if (fm__unwinds(c)) {                           // fm_cancelled
    fm__error_drop(fm__caught(c));
    lost++;
    goto next;
  }
  switch (h->state) { case 1: goto L1; }
  for (int i = 0; i < 64; i++)
    targets->t[i] = on_pool(c, START(target, .n = i), 0, pool);
  for (targets->i = 0; targets->i < 64; targets->i++) {
    for (unsigned i = 0; i < 64; i++)
      fm_resume(peek(i));
    fm__await(c, targets->t[targets->i]);
    if (fm__unwinds(c)) {
      fm__error_drop(fm__caught(c));
      lost++;
      continue;
    }
    WAIT(1);
    got += rt_int(c);
  next:;
  }
}
LANDS(targets, 1, 2)

static void check_meddlers(void) {
  pthread_t threads[2];
  int rounds = 200;
  for (uintptr_t i = 0; i < 2; i++)
    assert(pthread_create(&threads[i], NULL, meddler, (void *)(i + 1)) == 0);
  while (rounds-- > 0)
    rt_run(START(targets), NULL);
  atomic_store(&stop, 1);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(got + lost == 200 * 64);
}

// ---- a domain that ends while others spawn on it ----
static _Atomic int ended_there;
FRAME(counts, nothing)
static void counts__fm_resume(fm_domain *c, fm_frame *h) {
  switch (h->state) { case 1: goto L1; }
  ended_there++;
  fm_sleep__fm_call(c, 1000);
  WAIT(1);
}
DESCRIBE(counts, 1, 2)

static void check_end(void) {
  for (int i = 0; i < 50; i++) {
    fm_domain *d = fm_domain_new(i % 2 ? fm_driver_virtual(0) : NULL);
    for (int k = 0; k < 100; k++)
      on(fm__here(), START(counts), FM_SPAWN_DETACHED | FM_SPAWN_DROP, d);
    fm_domain_free(d);
  }
  assert(ended_there <= 5000);
}

// ---- who is least loaded, while no domain can take what waits for another ----
static _Atomic int busy;
FRAME(spins, nothing, int unused;)
static void spins__fm_resume(fm_domain *c, fm_frame *h) {
  (void)c, (void)h;
  for (busy++; busy > 0;)
    sched_yield();
}
DESCRIBE(spins, 1, 1)

static void check_load(void) {
  fm_pool *p = fm_pool_new(3);
  fm_task t[9];
  for (int i = 0; i < 3; i++)
    on(fm__here(), START(spins), FM_SPAWN_DETACHED | FM_SPAWN_DROP, fm_pool_domain(p, i));
  while (busy < 3)
    sched_yield();
  for (int i = 0; i < 9; i++)
    t[i] = on_pool(fm__here(), START(tells, .wait = 1), FM_SPAWN_DETACHED, p);
  for (int i = 0; i < 3; i++)
    assert(atomic_load(&fm__runtime_of(fm_pool_domain(p, i))->load) == 4);
  busy = -100;
  assert(fm_pool_domain(p, 3) == NULL && fm_pool_domain(p, -1) == NULL && fm_pool_size(p) == 3);
  fm_pool_free(p);
  for (int i = 0; i < 9; i++)
    fm__detach(t[i]);
}

// ---- mistakes ----
static void free_twice(void) {
  fm_domain *d = fm_domain_new(NULL);
  fm_domain_free(d);
  fm_domain_free(d);
}

static void free_here(void) { fm_domain_free(fm_domain_here()); }
static void on_nothing(void) { on(fm__here(), START(counts), FM_SPAWN_DETACHED, NULL); }

static void fails_with(void (*body)(void), const char *message) {
  char err[4096];
  assert(rt_child(body, err, sizeof err) == 1 && strncmp(err, message, strlen(message)) == 0);
}

int main(void) {
  setenv("FERMATA_TICK", "1", 1);
  fails_with(free_here, "fermata: fm_domain_free of a domain that fm_domain_new did not make");
  fails_with(free_twice, "fermata: fm_domain_free of a domain that fm_domain_new did not make, that has ended");
  fails_with(on_nothing, "fermata: spawn on(NULL)");
  check_stale();
  check_spawn_on_stale();
  pool = fm_pool_new(2);
  other = fm_domain_new(NULL);
  check_many();
  check_handles();
  check_meddlers();
  check_end();
  check_load();
  fm_domain_free(other);
  fm_pool_free(pool);
  fm_domain_free(NULL);
  fm_pool_free(NULL);
  fm__runtime_free(fm__runtime_of(fm__here()));
  return 0;
}
