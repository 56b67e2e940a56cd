// quiet.c: deadlocks of several domains. A domain that sleeps, and for which no timer, descriptor or completion is pending,
// is *quiet*: only a message of another domain can make it go on. When all domains are quiet, and no message is on its way,
// none will ever come. If one of them is in a `run` then, that is a deadlock; those that only serve others are just idle.
//
// Messages are posted before their sender becomes quiet, and a quiet domain whose inbox is not empty is about to wake. So who
// is the last to become quiet sees the truth. While it holds the lock none of the others can go on: it may look at their trees.
#include "fm.h"

#include <pthread.h>

static struct {
  pthread_mutex_t lock;
  fm__domain *first;                              // the quiet ones
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

static bool nothing_comes(void) {
  bool runs = false;
  if (quiet.count <= fm__other_domains())
    return false;
  for (fm__domain *d = quiet.first; d; d = d->next_quiet) {
    if (atomic_load(&d->inbox))
      return false;
    runs |= !d->service;
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

bool fm__quiet_begin(fm__domain *d) {
  pthread_mutex_lock(&quiet.lock);
  add(d);
  bool dead = nothing_comes();
  if (dead) {
    report_others(d);
    take_out(d);
  }
  pthread_mutex_unlock(&quiet.lock);
  return !dead;
}

void fm__quiet_end(fm__domain *d) {
  pthread_mutex_lock(&quiet.lock);
  take_out(d);
  pthread_mutex_unlock(&quiet.lock);
}
