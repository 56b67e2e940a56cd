// starts.h: activities of `spawn on(pool)` that have not begun, as pool.c, remote.c and the loop
// share them. See starts.c.
#ifndef FM_STARTS_H
#define FM_STARTS_H

#include "domains/remote.h"

#include <pthread.h>

typedef struct fm__starts {
  pthread_mutex_t lock; // of the next three fields
  fm__errand *first, *last;
  bool closed; // its domain takes no more; set by the domain's thread
  _Atomic size_t length;
  // its domain has nothing ready, and takes the next start itself
  _Atomic bool idle;
  fm_pool *pool;
  // the next three are for the domain's thread: turns of activities before the next start
  int turns;
  bool sliced; // a slice has ended since it took a start
  int from;    // the domain from which it took the last start
} fm__starts;

void fm__starts_init(fm__starts *q, fm_pool *p);
void fm__starts_free(fm__starts *q);
// From any thread. false: the domain is closed.
bool fm__starts_put(fm__runtime *d, fm__errand *r);
// On d's thread: r, of a proxy here, is in d's own queue, and is not any more.
bool fm__start_reclaim(fm__runtime *d, fm__errand *r);

// ---- remote.c ----
// d has taken r. Returns the activity, which is ready and in no queue.
fm_node *fm__start_begins(fm__runtime *d, fm__errand *r);

// ---- pool.c ----
fm__runtime *fm__pool_member(const fm_pool *p, int i);
fm__starts *fm__pool_starts(fm_pool *p, int i); // that domain's queue
_Atomic bool *fm__pool_waking(fm_pool *p);      // see starts.c
// Where d puts a start; d need not be of the pool.
fm__runtime *fm__pool_pick(fm_pool *p, fm__runtime *d);
#endif
