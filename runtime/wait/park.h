// park.h: waiting in queues: the one mechanism under all of sync.h and agent.h. To *park* is to
// wait in a queue: the activity itself stands in it, and has a fm__waiter for what a node has no
// room for. The activity that has what it waits for takes it out and wakes it; a cancel takes it
// out as well. All of this takes constant time.
#ifndef PARK_H
#define PARK_H

#include "domains/claim.h"
#include "wait/leaf.h"
#include <fermata/sync.h>

#include <string.h>

// Kinds of waits in a queue that only the domain itself can end.
// clang-format off
#define FM__KIND(text)                                          \
  {                                                             \
    .what = text,                                               \
    .withdraw = fm__waiter_withdraw,                            \
    .drop = fm__waiter_drop,                                    \
    .inner = true,                                              \
  }
// clang-format on
// The mutex that q belongs to; NULL: another kind of object does.
FM__IF_USED const fm_mutex *fm__mutex_of(const fm__wait_kind *kind,
                                         const fm__queue *q);
bool fm__waiter_withdraw(fm__runtime *d, fm_node *a);
void fm__waiter_drop(fm__runtime *d, fm_node *a);
// Those that a waiter names by a number, FM__FOR_SEND ….
extern const fm__wait_kind *const fm__near_kinds[];
extern FM__IF_USED const fm__wait_kind fm__sending, fm__receiving, fm__putting,
    fm__taking, fm__hearing, fm__getting;

// ---- waiters: see sync.h ----
enum { FM__MADE = 1 }; // the low bit of fm__far_waiter.kind
static inline fm__far_waiter *fm__far(fm__waiter *w) {
  return (fm__far_waiter *)(void *)((char *)w - offsetof(fm__far_waiter, w));
}
static inline const fm__wait_kind *fm__kind_in(fm__waiter *w) {
  unsigned number = w->part.low >> 1 & 7;
  return fm__likely(number != FM__OTHER)
             ? fm__near_kinds[number]
             : (const fm__wait_kind *)(fm__far(w)->kind & ~(uintptr_t)FM__MADE);
}
static inline bool fm__was_made(fm__waiter *w) {
  return !w->part.far && fm__far(w)->kind & FM__MADE;
}

// ---- queues ----
// Their members are activities that wait, and what stands in for one: a request of another domain,
// whose word is FM__ARM and nothing else, and a listener (stream-support.h), whose word is 0. No
// activity is like these, because its generation is not 0. No hot path serves an arm.
static inline bool fm__is_request(const fm_node *a) {
  return fm__unlikely(a->word == FM__ARM);
}
_Static_assert(_Alignof(fm__waiter) > FM__WKIND, "the low bits are free");
static inline bool fm__is_listener(const fm_node *a) {
  return a->word == 0;
}
static inline bool fm__is_end(const fm_node *a) {
  return (uintptr_t)a & 1;
}
static inline fm__queue *fm__queue_at(fm_node *end) {
  return (fm__queue *)((uintptr_t)end & ~(uintptr_t)1);
}
static inline bool fm__is_alone(const fm_node *a) {
  return fm__is_end(a->link) && fm__queue_at(a->link)->first == a;
}
static inline bool fm__has_one_at_most(const fm__queue *q) {
  return !q->first || fm__is_end(q->first->link);
}
// In a queue of several.
#define FM__BEFORE ((((uint64_t)1 << 48) - 1) & ~(uint64_t)15)
static inline fm_node *fm__before(const fm_node *a) {
  return (fm_node *)(uintptr_t)(fm__waiter_of(a)->word & FM__BEFORE);
}
static inline void fm__goes_after(fm_node *a, const fm_node *before) {
  fm__waiter *w = fm__waiter_of(a);
  w->word = (w->word & ~FM__BEFORE) | (uint64_t)(uintptr_t)before;
}

// a->waits leads to its waiter already.
static inline void fm__enqueue(fm__queue *q, fm_node *a) {
  fm_node *first = q->first;
  a->link = fm__beyond(q);
  if (!first) {
    q->first = a;
    return;
  }
  fm_node *last = fm__is_end(first->link) ? first : fm__before(first);
  last->link = a;
  fm__goes_after(a, last);
  fm__goes_after(first, a);
}

static inline void fm__dequeue(fm_node *a) {
  fm_node *next = a->link;
  bool last = fm__is_end(next);
  if (last && fm__queue_at(next)->first == a) {
    fm__queue_at(next)->first = NULL;
    return;
  }
  fm_node *before = fm__before(a);
  if (fm__is_end(before->link)) // that is the last one, so a is the first
    fm__queue_at(before->link)->first = next;
  else
    before->link = next;
  fm__goes_after(last ? fm__queue_at(next)->first : next, before);
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
void fm__request_served(fm__runtime *d, fm_node *a, int outcome);
fm__offer *fm__request_offer(fm_node *a);
void *fm__request_value(fm_node *a);
// The request is void: it leaves its queue.
void fm__request_discard(fm__runtime *d, fm_node *a);
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

// ---- waits ----
fm__far_waiter *fm__waiter_new(fm__runtime *d);
void fm__waiter_free(fm__runtime *d, fm__waiter *w); // one that was made

FM_COLD fm__waiter *fm__waiter_for(fm__runtime *d, unsigned what, void *value);

// Where the value of a, which is in a queue, is or comes to.
static inline void *fm__value_of(fm_node *a) {
  if (fm__is_request(a))
    return fm__request_value(a);
  fm__waiter *w = fm__waiter_of(a);
  return fm__likely(w->part.far) ? (char *)w + w->part.far : fm__far(w)->value;
}

// The current activity waits in q, by a waiter whose word is set.
static inline void
fm__park_by(fm__runtime *d, fm__queue *q, fm__waiter *w, bool inner) {
  fm_node *a = d->current;
  if (inner)
    fm__pause_for(d, FM__WOBJECT, w);
  else
    fm__wait_begin(d, (fm__wait *)(void *)w);
  fm__enqueue(q, a);
}

// The same, unless it is to unwind. far NULL: it is made, and freed when the wait is over.
static inline void fm__park_far(fm__runtime *d,
                                fm__queue *q,
                                fm__far_waiter *far,
                                const fm__wait_kind *kind,
                                void *value) {
  if (fm__wait_ends_here(d))
    return;
  uintptr_t made = far ? 0 : FM__MADE;
  if (made)
    far = fm__waiter_new(d);
  far->kind = (uintptr_t)kind | made;
  far->value = value;
  far->w.word = fm__near(0, FM__OTHER);
  fm__park_by(d, q, &far->w, kind->inner);
}

// The same, for a value that usually stands in the same frame as its waiter.
static inline __attribute__((always_inline)) void fm__park_near(fm__runtime *d,
                                                                fm__queue *q,
                                                                fm__waiter *w,
                                                                unsigned what,
                                                                void *value,
                                                                ptrdiff_t far) {
  if (fm__wait_ends_here(d))
    return;
  if (fm__likely(fm__is_near(far)))
    w->word = fm__near(far, what);
  else
    w = fm__waiter_for(d, what, value);
  fm__park_by(d, q, w, what != FM__FOR_GET);
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

// a has left its queue; frees its waiter, if that was made.
static inline __attribute__((always_inline)) void
fm__woken(fm__runtime *d, fm_node *a, uintptr_t waits) {
  fm__waiter *w = fm__waiter_of(a);
  const fm__wait_kind *kind = fm__kind_in(w);
  if (fm__was_made(w))
    fm__waiter_free(d, w);
  if (fm__unlikely(!kind->inner))
    fm__wait_over(d, a, waits);
  else
    fm__woken_inner(d, a, waits);
}

// Takes a out of its queue; it has what it waited for.
static inline __attribute__((always_inline)) void fm__wake(fm__runtime *d,
                                                           fm_node *a) {
  fm__dequeue(a);
  if (fm__is_request(a))
    fm__request_served(d, a, FM__REQUEST_DONE);
  else
    fm__woken(d, a, FM__HOLDS);
}

// The same, but the activity is thrown struct fm_closed.
void fm__wake_closed(fm__runtime *d, fm_node *a);
void fm__wake_all(fm__runtime *d, fm__queue *q);
// `waits` of an activity that is thrown it when it goes on.
uintptr_t fm__closed_result(fm__runtime *d);
void fm__throw_closed(fm__runtime *d); // in the current activity

// ---- which waiter to serve ----
// An arm of a race, or a request of another domain, may have what it wants by now: then it leaves
// the queue. Otherwise it is claimed, and is to be served.
fm__matched fm__match(fm__runtime *d, fm_node *a, fm__offer *by);
fm_node *fm__choose_waiter(fm__runtime *d,
                           fm__queue *q,
                           fm__offer *by,
                           const fm_node *not_of);

static inline fm_node *fm__next_waiter(fm__runtime *d, fm__queue *q) {
  fm_node *a = q->first;
  if (fm__unlikely(a && a->word & FM__ARM))
    a = fm__choose_waiter(d, q, NULL, NULL);
  return a;
}

// The first waiter that the operation of the current activity can serve. It does not serve another
// arm of its own race, which would lose by that.
static inline fm_node *fm__first_waiter(fm__runtime *d, fm__queue *q) {
  fm_node *a = q->first;
  if (fm__unlikely(a && a->word & FM__ARM))
    a = fm__choose_waiter(d,
                          q,
                          NULL,
                          d->current && d->current->word & FM__ARM
                              ? d->current->parent
                              : NULL);
  return a;
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
