// starts.c: activities of `spawn on(pool)` that have not begun. Such a *start* is neutral: an
// errand (remote.h) that waits in the queue of one domain of the pool, under that queue's lock, and
// that any domain of the pool may take. The domain that takes it out of the queue begins it.
//
//     the queue's own domain   between turns: one start, then one turn of an activity that is
//                              ready. After the end of a slice a whole round of the ready queue
//                              goes first, so that few activities are begun, which stay where
//                              they are.
//     a domain with nothing    when nothing is ready there and no message has come: it takes the
//     to do                    oldest start of another queue
//
// A domain that makes a start puts it into its own queue, if it is of the pool and not much more
// loaded than the others; otherwise into that of the least loaded domain. If the domain where the
// spawn stands begins the start itself, the proxy becomes the activity (remote.c), and no message
// is sent.
//
// While a queue has a start, its domain has FM__STARTS set and does not sleep, or is being woken.
// So no start is lost and no deadlock is seen too early. Other domains are woken one at a time:
// `waking` is set from then until that domain is awake, and a domain that finds more than it takes
// wakes the next.
#include "domains/starts.h"

#include "core/forked.h"

typedef fm__errand errand;
typedef fm__starts starts;

// ---- a queue ----
void fm__starts_init(starts *q, fm_pool *p) {
  *q = (starts){ .pool = p, .idle = true };
  pthread_mutex_init(&q->lock, NULL);
}

void fm__starts_free(starts *q) {
  pthread_mutex_destroy(&q->lock);
}

static size_t length(starts *q) {
  return atomic_load(&q->length);
}

// The lock is held.
static void append(starts *q, errand *r) {
  r->next = NULL;
  r->prev = q->last;
  *(q->last ? &q->last->next : &q->first) = r;
  q->last = r;
  atomic_store(&r->queue, q);
  atomic_fetch_add(&q->length, 1);
}

// The lock is held.
static void unlink_from(starts *q, errand *r) {
  *(r->prev ? &r->prev->next : &q->first) = r->next;
  *(r->next ? &r->next->prev : &q->last) = r->prev;
  r->next = r->prev = NULL;
  atomic_store(&r->queue, NULL);
  atomic_fetch_sub(&q->length, 1);
}

static errand *take_oldest(starts *q) {
  if (!length(q))
    return NULL;
  fm__pthread_lock(&q->lock);
  errand *r = q->first;
  if (r)
    unlink_from(q, r);
  pthread_mutex_unlock(&q->lock);
  return r;
}

// ---- waking ----
// It is asleep, and stays a domain meanwhile: see fm__driver_free.
static bool wake(fm__runtime *d) {
  atomic_fetch_add(&d->posting, 1);
  bool asleep = atomic_load(&d->sleeping);
  if (asleep)
    d->driver->wake(d->driver->ctx);
  atomic_fetch_sub(&d->posting, 1);
  return asleep;
}

static fm__runtime *sleeping_one(fm_pool *p, const fm__runtime *but) {
  for (int i = 0; i < fm_pool_size(p); i++) {
    fm__runtime *d = fm__pool_member(p, i);
    if (d != but && atomic_load(&d->sleeping))
      return d;
  }
  return NULL;
}

// A domain that sleeps, if there is one, is to take a start of another's queue.
static void wake_another(fm_pool *p, const fm__runtime *but) {
  _Atomic bool *waking = fm__pool_waking(p);
  if (atomic_load(waking))
    return;
  fm__runtime *d = sleeping_one(p, but);
  if (d && !atomic_exchange(waking, true) && !wake(d))
    atomic_store(waking, false);
}

// Whether other domains may take starts of this queue. A domain that sleeps has nothing else to do,
// and is being woken: its starts stay there until it is awake. The same for one that is about to
// fall asleep or has just woken up: it takes a start at once. Otherwise a domain that looks for
// starts at that moment would take most of them, and connections that wait for the rest of their
// lives would all be there.
static bool offers(fm_pool *p, int i) {
  starts *q = fm__pool_starts(p, i);
  return length(q) && !atomic_load(&fm__pool_member(p, i)->sleeping) &&
         !atomic_load(&q->idle);
}

static bool has_any(fm_pool *p) {
  for (int i = 0; i < fm_pool_size(p); i++)
    if (offers(p, i))
      return true;
  return false;
}

bool fm__starts_visible(fm__runtime *d) {
  return d->starts && (length(d->starts) || has_any(d->starts->pool));
}

bool fm__starts_wait(fm__runtime *d) {
  return d->starts && length(d->starts);
}

void fm__starts_idle(fm__runtime *d) {
  atomic_store(&d->starts->idle, true);
}

void fm__starts_busy(fm__runtime *d) {
  if (!atomic_load_explicit(&d->starts->idle, memory_order_relaxed))
    return;
  atomic_store(&d->starts->idle, false);
  if (length(d->starts))
    wake_another(d->starts->pool, d);
}

void fm__starts_awake(fm__runtime *d) {
  if (!d->starts)
    return;
  fm_pool *p = d->starts->pool;
  if (atomic_load(fm__pool_waking(p)))
    atomic_store(fm__pool_waking(p), false);
  // This domain has something else to do.
  if ((d->base.head || atomic_load(&d->inbox)) && has_any(p))
    wake_another(p, d);
}

// ---- a start comes ----
// As fm__inbox_post does, except that the domain may be this thread's own.
bool fm__starts_put(fm__runtime *d, errand *r) {
  starts *q = d->starts;
  if (!q) // it has ended
    return false;
  atomic_fetch_add(&d->posting, 1);
  fm__pthread_lock(&q->lock);
  bool open = !q->closed;
  bool first = open && !q->first;
  if (open) {
    atomic_fetch_add_explicit(&d->load, 1, memory_order_relaxed);
    append(q, r);
  }
  pthread_mutex_unlock(&q->lock);
  if (first)
    atomic_fetch_or(&d->attention, FM__STARTS);
  bool woken = first && atomic_load(&d->sleeping);
  if (woken)
    d->driver->wake(d->driver->ctx);
  if (open && !woken)
    wake_another(q->pool, d);
  atomic_fetch_sub(&d->posting, 1); // from here on d may be gone
  return open;
}

// ---- a start begins ----
// The start goes before the activities that are ready, because it has waited longer.
static void push_first(fm__runtime *d, fm_node *a) {
  fm__set *s = &d->base;
  if (s->head) {
    a->link = s->head;
    fm__set_head(s, a);
  } else {
    fm__push(s, a);
  }
  if (fm__needs_tick(d))
    fm__tick_wake(d);
}

static void begin(fm__runtime *d, errand *r) {
  push_first(d, fm__start_begins(d, r));
}

// How many turns make a round.
static int round_of(fm__runtime *d) {
  enum { MOST = 256 };
  fm__set *s = &d->base;
  int n = 1;
  if (s->head)
    for (fm_node *a = s->head; a != s->tail && n < MOST; a = a->link)
      n++;
  return n;
}

void fm__starts_sliced(fm__runtime *d) {
  d->starts->sliced = true;
}

bool fm__starts_turn(fm__runtime *d) {
  if (!d->base.head || --d->starts->turns < 0)
    return true;
  fm__starts_busy(d);
  return false;
}

void fm__starts_take(fm__runtime *d) {
  errand *r = take_oldest(d->starts);
  if (!r) {
    atomic_fetch_and(&d->attention, ~(unsigned)FM__STARTS);
    if (length(d->starts))
      atomic_fetch_or(&d->attention, FM__STARTS);
    return;
  }
  atomic_store(&d->starts->idle, false);
  d->starts->turns = d->starts->sliced ? round_of(d) : 1;
  d->starts->sliced = false;
  if (length(d->starts))
    wake_another(d->starts->pool, d);
  begin(d, r);
}

static void move_load(fm__runtime *from, fm__runtime *to) {
  atomic_fetch_sub_explicit(&from->load, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&to->load, 1, memory_order_relaxed);
}

bool fm__starts_steal(fm__runtime *d) {
  fm_pool *p = d->starts->pool;
  int n = fm_pool_size(p);
  if (d->starts->closed)
    return false;
  for (int i = 0; i < n; i++) {
    int from = (d->starts->from + i) % n;
    errand *r = offers(p, from) ? take_oldest(fm__pool_starts(p, from)) : NULL;
    if (!r)
      continue;
    d->starts->from = from;
    atomic_store(&d->starts->idle, false);
    move_load(fm__pool_member(p, from), d);
    if (length(fm__pool_starts(p, from)))
      wake_another(p, d);
    begin(d, r);
    return true;
  }
  return false;
}

bool fm__start_reclaim(fm__runtime *d, errand *r) {
  starts *q = d->starts;
  if (!q || atomic_load(&r->queue) != q)
    return false;
  fm__pthread_lock(&q->lock);
  bool here = atomic_load(&r->queue) == q;
  if (here)
    unlink_from(q, r);
  pthread_mutex_unlock(&q->lock);
  return here;
}

// ---- the end of a domain ----
void fm__starts_close(fm__runtime *d) {
  starts *q = d->starts;
  if (!q)
    return;
  fm__pthread_lock(&q->lock);
  q->closed = true;
  pthread_mutex_unlock(&q->lock);
  for (errand *r; (r = take_oldest(q));)
    fm__ready(d, fm__start_begins(d, r));
  atomic_fetch_and(&d->attention, ~(unsigned)FM__STARTS);
}
