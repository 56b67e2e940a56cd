// work.c: threads for code that blocks. There are three crews of threads, so that a slow name
// server delays neither files nor the program's own calls. A crew has a queue, and as many threads
// as it needs, up to its limit; a thread that has had nothing to do for a while ends.
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

typedef struct Crew {
  pthread_mutex_t lock;
  pthread_cond_t more; // signalled when there is work
  fm__work *first;
  fm__work *last;
  unsigned queued;               // how many
  unsigned threads, idle, limit; // limit 0: not known yet
} Crew;

enum { FILES = 16, HOSTS = 4, CALLS = 16, MOST = 1024, IDLE_SECONDS = 5 };

static Crew crews[FM__CREWS] = {
  { .lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER },
  {
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .more = PTHREAD_COND_INITIALIZER,
      .limit = FILES,
  },
  {
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .more = PTHREAD_COND_INITIALIZER,
      .limit = HOSTS,
  },
};

// ---- the queue; the lock is held ----
static void enqueue(Crew *c, fm__work *w) {
  w->next = NULL;
  w->prev = c->last;
  *(c->last ? &c->last->next : &c->first) = w;
  c->last = w;
  c->queued++;
  w->queued = true;
}

static void dequeue(Crew *c, fm__work *w) {
  *(w->prev ? &w->prev->next : &c->first) = w->next;
  *(w->next ? &w->next->prev : &c->last) = w->prev;
  c->queued--;
  w->queued = false;
}

// ---- a thread ----
static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += IDLE_SECONDS;
  return t;
}

// NULL: nothing came for a while. The lock is held.
static fm__work *await_work(Crew *c) {
  struct timespec until = soon();
  int err = 0;
  c->idle++;
  while (!c->first && err != ETIMEDOUT)
    err = pthread_cond_timedwait(&c->more, &c->lock, &until);
  c->idle--;
  return c->first;
}

static void *serve(void *arg) {
  Crew *c = arg;
  fm__work *w;
  void *stack = fm__overflow_thread_begin();
  fm__pthread_lock(&c->lock);
  while ((w = await_work(c))) {
    dequeue(c, w);
    pthread_mutex_unlock(&c->lock);
    intptr_t value = w->fn(w->arg);
    fm__complete(w->k, &value, sizeof value);
    fm__work_drop(w);
    fm__pthread_lock(&c->lock);
  }
  c->threads--;
  pthread_mutex_unlock(&c->lock);
  fm__overflow_thread_end(stack);
  return NULL;
}

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

// The lock is held, and one more piece of work is in the queue. Returns 0, or an errno: no thread
// will ever do it.
static int see_to(Crew *c) {
  if (!c->limit)
    c->limit = limit_of_calls();
  pthread_cond_signal(&c->more);
  if (c->queued <= c->idle || c->threads >= c->limit)
    return 0;
  int err = start_thread(c);
  if (err == 0)
    c->threads++;
  return c->threads ? 0 : err;
}

// The parent does what is queued.
void fm__crews_forget(void) {
  for (Crew *c = crews; c < crews + FM__CREWS; c++) {
    for (fm__work *w = c->first; w; w = w->next)
      w->queued = false;
    *c = (Crew){
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .more = PTHREAD_COND_INITIALIZER,
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
  enqueue(c, w);
  w->refused = see_to(c);
  if (w->refused)
    dequeue(c, w);
  pthread_mutex_unlock(&c->lock);
  if (w->refused)
    fm__work_drop(w);
  return !w->refused;
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
