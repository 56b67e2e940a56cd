// park.h: waiting in queues: the one mechanism under all of sync.h and agent.h. To *park* is to
// wait in a queue: the activity stands in it by a fm__waiter. The activity that has what it waits
// for takes it out and wakes it; a cancel takes it out as well. All of this takes constant time.
#ifndef PARK_H
#define PARK_H

#include "domains/claim.h"
#include "wait/leaf.h"
#include <fermata/sync.h>

#include <string.h>

// Kinds of waits in a queue that only the domain itself can end. MADE: fm__waiter_new made the
// waiter.
#define FM__KIND(text) FM__KIND_OF(text, false)
#define FM__KIND_MADE(text) FM__KIND_OF(text, true)
// clang-format off
#define FM__KIND_OF(text, by_library)                           \
  {                                                             \
    .what = text,                                               \
    .withdraw = fm__waiter_withdraw,                            \
    .drop = fm__waiter_drop,                                    \
    .inner = true,                                              \
    .made = by_library,                                         \
  }
// clang-format on
// The mutex that q belongs to; NULL: another kind of object does.
const fm_mutex *fm__mutex_of(const fm__wait_kind *kind, const fm__queue *q);
bool fm__waiter_withdraw(fm__runtime *d, fm_node *a);
void fm__waiter_drop(fm__runtime *d, fm_node *a);

// ---- queues ----
// After its last waiter stands the queue itself, with the low bit set; before its first waiter
// stands the last.
static inline bool fm__is_end(const fm__waiter *w) {
  return (uintptr_t)w & 1;
}
static inline fm__queue *fm__queue_at(fm__waiter *end) {
  return (fm__queue *)((uintptr_t)end & ~(uintptr_t)1);
}
static inline bool fm__has_one_at_most(const fm__queue *q) {
  return !q->first || fm__is_end(q->first->next);
}

static inline void fm__enqueue(fm__queue *q, fm__waiter *w) {
  fm__waiter *first = q->first;
  w->next = fm__beyond(q);
  if (first) {
    w->prev = first->prev;
    w->prev->next = w;
    first->prev = w;
  } else {
    w->prev = w;
    q->first = w;
  }
}

static inline void fm__dequeue(fm__waiter *w) {
  fm__waiter *next = w->next;
  fm__waiter *prev = w->prev;
  bool last = fm__is_end(next);
  if (fm__is_end(prev->next)) // prev is the last one, so w is the first
    fm__queue_at(prev->next)->first = last ? NULL : next;
  else
    prev->next = next;
  if (!last)
    next->prev = prev;
  else if (fm__queue_at(next)->first)
    fm__queue_at(next)->first->prev = prev;
}

// ---- remote-sync.c: objects of other domains ----
// How a request ended. VOID: nobody wants it any more. GONE: the object's domain has ended.
enum {
  FM__REQUEST_DONE,
  FM__REQUEST_WAITS,
  FM__REQUEST_CLOSED,
  FM__REQUEST_VOID,
  FM__REQUEST_GONE
};
typedef struct fm__request_kind {
  // Tries the operation in the object's domain: DONE, WAITS, CLOSED or VOID. It claims `by` before
  // it does anything.
  int (*attempt)(fm__runtime *, fm__offer *by, void *o, void *v, size_t size);
  bool receives; // the value comes from the object
  bool throws;   // it throws struct fm_closed, also if the domain has ended
  bool asks;     // with `receives`: it also brings a value
  // A request that stood in the queue has left it without being served; NULL: that changes nothing.
  void (*left)(fm__runtime *, void *o);
} fm__request_kind;
// The current activity, of d, waits until the object's domain has done the operation, or has ended.
void fm__request_wait(fm__runtime *d,
                      fm_domain *owner,
                      const fm__request_kind *op,
                      void *o,
                      fm__queue *q,
                      void *v,
                      size_t size);
// Calls fn in the object's domain, with a copy of the value.
void fm__request_post(fm_domain *owner,
                      void (*fn)(fm__runtime *, void *o, void *v, size_t size),
                      void *o,
                      const void *v,
                      size_t size);
// The request has left its queue, and is claimed.
void fm__request_served(fm__runtime *d, fm__waiter *w, int outcome);
fm__offer *fm__request_offer(fm__waiter *w);
// The request is void: it leaves its queue.
void fm__request_discard(fm__runtime *d, fm__waiter *w);
// c is the owner, or becomes it.
bool fm__is_own(fm_domain *c, fm_domain **owner);
// true: another domain is the owner, and the current activity waits by fm__request_wait.
bool fm__done_by_request(fm_domain *c,
                         fm_domain **owner,
                         const fm__request_kind *op,
                         void *o,
                         fm__queue *q,
                         void *v,
                         size_t size);
// This thread's domain, for a function that is not async.
fm__runtime *fm__object_user(fm_domain **owner, bool *own);
// The owner of an object that is made now; NULL: the first domain that uses it.
fm_domain *fm__owner_here(void);
// The node of a waiter that is a request of another domain. It has the flag of an arm, which no hot
// path takes.
extern const fm_node fm__request_node;
static inline bool fm__is_request(const fm__waiter *w) {
  return fm__unlikely(w->node == &fm__request_node);
}

// ---- waits ----
fm__waiter *fm__waiter_new(fm__runtime *d);
void fm__waiter_free(fm__runtime *d, fm__waiter *w);

// The current activity waits in q.
static inline void fm__enqueue_current(fm__runtime *d,
                                       fm__queue *q,
                                       fm__waiter *w,
                                       const fm__wait_kind *kind,
                                       void *value) {
  w->kind = kind;
  w->node = d->current;
  w->value = value;
  fm__enqueue(q, w);
}

// The same, unless it is to unwind. w NULL: a waiter is made, and freed when the wait is over.
static inline void fm__park_in(fm__runtime *d,
                               fm__queue *q,
                               fm__waiter *w,
                               const fm__wait_kind *kind,
                               void *value) {
  if (fm__wait_ends_here(d))
    return;
  if (kind->made)
    w = fm__waiter_new(d);
  fm__enqueue_current(d, q, w, kind, value);
  if (kind->inner)
    fm__pause_for(d, FM__WOBJECT, w);
  else
    fm__wait_begin(d, (fm__wait *)(void *)w);
}

// a's wait is over; only its own domain could end it.
static inline __attribute__((always_inline)) void
fm__woken_inner(fm__runtime *d, fm_node *a, uintptr_t waits) {
  a->waits = waits;
  fm__push(fm__set_of(d, a), a);
  fm__tick_check(d);
  if (fm__unlikely(a->word & FM__ARM))
    fm__arm_wins(d, a);
}

static inline __attribute__((always_inline)) void fm__woken(
    fm__runtime *d, fm_node *a, const fm__wait_kind *kind, uintptr_t waits) {
  if (fm__unlikely(!kind->inner))
    fm__wait_over(d, a, waits);
  else
    fm__woken_inner(d, a, waits);
}

// Takes w out of its queue; its activity has what it waited for.
static inline __attribute__((always_inline)) void fm__wake(fm__runtime *d,
                                                           fm__waiter *w) {
  fm_node *a = w->node;
  const fm__wait_kind *kind = w->kind;
  fm__dequeue(w);
  if (fm__is_request(w)) {
    fm__request_served(d, w, FM__REQUEST_DONE);
    return;
  }
  if (kind->made)
    fm__waiter_free(d, w);
  fm__woken(d, a, kind, FM__HOLDS);
}

// The same for channels: only the domain can end the wait, and the waiter stands in a frame.
static inline __attribute__((always_inline)) void fm__serve(fm__runtime *d,
                                                            fm__waiter *w) {
  fm_node *a = w->node;
  fm__dequeue(w);
  if (fm__is_request(w))
    fm__request_served(d, w, FM__REQUEST_DONE);
  else
    fm__woken_inner(d, a, FM__HOLDS);
}

// The same, but the activity is thrown struct fm_closed.
void fm__wake_closed(fm__runtime *d, fm__waiter *w);
void fm__wake_all(fm__runtime *d, fm__queue *q);
// `waits` of an activity that is thrown it when it goes on.
uintptr_t fm__closed_result(fm__runtime *d);
void fm__throw_closed(fm__runtime *d); // in the current activity

// ---- which waiter to serve ----
// An arm of a race, or a request of another domain, may have what it wants by now: then it leaves
// the queue. Otherwise it is claimed, and is to be served.
fm__matched fm__match(fm__runtime *d, fm__waiter *w, fm__offer *by);
fm__waiter *fm__choose_waiter(fm__runtime *d,
                              fm__queue *q,
                              fm__offer *by,
                              const fm_node *not_of);

static inline fm__waiter *fm__next_waiter(fm__runtime *d, fm__queue *q) {
  fm__waiter *w = q->first;
  if (fm__unlikely(w && w->node->word & FM__ARM))
    w = fm__choose_waiter(d, q, NULL, NULL);
  return w;
}

// The first waiter that the operation of the current activity can serve. It does not serve another
// arm of its own race, which would lose by that.
static inline fm__waiter *fm__first_waiter(fm__runtime *d, fm__queue *q) {
  fm__waiter *w = q->first;
  if (fm__unlikely(w && w->node->word & FM__ARM))
    w = fm__choose_waiter(d,
                          q,
                          NULL,
                          d->current && d->current->word & FM__ARM
                              ? d->current->parent
                              : NULL);
  return w;
}

// ---- chan.c, for mailboxes ----
// Into an unbounded channel, or to the activity that waits for it.
void fm__chan_put(fm__runtime *d, fm__chan *c, const void *v);
bool fm__chan_get(fm__chan *c, void *v); // false: it is empty

// Values are usually small.
static inline void fm__copy(void *to, const void *from, size_t size) {
  if (fm__likely(size == sizeof(uint64_t)))
    memcpy(to, from, sizeof(uint64_t));
  else if (size == sizeof(uint32_t))
    memcpy(to, from, sizeof(uint32_t));
  else
    memcpy(to, from, size);
}

// ---- memory of a domain: freed with it, or before ----
// old: its contents are kept, as by realloc; never NULL.
void *fm__buffer_new(fm__runtime *d, void *old, size_t size);
void fm__buffer_free(void *p); // NULL is allowed

#endif
