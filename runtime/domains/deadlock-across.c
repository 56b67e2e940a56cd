// deadlock-across.c: deadlocks of several domains. A domain that sleeps, and for which no timer,
// descriptor or completion is pending, is *quiet*: only a message of another domain can make it go
// on. When all domains are quiet, and no message is on its way, none will ever come. If one of them
// is in a `run` then, that is a deadlock; those that only serve others are just idle.
//
// Messages are posted before their sender becomes quiet, and a quiet domain whose inbox is not
// empty is about to wake. So who is the last to become quiet sees the truth. While it holds the
// lock none of the others can go on: it may look at their trees.
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  fm__domain *first; // the quiet ones
  size_t count;
} quiet = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void add(fm__domain *d) {
  d->next_quiet = quiet.first;
  quiet.first = d;
  quiet.count++;
}

static void take_out(fm__domain *d) {
  fm__domain **at = &quiet.first;
  while (*at != d)
    at = &(*at)->next_quiet;
  *at = d->next_quiet;
  quiet.count--;
}

// One that is in a run, if nothing will come any more; else NULL.
static fm__domain *dead_one(void) {
  fm__domain *runs = NULL;
  if (quiet.count <= fm__other_domains())
    return NULL;
  for (fm__domain *d = quiet.first; d; d = d->next_quiet) {
    if (atomic_load(&d->inbox))
      return NULL;
    if (!d->service)
      runs = d;
  }
  return runs;
}

static void report_others(fm__domain *me) {
  fflush(stdout);
  for (fm__domain *d = quiet.first; d; d = d->next_quiet)
    if (d != me && d->host.child) {
      fputs("fermata: in another domain:\n", stderr);
      fm__dump(d, stderr);
    }
}

static void is_dead(fm__domain *d, fm__msg *m) {
  (void)m;
  fm__deadlock(d);
}

// The deadlock is that one's who is in a run: if that is another, it is told so.
bool fm__quiet_begin(fm__domain *d) {
  fm__lock(&quiet.lock);
  add(d);
  fm__domain *dead = dead_one();
  if (dead)
    report_others(dead);
  if (dead == d) {
    take_out(d);
  } else if (dead) {
    dead->dead.fn = is_dead;
    fm__inbox_post(dead, &dead->dead);
  }
  pthread_mutex_unlock(&quiet.lock);
  return dead != d;
}

void fm__quiet_end(fm__domain *d) {
  fm__lock(&quiet.lock);
  take_out(d);
  pthread_mutex_unlock(&quiet.lock);
}
