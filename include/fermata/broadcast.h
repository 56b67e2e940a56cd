// broadcast.h: values for many: broadcasts, latest values and one-shots. Part of sync.h, whose
// rules hold here as well: first come, first served, cancellable, nothing is lost, usable from
// every domain. Each type is made by a typedef, and needs its init function.
#ifndef FERMATA_BROADCAST_H
#define FERMATA_BROADCAST_H

#include <fermata/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- broadcasts ----
// `typedef fm_broadcast(T) name;` makes a type of broadcast, `typedef fm_subscriber(T) name;` one
// of subscribers to it: each subscriber gets every value that is published after it has subscribed,
// in order. The last values, up to the backlog, are kept.
//
// A subscriber belongs to the program, and may be in another domain than the broadcast. Several
// activities may hear by one subscriber: each value goes to one of them.

// What becomes of a subscriber that has not received the oldest value of a full backlog.
typedef enum fm_slow {
  FM_HOLD, // it holds the publisher, which waits
  FM_LOSE  // it loses the oldest value; fm_missed reports how many
} fm_slow;

typedef struct fm__broadcast {
  fm_domain *owner;
  fm__queue publishers;
  // subscriptions that somebody waits for, and perhaps some others
  struct fm__subscription *waiting, *last_waiting;
  size_t head,
      tail; // the values that are kept: the first one's number; the next one's
  size_t needed;  // FM_HOLD: the first value that a subscriber has not received
  char *ring;     // NULL: none yet; belongs to the domain
  size_t *counts; // FM_HOLD: beside it, how many have not received the value
  size_t mask;    // its room, a power of two, less 1
  size_t backlog, subscribers;
  uint32_t size; // of a value, in bytes
  bool holds, closed;
} fm__broadcast;
typedef struct fm__subscriber {
  struct fm__subscription *subscription; // NULL: it has none
  uint64_t missed;
} fm__subscriber;
#define fm_broadcast(T)          \
  union {                        \
    fm__broadcast fm__broadcast; \
    __typeof__(T) *fm__type;     \
  }
#define fm_subscriber(T)             \
  union {                            \
    fm__subscriber fm__subscriber;   \
    struct {                         \
      __typeof__(T) fm__value;       \
      _Alignas(8) uint64_t fm__lost; \
    } * fm__type;                    \
  }
//: void fm_broadcast_init(fm_broadcast(T) *b, size_t backlog, fm_slow slow)
// Makes a broadcast without subscribers. It keeps up to `backlog` values (at least 1).
#define fm_broadcast_init(b, backlog, slow) \
  fm__broadcast_init(&(b)->fm__broadcast,   \
                     sizeof *(b)->fm__type, \
                     (backlog),             \
                     (slow))
//: void fm_broadcast_close(fm_broadcast(T) *b)
// Closes the broadcast. Publishers that wait, and subscribers that have received every value, are
// thrown struct fm_closed.
#define fm_broadcast_close(b) fm__broadcast_close(&(b)->fm__broadcast)
//: void fm_broadcast_free(fm_broadcast(T) *b)
// Frees the backlog, which otherwise lives as long as the domain. It has no subscribers any more.
#define fm_broadcast_free(b) fm__broadcast_free(&(b)->fm__broadcast)
//: size_t fm_broadcast_subscribers(fm_broadcast(T) *b)
// Returns how many subscribers there are.
#define fm_broadcast_subscribers(b) ((size_t)(b)->fm__broadcast.subscribers)
//: void fm_subscriber_init(fm_subscriber(T) *s, fm_broadcast(T) *b, size_t n)
// Makes s a subscriber. It begins with up to n of the values that were published before, as far as
// they are kept.
#define fm_subscriber_init(s, b, n)                                    \
  ({                                                                   \
    __auto_type fm__o = (b);                                           \
    __auto_type fm__s = (s);                                           \
    __typeof__(fm__s->fm__type->fm__value) *fm__t = NULL;              \
    __typeof__(fm__o->fm__type) fm__v = fm__t;                         \
    (void)fm__v;                                                       \
    fm__subscribe(&fm__o->fm__broadcast, &fm__s->fm__subscriber, (n)); \
  })
//: void fm_subscriber_free(fm_subscriber(T) *s)
// Ends the subscription, which otherwise holds publishers and memory. Nobody waits for it any more.
// A second call has no effect.
#define fm_subscriber_free(s) fm__unsubscribe(&(s)->fm__subscriber)
//: uint64_t fm_missed(fm_subscriber(T) *s)
// Returns how many values the subscriber has lost directly before the last one that it received.
#define fm_missed(s) ((uint64_t)(s)->fm__subscriber.missed)
//: bool fm_try_publish(fm_broadcast(T) *b, T v)
// Publishes without waiting. Returns false if the call would have to wait, or the broadcast is
// closed.
#define fm_try_publish(b, ...)                        \
  ({                                                  \
    __auto_type fm__o = (b);                          \
    __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__; \
    fm__broadcast_try(&fm__o->fm__broadcast, &fm__v); \
  })
//: bool fm_try_hear(fm_subscriber(T) *s, T *to)
// Receives without waiting. Returns false if there is no value.
#define fm_try_hear(s, to)                                      \
  ({                                                            \
    __auto_type fm__o = (s);                                    \
    __typeof__(fm__o->fm__type->fm__value) *fm__to = (to);      \
    __typeof__(*fm__o->fm__type) fm__v;                         \
    bool fm__ok = fm__try_hear(&fm__o->fm__subscriber, &fm__v); \
    if (fm__ok) {                                               \
      *fm__to = fm__v.fm__value;                                \
      fm__o->fm__subscriber.missed = fm__v.fm__lost;            \
    }                                                           \
    fm__ok;                                                     \
  })
void fm__broadcast_init(fm__broadcast *b,
                        size_t size,
                        size_t backlog,
                        fm_slow slow);
void fm__broadcast_close(fm__broadcast *b);
void fm__broadcast_free(fm__broadcast *b);
bool fm__broadcast_try(fm__broadcast *b, const void *v);
void fm__subscribe(fm__broadcast *b, fm__subscriber *s, size_t n);
void fm__unsubscribe(fm__subscriber *s);
bool fm__try_hear(fm__subscriber *s, void *to);

// ---- latest values ----
// `typedef fm_latest(T) name;` makes a type of place that always holds a value, of which only the
// latest counts. An activity that waits for the next value gets the newest one, and no value twice.
// It reads the value when it goes on: until then the place has to live.

typedef struct fm__latest {
  fm_domain *owner;
  fm__queue queue;
  uint64_t number; // of the value, from 1 on
  size_t size;
  void *value; // where it is
} fm__latest;
#define fm_latest(T)         \
  struct {                   \
    fm__latest fm__latest;   \
    __typeof__(T) fm__value; \
  }
//: void fm_latest_init(fm_latest(T) *l, T v)
// Makes the place hold v.
#define fm_latest_init(l, ...)                                            \
  ({                                                                      \
    __auto_type fm__o = (l);                                              \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__;                     \
    fm__latest_init(&fm__o->fm__latest, sizeof fm__v, &fm__o->fm__value); \
    fm__o->fm__value = fm__v;                                             \
  })
//: void fm_latest_set(fm_latest(T) *l, T v)
// Replaces the value. All activities that wait go on.
#define fm_latest_set(l, ...)                         \
  ({                                                  \
    __auto_type fm__o = (l);                          \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__; \
    fm__latest_set(&fm__o->fm__latest, &fm__v);       \
  })
void fm__latest_init(fm__latest *l, size_t size, void *value);
void fm__latest_set(fm__latest *l, const void *v);
// in its own domain: the newest one, which may be newer than what the activity was woken by
void fm__latest_read(fm__latest *l, void *to);

// ---- one-shots ----
// `typedef fm_oneshot(T) name;` makes a type for one value that is given once. Any number of
// activities wait for it, in any domain; later ones get it at once.

typedef struct fm__oneshot {
  fm_domain *owner;
  fm__queue queue;
  int state; // FM__ONESHOT_…; atomic
  size_t size;
  void *value; // where it is, or comes to
} fm__oneshot;
enum { FM__ONESHOT_OPEN, FM__ONESHOT_TAKEN, FM__ONESHOT_SET };
#define fm_oneshot(T)        \
  struct {                   \
    fm__oneshot fm__oneshot; \
    __typeof__(T) fm__value; \
  }
//: void fm_oneshot_init(fm_oneshot(T) *o)
// Makes it one whose value has not been given.
#define fm_oneshot_init(o) \
  fm__oneshot_init(&(o)->fm__oneshot, sizeof(o)->fm__value, &(o)->fm__value)
//: bool fm_oneshot_set(fm_oneshot(T) *o, T v)
// Gives the value. Returns false, and changes nothing, if it has been given before.
#define fm_oneshot_set(o, ...)                        \
  ({                                                  \
    __auto_type fm__o = (o);                          \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__; \
    fm__oneshot_set(&fm__o->fm__oneshot, &fm__v);     \
  })
//: bool fm_oneshot_is_set(fm_oneshot(T) *o)
// Reports whether the value is there: a wait for it does not wait.
#define fm_oneshot_is_set(o) fm__oneshot_is_set(&(o)->fm__oneshot)
void fm__oneshot_init(fm__oneshot *o, size_t size, void *value);
bool fm__oneshot_set(fm__oneshot *o, const void *v);
bool fm__oneshot_is_set(const fm__oneshot *o);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- broadcasts ----

//: async void fm_publish(fm_broadcast(T) *b, T v) throws(struct fm_closed)
// Publishes v. With FM_HOLD it waits until no subscriber lacks the oldest value of a full backlog.
// Throws if the broadcast is closed.
#    define fm_publish(b, ...)                                            \
      ({                                                                  \
        __auto_type fm__o = (b);                                          \
        __typeof__(*fm__o->fm__type) fm__v = __VA_ARGS__;                 \
        fm__far_waiter fm__w;                                             \
        fm__publish(&fm__o->fm__broadcast, &fm__v, &fm__w, sizeof fm__v); \
      })
//: async T fm_hear(fm_subscriber(T) *s) throws(struct fm_closed)
// Receives the subscriber's next value; waits until there is one. Throws if the broadcast is closed
// and the subscriber has received every value.
#    define fm_hear(s)                                                  \
      ({                                                                \
        __auto_type fm__o = (s);                                        \
        __typeof__(*fm__o->fm__type) fm__v;                             \
        fm__far_waiter fm__w;                                           \
        fm__hear(&fm__o->fm__subscriber, &fm__v, &fm__w, sizeof fm__v); \
        fm__o->fm__subscriber.missed = fm__v.fm__lost;                  \
        fm__v.fm__value;                                                \
      })
//: async bool fm_hear_or_closed(fm_subscriber(T) *s, T *to)
// Receives into `*to`. Returns false where fm_hear would throw:
// `while (fm_hear_or_closed(&s, &v)) …`.
#    define fm_hear_or_closed(s, to)                                      \
      ({                                                                  \
        __auto_type fm__o = (s);                                          \
        __typeof__(fm__o->fm__type->fm__value) *fm__to = (to);            \
        __typeof__(*fm__o->fm__type) fm__v;                               \
        fm__far_waiter fm__w;                                             \
        bool fm__ok = true;                                               \
        try {                                                             \
          fm__hear(&fm__o->fm__subscriber, &fm__v, &fm__w, sizeof fm__v); \
          fm__o->fm__subscriber.missed = fm__v.fm__lost;                  \
          *fm__to = fm__v.fm__value;                                      \
        } catch (struct fm_closed fm__e) {                                \
          fm__ok = false;                                                 \
        }                                                                 \
        fm__ok;                                                           \
      })

// ---- latest values ----

//: async T fm_latest_get(fm_latest(T) *l)
// Returns the value. It does not wait, except for the answer of another domain.
#    define fm_latest_get(l)          \
      ({                              \
        uint64_t fm__seen = 0;        \
        fm_latest_next(l, &fm__seen); \
      })
//: async T fm_latest_next(fm_latest(T) *l, uint64_t *seen)
// Returns the newest value, and notes in `*seen` which one that is; waits while it is the one that
// `*seen` notes. With 0 in `*seen` it has seen none.
#    define fm_latest_next(l, seen)                                        \
      ({                                                                   \
        __auto_type fm__l = (l);                                           \
        uint64_t *fm__n = (seen);                                          \
        struct {                                                           \
          __typeof__(fm__l->fm__value) value;                              \
          _Alignas(8) uint64_t number;                                     \
        } fm__v;                                                           \
        fm__far_waiter fm__w;                                              \
        fm__v.number = *fm__n;                                             \
        fm__latest_next(&fm__l->fm__latest, &fm__v, &fm__w, sizeof fm__v); \
        fm__latest_read(&fm__l->fm__latest, &fm__v);                       \
        *fm__n = fm__v.number;                                             \
        fm__v.value;                                                       \
      })

// ---- one-shots ----

//: async T fm_oneshot_wait(fm_oneshot(T) *o)
// Waits for the value and returns it.
#    define fm_oneshot_wait(o)                                               \
      ({                                                                     \
        __auto_type fm__o = (o);                                             \
        __typeof__(fm__o->fm__value) fm__v;                                  \
        fm__far_waiter fm__w;                                                \
        fm__oneshot_wait(&fm__o->fm__oneshot, &fm__v, &fm__w, sizeof fm__v); \
        fm__v;                                                               \
      })

async void
fm__publish(fm__broadcast *b, void *v, fm__far_waiter *w, size_t size)
    throws(struct fm_closed);
async void fm__hear(fm__subscriber *s, void *v, fm__far_waiter *w, size_t size)
    throws(struct fm_closed);
async void
fm__latest_next(fm__latest *l, void *v, fm__far_waiter *w, size_t size);
async void
fm__oneshot_wait(fm__oneshot *o, void *v, fm__far_waiter *w, size_t size);
#  endif
#endif

// for generated code, see abi-chan.h
#ifndef __cplusplus
void fm__publish__fm_last(
    fm_domain *c, fm__broadcast *o, void *v, fm__far_waiter *w, size_t size);
void fm__hear__fm_last(
    fm_domain *c, fm__subscriber *o, void *v, fm__far_waiter *w, size_t size);
void fm__latest_next__fm_last(
    fm_domain *c, fm__latest *o, void *v, fm__far_waiter *w, size_t size);
#endif
#endif
