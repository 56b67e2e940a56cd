// tick.c: the end of a slice. A helper thread, the ticker, sets the guard of its domain to FM_STOP
// every few milliseconds while two activities are ready. Otherwise it sleeps, and it is not made
// before it is needed. It uses no signals.
//
// An activity that makes another one ready reads d->asleep, without a fence. So a ticker that sees
// no need sets asleep, sleeps for one more tick (by then an activity that was queued without seeing
// the flag is visible), looks again, and only then blocks.
#define _GNU_SOURCE
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct fm__ticker {
  pthread_t thread;
  pthread_mutex_t lock; // of stop, and of changing asleep from 1 to 0
  pthread_cond_t wake;
  bool stop;
};

// An activity waits while another one runs. The set may be changing meanwhile, but the memory of
// sets, like that of nodes, remains what it is.
static bool is_needed(fm__runtime *d) {
  fm__set *s = __atomic_load_n((fm__set **)&d->set, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&s->head, __ATOMIC_RELAXED) != NULL ||
         (__atomic_load_n(&s->external, __ATOMIC_RELAXED) &&
          !__atomic_load_n((int *)&d->sleeping, __ATOMIC_RELAXED));
}

static bool is_asleep(fm__runtime *d) {
  return __atomic_load_n((int *)&d->asleep, __ATOMIC_RELAXED) & FM__ASLEEP;
}

static void mark_asleep(fm__runtime *d) {
  __atomic_fetch_or((int *)&d->asleep, FM__ASLEEP, __ATOMIC_RELAXED);
}

static void mark_awake(fm__runtime *d) {
  __atomic_fetch_and((int *)&d->asleep, ~FM__ASLEEP, __ATOMIC_RELAXED);
}

// The lock is held. false: the thread ends.
static bool nap(fm__runtime *d) {
  fm__ticker *t = d->ticker;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += d->tick / 1000;
  until.tv_nsec += d->tick % 1000 * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000L;
  }
  while (!t->stop && pthread_cond_timedwait(&t->wake, &t->lock, &until) == 0)
    ;
  return !t->stop;
}

static void sleep_until_needed(fm__runtime *d) {
  mark_asleep(d);
  if (!nap(d))
    return;
  if (is_needed(d))
    mark_awake(d);
  while (is_asleep(d) && !d->ticker->stop)
    pthread_cond_wait(&d->ticker->wake, &d->ticker->lock);
}

// This thread uses no descriptors. While it shares none with the others, the kernel need not count
// their users: that takes 48 of 402 ns off a recv that finds nothing. Copies of the descriptors
// would be worse, because a descriptor that the program closes must be closed. Where the kernel
// cannot do it (before Linux 5.9), they are shared.
static void have_no_descriptors(void) {
#ifdef SYS_close_range
  enum { UNSHARE = 2 }; // CLOSE_RANGE_UNSHARE of <linux/close_range.h>
  syscall(SYS_close_range, 0, ~0U, UNSHARE);
#endif
}

static void *tick(void *arg) {
  fm__runtime *d = arg;
  have_no_descriptors();
  pthread_mutex_lock(&d->ticker->lock);
  while (nap(d))
    if (is_needed(d))
      fm__end_slice(d);
    else
      sleep_until_needed(d);
  pthread_mutex_unlock(&d->ticker->lock);
  return NULL;
}

// ---- the domain's side ----
static bool start_thread(fm__runtime *d, fm__ticker *t) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  // Signals are for the program's threads.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&t->thread, NULL, tick, d) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

static void ticker_destroy(fm__runtime *d) {
  pthread_cond_destroy(&d->ticker->wake);
  pthread_mutex_destroy(&d->ticker->lock);
  fm__free(d->ticker);
  d->ticker = NULL;
}

// Without the thread there are no slices; everything else works.
static void ticker_start(fm__runtime *d) {
  pthread_condattr_t attr;
  fm__ticker *t = fm__alloc(sizeof *t);
  if (!t)
    fm__out_of_memory("tick", "", sizeof *t);
  t->stop = false;
  pthread_mutex_init(&t->lock, NULL);
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&t->wake, &attr);
  pthread_condattr_destroy(&attr);
  d->ticker = t;
  if (!start_thread(d, t))
    ticker_destroy(d);
}

void fm__tick_wake(fm__runtime *d) {
  // d->forks: the ticker is not in this process.
  if (!is_asleep(d) || d->forks != fm__forks)
    return;
  if (!d->ticker) {
    mark_awake(d);
    ticker_start(d);
    return;
  }
  pthread_mutex_lock(&d->ticker->lock);
  mark_awake(d);
  pthread_mutex_unlock(&d->ticker->lock);
  // After the lock is released, because the ticker takes it first.
  pthread_cond_signal(&d->ticker->wake);
}

void fm__made_ready(fm__runtime *d) {
  fm__tick_wake(d);
  if (d->attention & FM__TRACE)
    fm__trace_ready(d);
}

void fm__tick_free(fm__runtime *d) {
  if (!d->ticker || d->forks != fm__forks) // as in fm__tick_wake
    return;
  pthread_mutex_lock(&d->ticker->lock);
  d->ticker->stop = true;
  pthread_cond_signal(&d->ticker->wake);
  pthread_mutex_unlock(&d->ticker->lock);
  pthread_join(d->ticker->thread, NULL);
  ticker_destroy(d);
  mark_asleep(d); // the next activity that needs it makes a new one
}
