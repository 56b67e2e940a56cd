// sync.h: what activities wait for each other with: semaphores, mutexes, conditions, MVars,
// channels, events, wait groups, once. (From threads that are no domains: the mailboxes of
// agent.h.)
//
// All of them are plain objects of the program. Zeroed memory is a semaphore of 0, an open mutex, a
// condition, a wait group of 0, a once that has not been; MVars, channels and events are made for a
// type by a typedef, and need their init function:
//
//     typedef fm_chan(int) int_chan;
//     int_chan c;
//     fm_chan_init(&c, 0);
//
// Who waits is served first come, first served, and what it waits for is handed to it: no one can
// come in between. A wait that is cancelled has had no effect; one that has been served is not lost
// when a cancel or another arm of a race comes later. What need not wait does not pause and
// allocates nothing. Nothing may be freed or leave its scope while someone waits for it.
//
// A value is given as the initialiser of a variable is: fm_send(&c, (struct point){ 1, 2 }) and
// fm_send(&c, { 1, 2 }) both do.
//
// Channels, MVars, events, semaphores and wait groups can be used from every domain. Each belongs
// to the domain in which it was made (or, made where there is none, to the first that uses it), and
// ends with that. There it costs what is said above. From elsewhere an operation is a message there
// and, if it is waited for, one back: it always pauses. fm_chan_close, fm_emit, fm_sem_post and
// fm_wait_group_add and _done do not wait for their effect; fm_emit then returns 0. What asks
// without waiting (fm_try_…) finds nothing there: false, 0. Numbers and flags (fm_chan_count …) and
// fm_chan_free are for its own domain alone. An arm of a race that lost takes no value; but what it
// was sending may have been sent. Mutexes, conditions and once are of one domain.
#ifndef FERMATA_SYNC_H
#define FERMATA_SYNC_H

#include <fermata.h>
#include <fermata/abi-node.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- how one waits: the library's own ----
// in the frame of who waits, or in one of the library's
typedef struct fm__waiter {
  const struct fm__wait_kind *kind; // its head is a fm__wait
  // in its queue; beyond the last: the queue; before the first: the last
  struct fm__waiter *next, *prev;
  fm_node *node; // who waits
  void *value;   // where the value is, or comes to
} fm__waiter;
typedef struct fm__queue {
  fm__waiter *first;
} fm__queue;
#define fm__beyond(q) \
  ((fm__waiter *)((uintptr_t)(q) + 1)) // in place of a waiter; see park.h

// ---- semaphores ----
typedef struct fm_sem {
  fm__queue fm__q;
  size_t fm__n;
  fm_domain *fm__owner;
} fm_sem;
void fm_sem_init(fm_sem *s, unsigned n);
void fm_sem_post(fm_sem *s);          // one more: the first that waits has it
bool fm_sem_try_wait(fm_sem *s);      // false: it would have to wait
size_t fm_sem_value(const fm_sem *s); // how many can be had at once

// ---- mutexes: for what has to hold across pauses; between pauses there is nothing to lock ----
typedef struct fm_mutex {
  fm__queue fm__q;
  fm_activity fm__owner;
} fm_mutex;
void fm_mutex_init(fm_mutex *m);
// by who has locked it; the first that waits has it then
void fm_unlock(fm_mutex *m);
bool fm_try_lock(fm_mutex *m); // false: it would have to wait

// ---- conditions ----
typedef struct fm_cond {
  fm__queue fm__q;
} fm_cond;
void fm_cond_init(fm_cond *c);
void fm_cond_signal(fm_cond *c);    // the first that waits goes on
void fm_cond_broadcast(fm_cond *c); // all that wait do
typedef struct fm__relock { // of who waits; in the frame of fm_cond_wait
  fm_cond *cond;
  fm_mutex *mutex; // that it will have when it goes on
  bool signalled;  // by fm_cond_signal, which nobody else has been
} fm__relock;

// ---- wait groups: until so many things are done ----
typedef struct fm_wait_group {
  fm__queue fm__q;
  size_t fm__n;
  fm_domain *fm__owner;
} fm_wait_group;
void fm_wait_group_init(fm_wait_group *g);
void fm_wait_group_add(fm_wait_group *g, size_t n);
// one of them is; with the last one, all that wait go on
void fm_wait_group_done(fm_wait_group *g);

// ---- once ----
typedef struct fm_once {
  fm__queue fm__q;
  int fm__state;
} fm_once; // state: FM__ONCE_…
enum { FM__ONCE_NO, FM__ONCE_RUNS, FM__ONCE_DONE };
void fm__once_end(fm_once *o, bool done); // not done: the next one tries

// ---- channels: values of one type, in order ----
#define FM_UNBOUNDED SIZE_MAX // a capacity: fm_send never waits
typedef struct fm__chan {
  fm_domain *owner; // whose it is; NULL: of the first to use it
  fm__queue receivers, senders;
  size_t head, tail; // the first value's number; the next one's
  // NULL: none yet. Belongs to the domain, or stands in a MVar
  char *ring;
  size_t mask; // its room, a power of two, less 1
  // with so many values in it, or more, fm_send has to look closer
  size_t open;
  size_t cap;
  uint32_t size;      // of a value, in bytes
  bool closed, fixed; // fixed: the ring is not ours
  // capacity 0, not closed, and no value is in it: who has no partner waits
  bool direct;
} fm__chan;
#define fm__owner_of(c) __atomic_load_n(&(c)->owner, __ATOMIC_ACQUIRE)
#define fm_chan(T)           \
  union {                    \
    fm__chan fm__chan;       \
    __typeof__(T) *fm__type; \
  }
// 0: a send waits for its receive
#define fm_chan_init(c, cap) \
  fm__chan_init(&(c)->fm__chan, sizeof *(c)->fm__type, (cap))
// all that wait are thrown struct fm_closed; what is in it can still be received
#define fm_chan_close(c) fm__chan_close(&(c)->fm__chan)
// its memory at once, else at the end of the domain; no one waits
#define fm_chan_free(c) fm__chan_free(&(c)->fm__chan)
#define fm_chan_closed(c) ((bool)(c)->fm__chan.closed)
// how many values are in it
#define fm_chan_count(c) ((size_t)((c)->fm__chan.tail - (c)->fm__chan.head))

// At once: whether (how many of n, from the first on) that could be done. Of a closed channel: no
// more is sent; what is left is received.
#define fm_try_send(c, ...)                           \
  ({                                                  \
    __auto_type fm__o = (c);                          \
    __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__; \
    fm__chan_try_send_one(&fm__o->fm__chan, &fm__v);  \
  })
#define fm_try_recv(c, to)                          \
  ({                                                \
    __auto_type fm__o = (c);                        \
    __typeof__(*fm__o->fm__type) *fm__v = (to);     \
    fm__chan_try_recv_one(&fm__o->fm__chan, fm__v); \
  })
#define fm_try_send_n(c, from, n)                       \
  ({                                                    \
    __auto_type fm__o = (c);                            \
    const __typeof__(*fm__o->fm__type) *fm__v = (from); \
    fm__chan_try_send(&fm__o->fm__chan, fm__v, (n));    \
  })
#define fm_try_recv_n(c, to, n)                      \
  ({                                                 \
    __auto_type fm__o = (c);                         \
    __typeof__(*fm__o->fm__type) *fm__v = (to);      \
    fm__chan_try_recv(&fm__o->fm__chan, fm__v, (n)); \
  })

void fm__chan_init(fm__chan *c, size_t size, size_t cap);
void fm__chan_close(fm__chan *c);
void fm__chan_free(fm__chan *c);
size_t fm__chan_try_send(fm__chan *c, const void *from, size_t n);
size_t fm__chan_try_recv(fm__chan *c, void *to, size_t n);
static inline bool fm__chan_try_send_one(fm__chan *c, const void *from) {
  return fm__chan_try_send(c, from, 1);
}
static inline bool fm__chan_try_recv_one(fm__chan *c, void *to) {
  return fm__chan_try_recv(c, to, 1);
}

// ---- MVars: a place for one value, full or empty ----
#define fm_mvar(T)           \
  struct {                   \
    fm__chan fm__mvar;       \
    __typeof__(T) fm__value; \
  }
// empty
#define fm_mvar_init(m) \
  fm__mvar_init(&(m)->fm__mvar, sizeof(m)->fm__value, &(m)->fm__value)
#define fm_mvar_full(m) ((m)->fm__mvar.tail != (m)->fm__mvar.head)
#define fm_try_put(m, ...)                            \
  ({                                                  \
    __auto_type fm__o = (m);                          \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__; \
    fm__chan_try_send_one(&fm__o->fm__mvar, &fm__v);  \
  })
#define fm_try_take(m, to)                          \
  ({                                                \
    __auto_type fm__o = (m);                        \
    __typeof__(fm__o->fm__value) *fm__v = (to);     \
    fm__chan_try_recv_one(&fm__o->fm__mvar, fm__v); \
  })
void fm__mvar_init(fm__chan *m, size_t size, void *place);

// ---- events: a value for all that wait at that moment ----
typedef struct fm__event {
  fm__queue queue;
  fm_domain *owner;
} fm__event;
#define fm_event(T)          \
  union {                    \
    fm__event fm__event;     \
    __typeof__(T) *fm__type; \
  }
#define fm_event_init(e) fm__event_init(&(e)->fm__event)
#define fm_emit(e, ...)                                      \
  ({                                                         \
    __auto_type fm__o = (e);                                 \
    __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__;        \
    fm__event_emit(&fm__o->fm__event, &fm__v, sizeof fm__v); \
  }) // to how many it went
void fm__event_init(fm__event *e);
size_t fm__event_emit(fm__event *e, const void *v, size_t size);

#ifdef __cplusplus
}
#endif

#ifndef __cplusplus
#  include <fermata/abi-chan.h>
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
async void fm_sem_wait(fm_sem *s);
async void fm_lock(fm_mutex *m); // once more by who has it: a deadlock
// Unlocks m, waits for a signal, and locks it again, also when it is cancelled: then the next one
// has the signal, if there was one.
async void fm_cond_wait(fm_cond *c, fm_mutex *m);
// until the number is 0; at once if it is
async void fm_wait_group_wait(fm_wait_group *g);
// Runs fn(arg) if no one has; else waits until that has been done. If fn was cancelled, the next
// one runs it.
async void fm_call_once(fm_once *o, async void (*fn)(void *), void *arg);

// Throw struct fm_closed; fm_recv only when the channel is empty, too.
#    define fm_send(c, ...)                                            \
      ({                                                               \
        __auto_type fm__o = (c);                                       \
        __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__;              \
        fm__waiter fm__w;                                              \
        fm__chan_send(&fm__o->fm__chan, &fm__v, &fm__w, sizeof fm__v); \
      })
#    define fm_recv(c)                                                 \
      ({                                                               \
        __auto_type fm__o = (c);                                       \
        __typeof__(*fm__o->fm__type) fm__v;                            \
        fm__waiter fm__w;                                              \
        fm__chan_recv(&fm__o->fm__chan, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                         \
      })
// An array of n values, one after the other: each may wait; how many were sent is seen in *sent,
// also when it throws; sent may be NULL.
#    define fm_send_n(c, from, n, sent)                        \
      ({                                                       \
        __auto_type fm__o = (c);                               \
        const __typeof__(*fm__o->fm__type) *fm__v = (from);    \
        fm__chan_send_n(&fm__o->fm__chan, fm__v, (n), (sent)); \
      })
// At least one value, and as many as are there, up to n (which is not 0); how many.
#    define fm_recv_n(c, to, n)                                        \
      ({                                                               \
        __auto_type fm__o = (c);                                       \
        __typeof__(*fm__o->fm__type) *fm__v = (to);                    \
        size_t fm__n = (n);                                            \
        fm__waiter fm__w;                                              \
        fm__chan_recv(&fm__o->fm__chan, fm__v, &fm__w, sizeof *fm__v); \
        1 + fm__chan_try_recv(&fm__o->fm__chan, fm__v + 1, fm__n - 1); \
      })
#    define fm_put(m, ...)                                            \
      ({                                                              \
        __auto_type fm__o = (m);                                      \
        __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__;             \
        fm__waiter fm__w;                                             \
        fm__mvar_put(&fm__o->fm__mvar, &fm__v, &fm__w, sizeof fm__v); \
      }) // waits until it is empty
#    define fm_take(m)                                                 \
      ({                                                               \
        __auto_type fm__o = (m);                                       \
        __typeof__(fm__o->fm__value) fm__v;                            \
        fm__waiter fm__w;                                              \
        fm__mvar_take(&fm__o->fm__mvar, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                         \
      }) // waits until it is full, and leaves it empty
#    define fm_next(e)                                                   \
      ({                                                                 \
        __auto_type fm__o = (e);                                         \
        __typeof__(*fm__o->fm__type) fm__v;                              \
        fm__waiter fm__w;                                                \
        fm__event_next(&fm__o->fm__event, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                           \
      }) // what is emitted next

async void fm__chan_send(fm__chan *c, void *v, fm__waiter *w, size_t size)
    throws(struct fm_closed);
async void fm__chan_recv(fm__chan *c, void *v, fm__waiter *w, size_t size)
    throws(struct fm_closed);
async void
fm__chan_send_n(fm__chan *c, const void *from, size_t n, size_t *sent)
    throws(struct fm_closed);
async void fm__mvar_put(fm__chan *m, void *v, fm__waiter *w, size_t size);
async void fm__mvar_take(fm__chan *m, void *v, fm__waiter *w, size_t size);
async void fm__event_next(fm__event *e, void *v, fm__waiter *w, size_t size);
async void fm__cond_park(fm_cond *c, void *relock, fm__waiter *w);
// until it has been done, or it is to be done by this one
async void fm__once_wait(fm_once *o);
#  endif
#endif
#endif
