// abi-chan.h: channels as generated code uses them by itself, in the common cases; chan.c does the
// rest. Part of sync.h, over the structures in abi-node.h. Programs never name anything in it.
#ifndef FERMATA_ABI_CHAN_H
#define FERMATA_ABI_CHAN_H

#include <fermata/sync.h>

#ifdef FM_ATOMICITY
#  pragma push_macro("inline")
#  define inline inline __attribute__((always_inline))
#endif

// ---- a value goes through a channel, as in the library ----
// Expanded where it is used, and nowhere else: functions that stand in every unit may call it.
#define FM__HERE __attribute__((gnu_inline, always_inline))
extern inline FM__HERE bool fm__chan_has_room(const fm__chan *o) {
  return o->tail - o->head < o->open;
}
extern inline FM__HERE void
fm__chan_put_in(fm__chan *o, const void *v, size_t size) {
  __builtin_memcpy(o->ring + (o->tail & o->mask) * size, v, size);
  o->tail++;
}
extern inline FM__HERE void
fm__chan_take_out(fm__chan *o, void *v, size_t size) {
  __builtin_memcpy(v, o->ring + (o->head & o->mask) * size, size);
  o->head++;
}

// fm__chan_send and fm__chan_recv in a function that was resumed: all common cases, without a call,
// so that the function saves no registers. FM_RARE: nothing has been done; the function leaves as
// if it waited, by a call of the library, which does it.
void fm__chan_send__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far);
void fm__chan_recv__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far);

// c owns the channel, and will for good.
static inline bool fm__is_owner(fm_domain *c, const fm__chan *o) {
#ifdef FM_TSAN
  return fm__likely(fm__owner_of(o) == c);
#else
  return fm__likely(o->owner == c);
#endif
}

// A few stores make it ready.
static inline bool fm__is_plain(fm_domain *c, const fm_node *a) {
  return fm__likely(!(a->word & FM_SPECIAL)) && fm__likely(!fm__with_care(c));
}

// ---- the word of a waiter, see sync.h ----
#define fm__waiter_of(a) \
  ((fm__waiter *)(void *)((char *)(a)->waits - FM_WAITS_FOR))

// `far`, how far a value is from its waiter, is a parameter of its own, made by FM__FAR_FROM: where
// both are in one frame, the C compiler then knows it. Whether the word of a waiter can hold it:
static inline bool fm__is_near(ptrdiff_t far) {
  return far == (int16_t)far && far;
}
static inline uint64_t fm__near(ptrdiff_t far, unsigned what) {
  return (uint64_t)far << 48 | what << 1 | 1;
}
// The activity of w is now the first, in place of that of old.
static inline void fm__now_first(fm__waiter *w, const fm__waiter *old) {
  w->part.low = old->part.low;
  w->part.high = old->part.high;
}

// a, the first of the queue, has what it waited for: it leaves the queue and is ready.
static inline FM_INLINE void
fm__serve_first(fm_domain *c, fm__queue *q, fm_node *a) {
  fm_node *next = a->link;
  if (fm__likely(next == fm__beyond(q))) {
    q->first = NULL;
  } else {
    fm__now_first(fm__waiter_of(next), fm__waiter_of(a));
    q->first = next;
  }
  a->waits = FM_SERVED;
  if (fm__likely(!fm__sched(c)->head))
    fm__store(fm_node *, &fm__sched(c)->head, a);
  else
    fm__sched(c)->tail->link = a;
  fm__sched(c)->tail = a;
}

// The current activity waits, alone in the queue.
static inline FM_INLINE int fm__wait_first(
    fm_domain *c, fm__queue *q, fm__waiter *w, unsigned what, ptrdiff_t far) {
  fm_node *me = fm__sched(c)->current;
  if (fm__unlikely(me->waits || q->first || !fm__is_near(far)))
    return FM_RARE;
  me->waits = (uintptr_t)w + FM_WAITS_FOR;
  me->link = fm__beyond(q);
  w->word = fm__near(far, what);
  q->first = me;
  fm__store(uintptr_t, &c->guard, FM_PAUSE(FM_WAITS));
  return FM_PAUSED;
}

static inline FM_INLINE int fm__chan_send__fm_inline(fm_domain *c,
                                                     fm__chan *o,
                                                     void *v,
                                                     fm__waiter *w,
                                                     size_t size,
                                                     ptrdiff_t far) {
  fm_node *a;
  if (!fm__is_owner(c, o))
    return FM_RARE;
  if ((a = o->receivers.first)) {
    if (fm__unlikely(!fm__is_plain(c, a)))
      return FM_RARE;
    fm__waiter *r = fm__waiter_of(a);
    intptr_t offset = r->part.far;
    if (fm__unlikely(!offset))
      return FM_RARE;
    __builtin_memcpy((char *)r + offset, v, size);
    fm__serve_first(c, &o->receivers, a);
    return FM_GO;
  }
  if (!o->direct) {
    if (fm__likely(fm__chan_has_room(o))) {
      fm__chan_put_in(o, v, size);
      return FM_GO;
    }
    // It is closed, or the ring has to grow.
    if (fm__unlikely(o->open != o->cap))
      return FM_RARE;
  }
  return fm__wait_first(c, &o->senders, w, FM__FOR_SEND, far);
}

static inline FM_INLINE int fm__chan_recv__fm_inline(fm_domain *c,
                                                     fm__chan *o,
                                                     void *v,
                                                     fm__waiter *w,
                                                     size_t size,
                                                     ptrdiff_t far) {
  fm_node *a;
  size_t n;
  if (!fm__is_owner(c, o))
    return FM_RARE;
  if ((a = o->senders.first)) {
    if (fm__unlikely(!fm__is_plain(c, a)))
      return FM_RARE;
    fm__waiter *s = fm__waiter_of(a);
    intptr_t offset = s->part.far;
    if (fm__unlikely(!offset))
      return FM_RARE;
    if (o->direct) {
      __builtin_memcpy(v, (char *)s + offset, size);
    } else if (fm__likely((n = o->tail - o->head) && n == o->cap)) {
      fm__chan_take_out(o, v, size);
      fm__chan_put_in(o, (char *)s + offset, size);
    } else {
      return FM_RARE;
    }
    fm__serve_first(c, &o->senders, a);
    return FM_GO;
  }
  if (!o->direct) {
    if (fm__likely(o->head != o->tail)) {
      fm__chan_take_out(o, v, size);
      return FM_GO;
    }
    if (fm__unlikely(o->closed))
      return FM_RARE;
  }
  return fm__wait_first(c, &o->receivers, w, FM__FOR_RECEIVE, far);
}

void fm__chan_give__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far);

static inline FM_INLINE int fm__chan_give__fm_inline(fm_domain *c,
                                                     fm__chan *o,
                                                     void *v,
                                                     fm__waiter *w,
                                                     size_t size,
                                                     ptrdiff_t far) {
  return fm__chan_send__fm_inline(c, o, v, w, size, far);
}

// ---- the last wait of a function: in an arm of a race see fm__arm_goes_on ----
void fm__chan_send_arm(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far);
void fm__chan_recv_arm(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far);
void fm__chan_send__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far);
void fm__chan_recv__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far);
void fm__chan_give__fm_last(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far);
void fm__chan_give__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far);
void fm__mvar_put__fm_last(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size);
void fm__mvar_take__fm_last(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size);
void fm_sem_wait__fm_last(fm_domain *c, fm_sem *o);
void fm_sem_wait_n__fm_last(fm_domain *c, fm_sem *o, size_t n);
void fm_limiter_wait__fm_last(fm_domain *c, fm_limiter *o);
void fm_limiter_wait_n__fm_last(fm_domain *c, fm_limiter *o, uint64_t n);
void fm_lock__fm_last(fm_domain *c, fm_mutex *o);

static inline bool fm__is_arm(fm_domain *c) {
  return fm__unlikely(fm__sched(c)->current->word & FM_SPECIAL);
}

// Another arm has won while this one computed: it unwinds instead of transferring anything.
bool fm__has_lost(fm_domain *c);
static inline bool fm__is_late(fm_domain *c) {
  return fm__is_arm(c) && fm__has_lost(c);
}

static inline FM_INLINE int fm__chan_send__fm_inline_last(fm_domain *c,
                                                          fm__chan *o,
                                                          void *v,
                                                          fm__waiter *w,
                                                          size_t size,
                                                          ptrdiff_t far) {
  return fm__is_arm(c) ? FM_RARE
                       : fm__chan_send__fm_inline(c, o, v, w, size, far);
}

static inline FM_INLINE int fm__chan_give__fm_inline_last(fm_domain *c,
                                                          fm__chan *o,
                                                          void *v,
                                                          fm__waiter *w,
                                                          size_t size,
                                                          ptrdiff_t far) {
  return fm__chan_send__fm_inline_last(c, o, v, w, size, far);
}

static inline FM_INLINE int fm__chan_recv__fm_inline_last(fm_domain *c,
                                                          fm__chan *o,
                                                          void *v,
                                                          fm__waiter *w,
                                                          size_t size,
                                                          ptrdiff_t far) {
  return fm__is_arm(c) ? FM_RARE
                       : fm__chan_recv__fm_inline(c, o, v, w, size, far);
}

#if !defined FERMATA_NO_KEYWORDS || defined FERMATA_TRANSLATED
// Calls of the two while a value goes through the ring and nothing waits; the library does the
// rest. The C compiler uses these instead of the library's own (gnu_inline), which do the same;
// here it knows the size.
void fm__chan_send_any(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far);
void fm__chan_recv_any(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far);

extern inline __attribute__((gnu_inline)) void
fm__chan_send__fm_call(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (fm__likely(fm__owner_of(o) == c && fm__chan_has_room(o) &&
                 !o->receivers.first))
    fm__chan_put_in(o, v, size);
  else
    fm__chan_send_any(c, o, v, w, size, far);
}

extern inline __attribute__((gnu_inline)) void
fm__chan_recv__fm_call(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (fm__likely(fm__owner_of(o) == c && o->head != o->tail &&
                 !o->senders.first))
    fm__chan_take_out(o, v, size);
  else
    fm__chan_recv_any(c, o, v, w, size, far);
}

static inline void fm__chan_send__fm_last(fm_domain *c,
                                          fm__chan *o,
                                          void *v,
                                          fm__waiter *w,
                                          size_t size,
                                          ptrdiff_t far) {
  if (fm__is_arm(c))
    fm__chan_send_arm(c, o, v, w, size, far);
  else
    fm__chan_send__fm_call(c, o, v, w, size, far);
}

static inline void fm__chan_recv__fm_last(fm_domain *c,
                                          fm__chan *o,
                                          void *v,
                                          fm__waiter *w,
                                          size_t size,
                                          ptrdiff_t far) {
  if (fm__is_arm(c))
    fm__chan_recv_arm(c, o, v, w, size, far);
  else
    fm__chan_recv__fm_call(c, o, v, w, size, far);
}
#endif
#ifdef FM_ATOMICITY
#  pragma pop_macro("inline")
#endif

#endif
