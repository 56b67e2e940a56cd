// deadlock-across.c: deadlocks of several domains. A domain that sleeps without a timer, descriptor
// or completion to wait for is *stalled*: only a message of another domain can make it go on. When
// all domains are stalled and no message is on its way, none will ever come. If one of them is in a
// `run`, that is a deadlock; domains that only serve others are just idle.
//
// A domain posts its messages before it becomes stalled, and a stalled domain whose inbox is not
// empty, or for which a start waits (starts.c), is about to wake. So the last domain to become
// stalled sees the truth. While it holds the lock, none of the others can go on: it may read their
// trees.
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  fm__runtime *first; // the stalled domains, linked by next_stalled
  size_t count;
} stalled = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void add(fm__runtime *d) {
  d->next_stalled = stalled.first;
  stalled.first = d;
  stalled.count++;
}

static void take_out(fm__runtime *d) {
  fm__runtime **at = &stalled.first;
  while (*at != d)
    at = &(*at)->next_stalled;
  *at = d->next_stalled;
  stalled.count--;
}

// A domain that is in a run, if no message will come any more; otherwise NULL.
static fm__runtime *dead_one(void) {
  fm__runtime *runs = NULL;
  if (stalled.count <= fm__other_domains())
    return NULL;
  for (fm__runtime *d = stalled.first; d; d = d->next_stalled) {
    if (atomic_load(&d->inbox) || fm__starts_wait(d))
      return NULL;
    if (!d->service)
      runs = d;
  }
  return runs;
}

static void report_others(fm__runtime *me) {
  fflush(stdout);
  for (fm__runtime *d = stalled.first; d; d = d->next_stalled)
    if (d != me && d->host.child) {
      fputs("fermata: in another domain:\n", stderr);
      fm__dump(d, stderr);
    }
}

static void is_dead(fm__runtime *d, fm__msg *m) {
  (void)m;
  fm__deadlock_break(d);
}

// The deadlock belongs to the domain that is in a run. If that is another one, a message informs
// it.
bool fm__stalled_begin(fm__runtime *d) {
  fm__pthread_lock(&stalled.lock);
  add(d);
  fm__runtime *dead = dead_one();
  if (dead)
    report_others(dead);
  if (dead == d) {
    take_out(d);
  } else if (dead) {
    dead->dead.fn = is_dead;
    fm__inbox_post(dead, &dead->dead);
  }
  pthread_mutex_unlock(&stalled.lock);
  return dead != d;
}

void fm__stalled_end(fm__runtime *d) {
  fm__pthread_lock(&stalled.lock);
  take_out(d);
  pthread_mutex_unlock(&stalled.lock);
}
