// work.c: threads for code that blocks. There are three crews of threads, so that a slow name
// server delays neither files nor the program's own calls. A crew has a queue, and as many threads
// as it needs, up to its limit; a thread that has had nothing to do for a while ends.
//
// Each thread has a seat, where it sleeps and is given work. A thread counts as idle before it
// reports that its work is done: an activity that has one call after the other done elsewhere finds
// the same thread again, often before that thread has fallen asleep. Work goes to the thread that
// became idle last, whose memory is warm; the others end after a while.
//
// The activity that waits and the crew both use a piece of work; the last of them to drop it frees
// it. Its states:
//
//     queued    a cancel takes it out of the queue
//     running   a cancel is refused, and the wait goes on; or, with `release`, it is left to itself
//     done
#define _GNU_SOURCE
#include "fm.h"
#include "core/forked.h"
#include "domains/work.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fm__work {
  fm__work *next, *prev; // in the crew's queue
  intptr_t (*fn)(void *);
  void *arg;
  void (*release)(void *);
  fm_completion *k;
  struct Crew *crew;
  bool queued; // under the crew's lock
  int refused; // an errno: no thread could be made
  _Atomic int users;
};

// A semaphore may be gone when its post returns; a condition may not. So the thread can be woken
// after the lock was given back, for which it would only wait.
typedef struct Seat { // all but `given` under the crew's lock
  struct Seat *next;  // in the list of idle threads
  fm__work *work;     // for its thread; NULL: idle
  sem_t given;        // posted when an idle thread has got work
} Seat;

typedef struct Crew {
  pthread_mutex_t lock;
  fm__work *first;
  fm__work *last;
  Seat *idle; // the last to become so is first; NULL while something is queued
  unsigned threads, limit; // limit 0: not known yet
} Crew;

enum { FILES = 16, HOSTS = 4, CALLS = 16, MOST = 1024, IDLE_SECONDS = 5 };

static Crew crews[FM__CREWS] = {
  { .lock = PTHREAD_MUTEX_INITIALIZER },
  { .lock = PTHREAD_MUTEX_INITIALIZER, .limit = FILES },
  { .lock = PTHREAD_MUTEX_INITIALIZER, .limit = HOSTS },
};

// ---- the queue; the lock is held ----
static void enqueue(Crew *c, fm__work *w) {
  w->next = NULL;
  w->prev = c->last;
  *(c->last ? &c->last->next : &c->first) = w;
  c->last = w;
  w->queued = true;
}

static void dequeue(Crew *c, fm__work *w) {
  *(w->prev ? &w->prev->next : &c->first) = w->next;
  *(w->next ? &w->next->prev : &c->last) = w->prev;
  w->queued = false;
}

// ---- a thread; the lock is not held ----
static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += IDLE_SECONDS;
  return t;
}

// Takes the next piece of work. NULL: it has become idle.
static fm__work *sit_down(Crew *c, Seat *s) {
  fm__pthread_lock(&c->lock);
  fm__work *w = c->first;
  s->work = w;
  if (w) {
    dequeue(c, w);
  } else {
    s->next = c->idle;
    c->idle = s;
  }
  pthread_mutex_unlock(&c->lock);
  return w;
}

// false: it has got work meanwhile.
static bool stand_up(Crew *c, Seat *s) {
  fm__pthread_lock(&c->lock);
  bool idle = !s->work;
  Seat **at = &c->idle;
  while (idle && *at != s)
    at = &(*at)->next;
  if (idle)
    *at = s->next;
  c->threads -= idle;
  pthread_mutex_unlock(&c->lock);
  return idle;
}

// NULL: nothing came for a while, and the thread is to end.
static fm__work *await_work(Crew *c, Seat *s) {
  struct timespec until = soon();
  while (sem_timedwait(&s->given, &until) < 0)
    if (errno == ETIMEDOUT && stand_up(c, s))
      return NULL;
  return s->work;
}

// Whoever waits for the work finds an idle thread as soon as it goes on. Returns the next piece.
static fm__work *do_work(Crew *c, Seat *s, fm__work *w) {
  intptr_t value = w->fn(w->arg);
  fm__work *next = sit_down(c, s);
  fm__complete(w->k, &value, sizeof value);
  fm__work_drop(w);
  return next;
}

static void *serve(void *arg) {
  Crew *c = arg;
  Seat s;
  void *stack = fm__overflow_thread_begin();
  sem_init(&s.given, 0, 0);
  fm__work *w = sit_down(c, &s);
  while (w || (w = await_work(c, &s)))
    w = do_work(c, &s, w);
  sem_destroy(&s.given);
  fm__overflow_thread_end(stack);
  return NULL;
}

// The lock is held. Returns 0, or an errno.
static int start_thread(Crew *c) {
  pthread_attr_t attr;
  pthread_t thread;
  sigset_t before;
  int err;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  fm__block_signals(&before);
  err = pthread_create(&thread, &attr, serve, c);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attr);
  c->threads += err == 0;
  return err;
}

// ---- how many threads ----
static unsigned limit_of_calls(void) {
  const char *value = fm__setting("FERMATA_OFFLOAD");
  long n = value ? strtol(value, NULL, 10) : CALLS;
  if (n > 0)
    return n < MOST ? (unsigned)n : MOST;
  fm__bad_setting("FERMATA_OFFLOAD", value, "a number of threads");
}

void fm_offload_threads(unsigned n) {
  Crew *c = &crews[FM__CALLS];
  fm__pthread_lock(&c->lock);
  c->limit = n == 0 ? 1 : n < MOST ? n : MOST;
  pthread_mutex_unlock(&c->lock);
}

// The lock is held. Gives w to an idle thread, which is returned and has to be woken.
static Seat *give(Crew *c, fm__work *w) {
  Seat *s = c->idle;
  if (s) {
    c->idle = s->next;
    s->work = w;
  }
  return s;
}

// The lock is held. Returns 0, or an errno: no thread will ever do it.
static int queue(Crew *c, fm__work *w) {
  int err = 0;
  if (!c->limit)
    c->limit = limit_of_calls();
  if (c->threads < c->limit)
    err = start_thread(c);
  if (err && !c->threads)
    return err;
  enqueue(c, w);
  return 0;
}

// The parent does what is queued.
void fm__crews_forget(void) {
  for (Crew *c = crews; c < crews + FM__CREWS; c++) {
    for (fm__work *w = c->first; w; w = w->next)
      w->queued = false;
    *c = (Crew){
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .limit = c->limit,
    };
  }
}

// ---- for the library ----
fm__work *
fm__work_new(intptr_t (*fn)(void *), void *arg, void (*release)(void *)) {
  fm__work *w = fm__alloc(sizeof *w);
  if (!w)
    fm__out_of_memory("work for another thread", "", sizeof *w);
  *w = (fm__work){
    .fn = fn,
    .arg = arg,
    .release = release,
  };
  atomic_init(&w->users, 1);
  return w;
}

void fm__work_drop(fm__work *w) {
  if (atomic_fetch_sub(&w->users, 1) != 1)
    return;
  if (w->release)
    w->release(w->arg);
  fm__free(w);
}

bool fm__work_begin(fm__work *w, int crew, fm_completion *k) {
  Crew *c = &crews[crew];
  atomic_fetch_add(&w->users, 1);
  w->k = k;
  w->crew = c;
  fm__pthread_lock(&c->lock);
  Seat *s = give(c, w);
  int refused = s ? 0 : queue(c, w);
  pthread_mutex_unlock(&c->lock);
  w->refused = refused;
  if (s)
    sem_post(&s->given);
  if (refused)
    fm__work_drop(w);
  return !refused;
}

int fm__work_refused(const fm__work *w) {
  return w->refused;
}

void fm__work_cancel(void *work) {
  fm__work *w = work;
  fm__pthread_lock(&w->crew->lock);
  bool queued = w->queued;
  if (queued)
    dequeue(w->crew, w);
  pthread_mutex_unlock(&w->crew->lock);
  if (queued)
    fm__work_drop(w);
  else if (!w->release)
    fm__on_cancel(w->k, fm__work_cancel, w); // it refuses
}
