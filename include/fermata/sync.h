// sync.h: objects with which activities wait for each other: channels, MVars, semaphores, rate
// limiters, mutexes, conditions, events, wait groups, once; with broadcast.h: broadcasts, latest
// values, one-shots. (Threads that are no domains use the mailboxes of agent.h.)
//
// All of them are plain objects of the program. Zeroed memory is a semaphore of 0, an open mutex, a
// condition, a wait group of 0, a once that has not run. Rate limiters need their init function.
// MVars, channels and events are made for a type by a typedef, and need theirs too:
//
//     typedef fm_chan(int) int_chan;
//     int_chan c;
//     fm_chan_init(&c, 0);
//
// * Waiters are served first come, first served. A value, permit or lock is handed to the waiter:
//   no other activity can come in between.
// * A wait that is cancelled has had no effect. A wait that has been served is not lost if a cancel
//   comes later.
// * An arm of `race` wins in the step in which its last wait is over, and the other arms are
//   withdrawn in that step: no value is lost and none is taken twice, whatever domains the objects
//   belong to. The wait may stand in a function that the arm calls, at any depth, if no function
//   on the way can wait again, `yield` or start an activity before it ends, handlers included:
//   `return fm_recv(c);`, `int v = fm_recv(c); return v;` and `return c ? fm_recv(c) : never();`
//   are such functions. An arm that can wait again, or that ends a `scope` or a `race` around the
//   wait, wins when it ends; the value that it received is lost if another arm has won by then. An
//   arm inside a `shield` is not withdrawn: it receives. (fm_cond_wait is more than one wait, but
//   loses no signal.)
// * An arm that another one beats while it computes does nothing more that others notice: it
//   unwinds at its next `await`, and instead of its last operation.
// * An operation that need not wait neither pauses nor allocates, except that a channel's buffer
//   grows as it is needed.
// * In an `atomic` they work as well. A wait there for something that only a held activity could
//   do is a deadlock, and is reported.
// * An object may not be freed, initialised again, or leave its scope, while an activity waits for
//   it. A mistake of this kind that is noticed ends the program with a message (docs/debugging.md).
// * A value is given as the initialiser of a variable is: `fm_send(&c, (struct point){ 1, 2 })` and
//   `fm_send(&c, { 1, 2 })` both work. A wrong type is an error at the line of the call.
// * Mutexes, conditions and once are for activities of one domain. All other objects can be used
//   from every domain; each belongs to one (docs/api/sync.md, "Between domains").
#ifndef FERMATA_SYNC_H
#define FERMATA_SYNC_H

#include <fermata.h>
#include <fermata/abi-node.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- internal: how an activity waits ----

// A queue is made of activities, linked by fm_node.link. Beyond the last stands the queue itself,
// with the low bit set.
typedef struct fm__queue {
  fm_node *first;
} fm__queue;
#define fm__beyond(q) ((fm_node *)((uintptr_t)(q) + 1)) // see park.h

// What else there is of an activity in a queue, in the frame of the function that waits. Of `word`:
//     bits 48…63   how far from here its value is, or comes to; 0: this is in a fm__far_waiter
//     bits 4…47    the activity before it; of the first: the last; if it is alone: void
//     bits 1…3     what it waits for, FM__FOR_SEND …; the same in a whole queue
//     bit 0        set, so that it is not the address of a fm__wait_kind
typedef union fm__waiter {
  uint64_t word;
  struct {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t low;
    uint16_t high;
    int16_t far;
#else
    int16_t far;
    uint16_t high;
    uint32_t low;
#endif
  } part;
} __attribute__((aligned(8))) fm__waiter; // for the low bits of fm_node.waits
#define FM__FAR_FROM(w, v) ((const char *)(v) - (const char *)(w))
// A waiter with a value elsewhere, or for rare things.
typedef struct fm__far_waiter {
  void *value;
  // with the low bit set: the library has made this, and frees it
  uintptr_t kind;
  fm__waiter w;
} fm__far_waiter;
// OTHER: it is in a fm__far_waiter, which has its kind.
enum {
  FM__OTHER,
  FM__FOR_SEND,
  FM__FOR_RECEIVE,
  FM__FOR_PUT,
  FM__FOR_TAKE,
  FM__FOR_HEAR,
  FM__FOR_GET
};

// A queue of waiters of different weight; see runtime/wait/permits.c.
typedef struct fm__line {
  fm__queue queue;
  struct fm__line
      *next; // in the domain's list of lines that may go on; NULL: in none
  void (*serve)(void); // while the line is in that list
} fm__line;
typedef struct fm__timeout { // of the shape of the runtime's fm__alarm
  struct fm__timeout *next, *prev;
  uint64_t deadline;
  void (*fire)(void);
} fm__timeout;

// ---- semaphores ----

typedef struct fm_sem {
  fm__line fm__line;
  size_t fm__n;
  fm_domain *fm__owner;
} fm_sem;
// Sets the number of permits.
void fm_sem_init(fm_sem *s, unsigned n);
// Gives a permit back: the activity that has waited longest gets it.
void fm_sem_post(fm_sem *s);
// Gives n permits back: the activities that have waited longest get them, as far as they reach.
void fm_sem_post_n(fm_sem *s, size_t n);
// Takes a permit if there is one and nobody waits; otherwise returns false.
bool fm_sem_try_wait(fm_sem *s);
// Takes n permits if there are so many and nobody waits; otherwise takes none and returns false.
bool fm_sem_try_wait_n(fm_sem *s, size_t n);
// Returns how many permits can be taken without waiting.
size_t fm_sem_value(const fm_sem *s);

// ---- rate limiters ----
// A rate limiter is a bucket of tokens. Tokens come at a steady rate, up to a limit, the burst. The
// clock is that of the domain that the limiter belongs to.

typedef struct fm_limiter {
  fm__line fm__line;
  fm_domain *fm__owner;
  fm__timeout
      fm__next; // set while an activity waits: the moment when it has its tokens
  uint64_t fm__rate, fm__period; // tokens in so many nanoseconds
  uint64_t fm__burst;
  // what is in the bucket: tokens, and a part of one, in tokens / period
  uint64_t fm__tokens, fm__part;
  uint64_t fm__when; // at this moment
} fm_limiter;
// Makes a limiter that lets `tokens` through every `ms` milliseconds (neither is 0) and holds up to
// `burst` (at least 1). At first it is full.
void fm_limiter_init(fm_limiter *l,
                     uint64_t tokens,
                     uint64_t ms,
                     uint64_t burst);
// Takes n tokens if there are so many and nobody waits; otherwise takes none and returns false.
bool fm_limiter_try(fm_limiter *l, uint64_t n);
// Returns how many tokens can be taken without waiting.
uint64_t fm_limiter_value(fm_limiter *l);
// Gives n tokens back that were taken and not used. The bucket does not overflow.
void fm_limiter_give_back(fm_limiter *l, uint64_t n);

// ---- mutexes ----
// A mutex protects data across pauses. Between two pauses an activity has the data to itself and
// needs none.

typedef struct fm_mutex {
  fm__queue fm__q;
  fm_activity fm__owner;
  // For reports, where it was locked: a state of that function, or, with NULL, an address of code.
  const fm_code *fm__code;
  uintptr_t fm__where;
} fm_mutex;
// Makes the mutex an open one.
void fm_mutex_init(fm_mutex *m);
// Unlocks; the activity that has waited longest gets the mutex. Only the activity that holds the
// mutex may unlock it, otherwise the program ends with a message; if that activity has ended, any
// may. So `race { case fm_lock(&m): …; fm_unlock(&m); case fm_sleep(10): … }` is a lock with a time
// limit.
void fm_unlock(fm_mutex *m);
// Locks if nobody holds the mutex; otherwise returns false.
bool fm_try_lock(fm_mutex *m);

// ---- conditions ----

typedef struct fm_cond {
  fm__queue fm__q;
} fm_cond;
// Makes the condition one that nobody waits for.
void fm_cond_init(fm_cond *c);
// Wakes the activity that has waited longest; without effect if nobody waits. From this step on the
// activity stands in the queue of the mutex. If it is cancelled before it goes on, or stands in an
// arm that loses its race, the next waiter gets the signal: no signal is lost.
void fm_cond_signal(fm_cond *c);
// Wakes all activities that wait.
void fm_cond_broadcast(fm_cond *c);
typedef struct fm__relock { // of a waiter; in the frame of fm_cond_wait
  fm_cond *cond;
  fm_mutex *mutex; // it holds this mutex when it goes on
  bool signalled;  // by fm_cond_signal, not by a broadcast
  bool timed;      // it is part of a fm__relock_for
} fm__relock;
typedef struct fm__relock_for {
  fm__relock relock;
  fm_node *node;       // the activity that waits
  fm__timeout timeout; // set while it waits for the condition
  bool late;           // it came before a signal
} fm__relock_for;

// ---- wait groups ----
// A wait group counts things that are still to be done.

typedef struct fm_wait_group {
  fm__queue fm__q;
  size_t fm__n;
  fm_domain *fm__owner;
} fm_wait_group;
// Sets the count to 0.
void fm_wait_group_init(fm_wait_group *g);
// Adds n to the count.
void fm_wait_group_add(fm_wait_group *g, size_t n);
// Takes one from the count. At 0, all activities that wait go on.
void fm_wait_group_done(fm_wait_group *g);

// ---- once ----

typedef struct fm_once {
  fm__queue fm__q;
  int fm__state;
} fm_once; // state: FM__ONCE_…
enum { FM__ONCE_NO, FM__ONCE_RUNS, FM__ONCE_DONE };
void fm__once_end(fm_once *o, bool done); // not done: the next one tries

// ---- channels ----
// `typedef fm_chan(T) name;` makes a type of channel: values of one type, in order.

#define FM_UNBOUNDED SIZE_MAX // a capacity: fm_send never waits
typedef struct fm__chan {
  fm_domain *owner; // NULL: the first domain that uses it will own it
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
  // capacity 0, not closed, and no value is in it: an activity without a partner waits
  bool direct;
  uintptr_t made; // for reports: the code that has initialised it
} fm__chan;
#define fm__owner_of(c) __atomic_load_n(&(c)->owner, __ATOMIC_ACQUIRE)
#define fm_chan(T)           \
  union {                    \
    fm__chan fm__chan;       \
    __typeof__(T) *fm__type; \
  }
//: void fm_chan_init(fm_chan(T) *c, size_t capacity)
// Makes the channel empty and open. Capacity 0: a send waits for its receive; FM_UNBOUNDED: a send
// never waits.
#define fm_chan_init(c, cap) \
  fm__chan_init(&(c)->fm__chan, sizeof *(c)->fm__type, (cap))
//: void fm_chan_close(fm_chan(T) *c)
// Closes the channel. All activities that wait are thrown struct fm_closed; values in the channel
// can still be received. Closing it once more does nothing.
#define fm_chan_close(c) fm__chan_close(&(c)->fm__chan)
//: void fm_chan_free(fm_chan(T) *c)
// Frees the buffer, which otherwise lives as long as the domain. Nobody may wait.
#define fm_chan_free(c) fm__chan_free(&(c)->fm__chan)
//: bool fm_chan_closed(fm_chan(T) *c)
//: size_t fm_chan_count(fm_chan(T) *c)
// Return whether the channel is closed, and how many values are in it.
#define fm_chan_closed(c) ((bool)(c)->fm__chan.closed)
#define fm_chan_count(c) ((size_t)((c)->fm__chan.tail - (c)->fm__chan.head))

//: bool fm_try_send(fm_chan(T) *c, T v)
//: bool fm_try_recv(fm_chan(T) *c, T *to)
// Send or receive without waiting. Return false if the call would have to wait. A closed channel
// takes no value; values that are left in it can be received.
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
//: size_t fm_try_send_n(fm_chan(T) *c, const T *from, size_t n)
//: size_t fm_try_recv_n(fm_chan(T) *c, T *to, size_t n)
// The same for up to n values; return how many.
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
bool fm__chan_try_send_one(fm__chan *c, const void *from);
bool fm__chan_try_recv_one(fm__chan *c, void *to);

// ---- MVars ----
// `typedef fm_mvar(T) name;` makes a type of place for one value, full or empty.

#define fm_mvar(T)           \
  struct {                   \
    fm__chan fm__mvar;       \
    __typeof__(T) fm__value; \
  }
//: void fm_mvar_init(fm_mvar(T) *m)
// Makes the place empty.
#define fm_mvar_init(m) \
  fm__mvar_init(&(m)->fm__mvar, sizeof(m)->fm__value, &(m)->fm__value)
//: bool fm_mvar_full(fm_mvar(T) *m)
// Returns whether the place is full.
#define fm_mvar_full(m) ((m)->fm__mvar.tail != (m)->fm__mvar.head)
//: bool fm_try_put(fm_mvar(T) *m, T v)
//: bool fm_try_take(fm_mvar(T) *m, T *to)
// Put or take without waiting. Return false if the call would have to wait.
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

// ---- events ----
// `typedef fm_event(T) name;` makes a type of event: a value for all activities that wait at that
// moment.

typedef struct fm__event {
  fm__queue queue;
  fm_domain *owner;
} fm__event;
#define fm_event(T)          \
  union {                    \
    fm__event fm__event;     \
    __typeof__(T) *fm__type; \
  }
//: void fm_event_init(fm_event(T) *e)
// Makes the event one that nobody waits for.
#define fm_event_init(e) fm__event_init(&(e)->fm__event)
//: size_t fm_emit(fm_event(T) *e, T v)
// Gives v to all activities that wait in fm_next. Returns how many these are.
#define fm_emit(e, ...)                                      \
  ({                                                         \
    __auto_type fm__o = (e);                                 \
    __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__;        \
    fm__event_emit(&fm__o->fm__event, &fm__v, sizeof fm__v); \
  })
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

// ---- semaphores ----

// Takes a permit; waits until there is one.
async void fm_sem_wait(fm_sem *s);
// Takes n permits in one step; waits until there are so many. Activities are served in the order in
// which they came, whatever they want: one that wants many is not overtaken by those that want few.
// When it is cancelled, those after it go on in that step, as far as the permits reach.
async void fm_sem_wait_n(fm_sem *s, size_t n);

// ---- rate limiters ----

// Takes a token; waits until there is one.
async void fm_limiter_wait(fm_limiter *l);
// Takes n tokens in one step; waits until there are so many, also if the bucket does not hold so
// many. Activities are served in the order in which they came. A wait that is cancelled has taken
// nothing: those after it move up.
async void fm_limiter_wait_n(fm_limiter *l, uint64_t n);

// ---- mutexes ----

// Locks; waits until the mutex is free. A second lock by the activity that holds the mutex is a
// deadlock.
async void fm_lock(fm_mutex *m);

// ---- conditions ----

// Unlocks m, waits for a signal, and locks m again. It has locked m also when it is cancelled; the
// next waiter then gets the signal, if there was one.
async void fm_cond_wait(fm_cond *c, fm_mutex *m);
// The same for at most ms milliseconds. Returns false if no signal came in that time. It has locked
// m in any case, which may take longer. A signal that came in time counts, however long the lock
// takes.
async bool fm_cond_wait_for(fm_cond *c, fm_mutex *m, uint64_t ms);

// ---- wait groups ----

// Waits until the count is 0; does not wait if it is.
async void fm_wait_group_wait(fm_wait_group *g);

// ---- once ----

// Calls fn(arg) if no call for this object has ended; otherwise waits until the running call has
// ended. If fn is cancelled, the next activity calls it.
async void fm_call_once(fm_once *o, async void (*fn)(void *), void *arg);

// ---- channels ----

//: async void fm_send(fm_chan(T) *c, T v) throws(struct fm_closed)
// Sends v; waits until the channel has room or, with capacity 0, a receiver. Throws if the channel
// is closed.
#    define fm_send(c, ...)                               \
      ({                                                  \
        __auto_type fm__o = (c);                          \
        __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__; \
        fm__waiter fm__w;                                 \
        fm__chan_send(&fm__o->fm__chan,                   \
                      &fm__v,                             \
                      &fm__w,                             \
                      sizeof fm__v,                       \
                      FM__FAR_FROM(&fm__w, &fm__v));      \
      })
//: async T fm_recv(fm_chan(T) *c) throws(struct fm_closed)
// Receives the next value; waits until there is one. Throws if the channel is closed and empty.
#    define fm_recv(c)                               \
      ({                                             \
        __auto_type fm__o = (c);                     \
        __typeof__(*fm__o->fm__type) fm__v;          \
        fm__waiter fm__w;                            \
        fm__chan_recv(&fm__o->fm__chan,              \
                      &fm__v,                        \
                      &fm__w,                        \
                      sizeof fm__v,                  \
                      FM__FAR_FROM(&fm__w, &fm__v)); \
        fm__v;                                       \
      })
//: async bool fm_recv_or_closed(fm_chan(T) *c, T *to)
// Receives the next value into `*to`; waits until there is one. Returns false if the channel is
// closed and empty: `while (fm_recv_or_closed(&c, &v)) …`.
#    define fm_recv_or_closed(c, to)                             \
      ({                                                         \
        __auto_type fm__o = (c);                                 \
        __typeof__(fm__o->fm__type) fm__v = (to);                \
        __typeof__(*fm__o->fm__type) fm__value;                  \
        fm__waiter fm__w;                                        \
        bool fm__ok = true;                                      \
        try {                                                    \
          fm__chan_recv(&fm__o->fm__chan,                        \
                        &fm__value,                              \
                        &fm__w,                                  \
                        sizeof fm__value,                        \
                        FM__FAR_FROM(&fm__w, &fm__value));       \
          __builtin_memcpy(fm__v, &fm__value, sizeof fm__value); \
        } catch (struct fm_closed fm__e) {                       \
          fm__ok = false;                                        \
        }                                                        \
        fm__ok;                                                  \
      })
//: async void fm_send_n(fm_chan(T) *c, const T *from, size_t n, size_t *sent)
//:     throws(struct fm_closed)
// Sends n values, one after the other; each may wait. `*sent` is the number of values sent, also
// when the call throws or is cancelled; `sent` may be NULL.
#    define fm_send_n(c, from, n, sent)                        \
      ({                                                       \
        __auto_type fm__o = (c);                               \
        const __typeof__(*fm__o->fm__type) *fm__v = (from);    \
        fm__chan_send_n(&fm__o->fm__chan, fm__v, (n), (sent)); \
      })
//: async size_t fm_recv_n(fm_chan(T) *c, T *to, size_t n) throws(struct fm_closed)
// Waits for one value, then takes what else is there, up to n values (n is not 0). Returns how
// many.
#    define fm_recv_n(c, to, n)                                        \
      ({                                                               \
        __auto_type fm__o = (c);                                       \
        __typeof__(*fm__o->fm__type) *fm__v = (to);                    \
        __typeof__(*fm__o->fm__type) fm__value;                        \
        size_t fm__n = (n);                                            \
        fm__waiter fm__w;                                              \
        fm__chan_recv(&fm__o->fm__chan,                                \
                      &fm__value,                                      \
                      &fm__w,                                          \
                      sizeof fm__value,                                \
                      FM__FAR_FROM(&fm__w, &fm__value));               \
        __builtin_memcpy(fm__v, &fm__value, sizeof fm__value);         \
        1 + fm__chan_try_recv(&fm__o->fm__chan, fm__v + 1, fm__n - 1); \
      })

// ---- MVars ----

//: async void fm_put(fm_mvar(T) *m, T v)
// Fills the place with v; waits until it is empty.
#    define fm_put(m, ...)                                            \
      ({                                                              \
        __auto_type fm__o = (m);                                      \
        __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__;             \
        fm__waiter fm__w;                                             \
        fm__mvar_put(&fm__o->fm__mvar, &fm__v, &fm__w, sizeof fm__v); \
      })
//: async T fm_take(fm_mvar(T) *m)
// Empties the place and returns its value; waits until it is full.
#    define fm_take(m)                                                 \
      ({                                                               \
        __auto_type fm__o = (m);                                       \
        __typeof__(fm__o->fm__value) fm__v;                            \
        fm__waiter fm__w;                                              \
        fm__mvar_take(&fm__o->fm__mvar, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                         \
      })

// ---- events ----

//: async T fm_next(fm_event(T) *e)
// Waits for the next fm_emit and returns its value.
#    define fm_next(e)                                                   \
      ({                                                                 \
        __auto_type fm__o = (e);                                         \
        __typeof__(*fm__o->fm__type) fm__v;                              \
        fm__waiter fm__w;                                                \
        fm__event_next(&fm__o->fm__event, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                           \
      })

async void
fm__chan_send(fm__chan *c, void *v, fm__waiter *w, size_t size, ptrdiff_t far)
    throws(struct fm_closed);
async void
fm__chan_recv(fm__chan *c, void *v, fm__waiter *w, size_t size, ptrdiff_t far)
    throws(struct fm_closed);
// As fm__chan_send, for a channel that is not closed while anything may send.
async void
fm__chan_give(fm__chan *c, void *v, fm__waiter *w, size_t size, ptrdiff_t far);
async void
fm__chan_send_n(fm__chan *c, const void *from, size_t n, size_t *sent)
    throws(struct fm_closed);
async void fm__mvar_put(fm__chan *m, void *v, fm__waiter *w, size_t size);
async void fm__mvar_take(fm__chan *m, void *v, fm__waiter *w, size_t size);
async void fm__event_next(fm__event *e, void *v, fm__waiter *w, size_t size);
async void fm__cond_park(fm_cond *c, void *relock, fm__far_waiter *w);
async void
fm__cond_park_for(fm_cond *c, void *relock_for, fm__far_waiter *w, size_t ms);
// until it has been done, or it is to be done by this one
async void fm__once_wait(fm_once *o);
#  endif
#endif

#include <fermata/broadcast.h>

#endif
