// Completions from other threads: to a domain that sleeps, that is busy, that is in an atomic; a thousand of them from four
// threads; several threads for one wait, of which exactly one ends it; and one that comes while the wait is being dropped.
#include "rt.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS = 4, EACH = 250, RIVALS = 300 };

FRAME(value, int)
static void value__fm_resume(fm_domain *c, fm_frame *h) { (void)c, (void)h; abort(); }
DESCRIBE(value, 1)

static fm__runtime *domain(void) { return fm__runtime_of(fm__here()); }

// ---- a thread that completes one wait, a little later or at once ----
typedef struct Job { pthread_t thread; fm_completion *k; int v; unsigned delay; } Job;

static void *do_job(void *arg) {
  Job *j = arg;
  if (j->delay)
    usleep(j->delay);
  assert(fm__complete(j->k, &j->v, sizeof j->v));
  assert(!fm__complete(j->k, &j->v, sizeof j->v));
  return NULL;
}

// asyncdirect int in_thread(Job *j, k)
static void *in_thread(fm_domain *c, Job *j) {
  j->k = fm__direct_begin(c, &value__fm_code);
  assert(pthread_create(&j->thread, NULL, do_job, j) == 0);
  return fm__direct_end(c, j->k);
}

FRAME(one, int, Job j; unsigned delay;)
static void one__fm_resume(fm_domain *c, fm_frame *h) {
  F(one);
  switch (h->state) { case 1: goto L1; }
  one->j.v = 42;
  one->j.delay = one->delay;
  in_thread(c, &one->j);
  WAIT(1);
  one->result = rt_int(c);
  pthread_join(one->j.thread, NULL);
}
DESCRIBE(one, 1, 2)

// ---- busy: someone yields until it has come ----
static bool over;
FRAME(yields, nothing)
static void yields__fm_resume(fm_domain *c, fm_frame *h) {
  F(yields);
  switch (h->state) { case 1: goto L1; }
  while (!over) {
    fm__yield(c);
    WAIT(1);
  }
}
DESCRIBE(yields, 1, 2)

FRAME(main2, nothing, fm_task t;)
static void main2__fm_resume(fm_domain *c, fm_frame *h) {
  F(main2);
  switch (h->state) { case 1: goto L1; }
  over = false;
  rt_spawn(c, START(yields), FM_SPAWN_DROP);
  main2->t = rt_spawn(c, START(one, .delay = 1000), 0);
  fm__await(c, main2->t);
  WAIT(1);
  assert(rt_int(c) == 42);
  over = true;
}
DESCRIBE(main2, 1, 2)

// ---- atomic, also in plain code ----
static void in_atomic(void) {
  Job j = { .v = 7, .delay = 1000 };
  fm_domain *c = fm__atomic_enter();
  in_thread(c, &j);
  ATOMIC_WAIT();
  assert(rt_int(c) == 7);
  fm__atomic_leave(c);
  pthread_join(j.thread, NULL);
}

FRAME(main3, nothing)
static void main3__fm_resume(fm_domain *c, fm_frame *h) {
  F(main3);
  in_atomic();
}
DESCRIBE(main3, 1)

// ---- a thousand, from four threads, while the domain goes to sleep and wakes ----
static fm_completion *_Atomic opened[THREADS][EACH];
static int sum;

static void *complete_all(void *arg) {
  fm_completion *_Atomic *mine = arg;
  for (int i = 0; i < EACH; i++) {
    fm_completion *k;
    while (!(k = atomic_load(&mine[i])))
      sched_yield();
    assert(fm__complete(k, &i, sizeof i));
    if (i % 50 == 0)
      usleep(100);
  }
  return NULL;
}

FRAME(worker, nothing, int thread; int i;)
static void worker__fm_resume(fm_domain *c, fm_frame *h) {
  F(worker);
  switch (h->state) { case 1: goto L1; }
  for (worker->i = 0; worker->i < EACH; worker->i++) {
    fm_completion *k = fm__direct_begin(c, &value__fm_code);
    atomic_store(&opened[worker->thread][worker->i], k);
    fm__direct_end(c, k);
    WAIT(1);
    int v = rt_int(c);
    assert(v == worker->i);
    sum += v;
  }
}
DESCRIBE(worker, 1, 2)

FRAME(main4, nothing)
static void main4__fm_resume(fm_domain *c, fm_frame *h) {
  (void)h;
  for (int i = 0; i < THREADS; i++)
    rt_spawn(c, START(worker, .thread = i), FM_SPAWN_DROP);
}
DESCRIBE(main4, 1)

static void check_thousand(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert(pthread_create(&threads[i], NULL, complete_all, opened[i]) == 0);
  rt_run(START(main4), NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(sum == THREADS * (EACH * (EACH - 1) / 2));
}

// ---- rivals: each wait is completed by all threads, and by one only ----
static fm_completion *_Atomic contested[RIVALS];
static atomic_int won[RIVALS], by[RIVALS];

static void *rival(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int i = 0; i < RIVALS; i++) {
    fm_completion *k;
    while (!(k = atomic_load(&contested[i])))
      sched_yield();
    if (fm__complete(k, &me, sizeof me)) {
      atomic_fetch_add(&won[i], 1);
      atomic_store(&by[i], me);
    }
  }
  return NULL;
}

FRAME(main5, nothing, int i; int got[RIVALS];)
static void main5__fm_resume(fm_domain *c, fm_frame *h) {
  F(main5);
  switch (h->state) { case 1: goto L1; }
  for (main5->i = 0; main5->i < RIVALS; main5->i++) {
    fm_completion *k = fm__direct_begin(c, &value__fm_code);
    int me = -1;
    atomic_store(&contested[main5->i], k);
    if (main5->i % 3 == 0 && fm__complete(k, &me, sizeof me)) { // the domain itself is one of them
      atomic_fetch_add(&won[main5->i], 1);
      atomic_store(&by[main5->i], me);
    }
    fm__direct_end(c, k);
    WAIT(1);
    main5->got[main5->i] = rt_int(c);
  }
  for (int i = 0; i < RIVALS; i++)
    by[i] -= main5->got[i];
}
DESCRIBE(main5, 1, 2)

static void check_rivals(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    assert(pthread_create(&threads[i], NULL, rival, (void *)(intptr_t)(i + 1)) == 0);
  rt_run(START(main5), NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < RIVALS; i++)
    assert(won[i] == 1);
}

// ---- the domain ends while others complete its waits ----
enum { ENDS = 50 };
static fm_completion *_Atomic ending[ENDS];

static void *late(void *arg) {
  for (int i = 0; i < ENDS; i++) {
    fm_completion *k;
    while (!(k = atomic_load(&ending[i])))
      sched_yield();
    fm__complete(k, &i, sizeof i);
  }
  return arg;
}

FRAME(dropped, nothing, int i;)
static void dropped__fm_resume(fm_domain *c, fm_frame *h) {
  F(dropped);
  switch (h->state) { case 1: goto L1; }
  fm_completion *k = fm__direct_begin(c, &value__fm_code);
  atomic_store(&ending[dropped->i], k);
  fm__direct_end(c, k);
  WAIT(1);
  fm__done(c);
}
DESCRIBE(dropped, 1, 2)

static void check_ends(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    assert(pthread_create(&threads[i], NULL, late, NULL) == 0);
  for (int i = 0; i < ENDS; i++) {
    fm__runtime *d = domain();
    fm__nested_turn(d, fm__make(d, START(dropped, .i = i), FM_SPAWN_DROP | FM_SPAWN_DETACHED, (fm_activity){ 0 }));
    d->current = NULL;
    fm__runtime_free(d);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
}

int main(void) {
  int v;
  setenv("FERMATA_TICK", "off", 1);
  rt_run(START(one, .delay = 1000), &v);          // asleep
  assert(v == 42);
  rt_run(START(one, .delay = 0), &v);
  assert(v == 42);
  rt_run(START(main2), NULL);
  rt_run(START(main3), NULL);
  in_atomic();
  check_thousand();
  check_rivals();
  check_ends();
  setenv("FERMATA_DRIVER", "virtual", 1);
  rt_run(START(one, .delay = 1000), &v);
  assert(v == 42);
  fm__runtime_free(domain());
  return 0;
}
