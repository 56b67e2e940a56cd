// stream.h: streams: values of one type that come one after the other, and operators that make
// streams of streams.
//
//     typedef fm_stream(int) ints;
//     static async int square(int x) { return x * x; }
//
//     ints squares = fm_stream_map(ints, fm_stream_of(ints, 1, 2, 3, 4), square);
//     fm_for_each (x, fm_stream_take(squares, 3))
//       printf("%d\n", x);
//
// A stream is a description: its source, and the operators on it. Nothing runs before the stream is
// consumed, and each consumer has a run of its own. A stream is consumed by pulling: the consumer
// asks for a value, the operator asks its input, and so on up to the source; any of them may wait.
// So `map`, `filter`, `take` and all others that look at one value at a time are calls within the
// activity of the consumer: they cost no switch, and the source is never ahead. Operators that wait
// for several things at once (`merge`, `zip`, `combine_latest`, `take_until`, `switch_map`,
// `merge_map`, `exhaust_map`, `group_by`, `with_latest_from`, `sample`, `timeout`, `delay`,
// `debounce`, `hold`, those that count by time, `generate`) run each input in an activity of its
// own, a child of the scope or activity in which the stream was opened. Such an input has at most
// one value ready, and waits until that is taken.
//
// * Back-pressure: a slow consumer slows its producers, down to the source. Values are dropped only
//   by operators that say so: `throttle`, `debounce`, `sample`, `with_latest_from`, `switch_map`,
//   `exhaust_map`, `hold` with `FM_DROP_…`, and `from_event`, whose source cannot wait.
// * Errors: an error of a source or a function reaches the consumer, after the values before it,
//   and ends the stream. `catch` and `retry` act on it. With several inputs the first error ends
//   all; it may come before values of other inputs that were due at the same moment. A source that
//   is cancelled by itself, not by its consumer, throws `struct fm_cancelled` in the consumer.
// * Cancel, pause, resume: an activity consumes; `fm_cancel`, `fm_pause` and `fm_resume` of it
//   reach all activities that run for the stream. When a stream is left, by its end, an error, a
//   cancel,
//   `break` or `return`, all that ran for it has unwound before the consumer goes on.
// * Ownership: the operator or consumer that is given a stream owns it. `fm_stream_keep` gives a
//   stream for one more use, `fm_stream_drop` is for a stream that is not used. A forgotten stream
//   is freed with the domain.
// * The functions that operators are given may be async or plain, may throw, and may take one more
//   argument, of any type, which is given after them and copied: `fm_stream_map(ints, s, scaled,
//   10)` calls `scaled(x, 10)`. Types are checked at the line of the call; values are converted as
//   in an assignment.
// * S, S2 and R are types of streams: R is that of the result, where it can differ from the
//   input's.
// * Counts and times are not negative: a negative one ends the program with a message.
// * Streams belong to the domain in which they are made. In an `atomic` only streams that run
//   nothing by themselves can be consumed.
#ifndef FERMATA_STREAM_H
#define FERMATA_STREAM_H

#include <fermata/sync.h>
#include <fermata/time.h>

#ifdef __cplusplus
extern "C" {
#endif

// a description, or one that is open; counts its references
typedef struct fm__stream fm__stream;
#define fm_stream(T)            \
  struct {                      \
    fm__stream *fm__stream;     \
    __typeof__(T) *fm__type[0]; \
  }

// ---- consumers ----

//: S fm_stream_keep(S s)
// Returns s for one more use.
#define fm_stream_keep(s)               \
  ({                                    \
    __auto_type fm__in = (s);           \
    fm__stream_keep(fm__in.fm__stream); \
    fm__in;                             \
  })
//: void fm_stream_drop(S s)
// Gives up a stream that is not used.
#define fm_stream_drop(s) fm__stream_drop((s).fm__stream)
fm__stream *fm__stream_keep(fm__stream *s);
void fm__stream_drop(fm__stream *s);

// ---- internal: making of descriptions; `in` and all streams of `ins` are taken over ----

#define FM__ELEMENT(R) __typeof__(*((R *)0)->fm__type[0])
#define FM__SIZE(R) sizeof *((R *)0)->fm__type[0]
#define FM__SAME(a, b)                                                       \
  _Static_assert(__builtin_types_compatible_p(__typeof__(a), __typeof__(b)), \
                 "these have elements of different types")
#define FM__MAKE(R, s) ((R){ .fm__stream = (s) })
// n, a count or a time; a negative one ends the program
#define FM__COUNT(what, n)                                                     \
  ({                                                                           \
    __auto_type fm__n = (n);                                                   \
    fm__stream_count((uint64_t)fm__n, (__typeof__(fm__n))-1 < 1, "fm_" #what); \
  })
uint64_t fm__stream_count(uint64_t n, bool is_signed, const char *what);
fm__stream *fm__stream_array(size_t size, const void *at, size_t n);
fm__stream *fm__stream_interval(uint64_t ms);
fm__stream *fm__stream_timer(uint64_t ms);
fm__stream *fm__stream_chan(size_t size, fm__chan *c);
fm__stream *fm__stream_event(size_t size, fm__event *e, size_t room);
fm__stream *fm__stream_take(fm__stream *in, uint64_t n);
fm__stream *fm__stream_skip(fm__stream *in, uint64_t n);
fm__stream *fm__stream_distinct(fm__stream *in);
fm__stream *fm__stream_changed(fm__stream *in);
// ms 0: no limit
fm__stream *fm__stream_buffer(fm__stream *in,
                              size_t size,
                              size_t count,
                              size_t at,
                              size_t room,
                              uint64_t ms);
fm__stream *fm__stream_throttle(fm__stream *in, uint64_t ms);
fm__stream *fm__stream_debounce(fm__stream *in, uint64_t ms);
fm__stream *fm__stream_hold(fm__stream *in, size_t n, int how);
fm__stream *fm__stream_retry(fm__stream *in, unsigned n);
fm__stream *fm__stream_take_until(fm__stream *in, fm__stream *stop);
fm__stream *fm__stream_sample(fm__stream *in, fm__stream *when);
fm__stream *fm__stream_delay(fm__stream *in, uint64_t ms);
fm__stream *fm__stream_timeout(fm__stream *in, uint64_t ms);
fm__stream *fm__stream_share(fm__stream *in, uint64_t room);
// size: of an element; stamp, value: their offsets in it
fm__stream *
fm__stream_timestamp(fm__stream *in, size_t size, size_t stamp, size_t value);
// size: of an element
fm__stream *fm__stream_merge(size_t size, const void *ins, size_t n);
fm__stream *fm__stream_concat(size_t size, const void *ins, size_t n);
fm__stream *fm__stream_marbles(const char *text);
fm__stream *fm__stream_name(fm__stream *s, const char *name);

// ---- sources ----

typedef fm_stream(uint64_t) fm_numbers;
//: R fm_stream_of(R, v, …)
// A stream of these values.
#define fm_stream_of(R, ...)                                                  \
  ({                                                                          \
    FM__ELEMENT(R) fm__v[] = { __VA_ARGS__ };                                 \
    FM__MAKE(                                                                 \
        R, fm__stream_array(FM__SIZE(R), fm__v, sizeof fm__v / FM__SIZE(R))); \
  })
//: R fm_stream_empty(R)
// A stream without values.
#define fm_stream_empty(R) FM__MAKE(R, fm__stream_array(FM__SIZE(R), NULL, 0))
//: R fm_stream_from_array(R, const T *array, size_t n)
// A stream of n values, which are copied now.
#define fm_stream_from_array(R, array, n)                        \
  ({                                                             \
    const FM__ELEMENT(R) *fm__v = (array);                       \
    FM__SAME(FM__ELEMENT(R), *(array));                          \
    FM__MAKE(R,                                                  \
             fm__stream_array(FM__SIZE(R),                       \
                              fm__v,                             \
                              FM__COUNT(stream_from_array, n))); \
  })
//: fm_numbers fm_stream_interval(uint64_t ms)
// A stream of uint64_t: 0, 1, 2 …, one every ms from the moment it is opened. Missed moments are
// left out.
#define fm_stream_interval(ms) \
  FM__MAKE(fm_numbers, fm__stream_interval(FM__COUNT(stream_interval, ms)))
//: fm_numbers fm_stream_timer(uint64_t ms)
// A stream of one uint64_t: 0, after ms.
#define fm_stream_timer(ms) \
  FM__MAKE(fm_numbers, fm__stream_timer(FM__COUNT(stream_timer, ms)))
//: R fm_stream_from_chan(R, fm_chan(T) *c)
// The values that are received from the channel until it is closed. The channel has to live as long
// as the stream is in use.
#define fm_stream_from_chan(R, c)                                \
  ({                                                             \
    __auto_type fm__o = (c);                                     \
    FM__SAME(*fm__o->fm__type, FM__ELEMENT(R));                  \
    FM__MAKE(R, fm__stream_chan(FM__SIZE(R), &fm__o->fm__chan)); \
  })
//: R fm_stream_from_event(R, fm_event(T) *e, size_t room)
// The values that are emitted while the stream is open. Of values that have not been taken, the
// newest `room` are held. The event has to live as long as the stream is in use.
#define fm_stream_from_event(R, e, room)                            \
  ({                                                                \
    __auto_type fm__o = (e);                                        \
    FM__SAME(*fm__o->fm__type, FM__ELEMENT(R));                     \
    FM__MAKE(R,                                                     \
             fm__stream_event(FM__SIZE(R),                          \
                              &fm__o->fm__event,                    \
                              FM__COUNT(stream_from_event, room))); \
  })

// ---- operators on one stream ----
// `fm_stream_take` and `fm_stream_take_while` close their input as soon as they have what they
// need.

#define FM__LIKE(s, made)       \
  ({                            \
    __auto_type fm__in = (s);   \
    fm__in.fm__stream = (made); \
    fm__in;                     \
  })
//: S fm_stream_take(S s, uint64_t n)
// The first n values.
#define fm_stream_take(s, n) \
  FM__LIKE(s, fm__stream_take(fm__in.fm__stream, FM__COUNT(stream_take, n)))
//: S fm_stream_skip(S s, uint64_t n)
// All values but the first n.
#define fm_stream_skip(s, n) \
  FM__LIKE(s, fm__stream_skip(fm__in.fm__stream, FM__COUNT(stream_skip, n)))

//: S fm_stream_distinct(S s)
// Each value once. Values are compared by their bytes; padding in structures counts, so use
// fm_stream_distinct_by for structures. The operator keeps all values that it has seen, without a
// limit.
#define fm_stream_distinct(s) \
  FM__LIKE(s, fm__stream_distinct(fm__in.fm__stream))
//: S fm_stream_changed(S s)
// The values that differ, by their bytes, from the value before.
#define fm_stream_changed(s) FM__LIKE(s, fm__stream_changed(fm__in.fm__stream))
//: S fm_stream_throttle(S s, uint64_t ms)
// After each value, drops the values that come within ms.
#define fm_stream_throttle(s, ms)                 \
  FM__LIKE(s,                                     \
           fm__stream_throttle(fm__in.fm__stream, \
                               FM__COUNT(stream_throttle, ms)))

// ---- operators on several streams, and time ----

//: S fm_stream_take_until(S s, S2 t)
// The values of s until t has a value.
#define fm_stream_take_until(s, stop) \
  FM__LIKE(s, fm__stream_take_until(fm__in.fm__stream, (stop).fm__stream))
//: S fm_stream_debounce(S s, uint64_t ms)
// The last value, when no other has come for ms or s has ended.
#define fm_stream_debounce(s, ms)                 \
  FM__LIKE(s,                                     \
           fm__stream_debounce(fm__in.fm__stream, \
                               FM__COUNT(stream_debounce, ms)))
// what fm_stream_hold does when it is full
enum { FM_WAIT, FM_DROP_OLDEST, FM_DROP_NEWEST };
//: S fm_stream_hold(S s, size_t n, how)
// Lets s run up to n values ahead of the consumer. Then s waits (FM_WAIT), or the oldest or the
// newest value is dropped (FM_DROP_OLDEST, FM_DROP_NEWEST).
#define fm_stream_hold(s, n, how) \
  FM__LIKE(                       \
      s, fm__stream_hold(fm__in.fm__stream, FM__COUNT(stream_hold, n), (how)))
// s and the streams after it are of one type
#define FM__JOINED(make, s, ...)                                               \
  ({                                                                           \
    __auto_type fm__in = (s);                                                  \
    __typeof__(fm__in) fm__v[] = { fm__in __VA_OPT__(, ) __VA_ARGS__ };        \
    fm__in.fm__stream =                                                        \
        make(sizeof *fm__in.fm__type[0], fm__v, sizeof fm__v / sizeof *fm__v); \
    fm__in;                                                                    \
  })
//: S fm_stream_merge(S s, S t, …)
// The values of all streams, as they come.
#define fm_stream_merge(s, ...) FM__JOINED(fm__stream_merge, s, __VA_ARGS__)
//: S fm_stream_concat(S s, S t, …)
// One stream after the other.
#define fm_stream_concat(s, ...) FM__JOINED(fm__stream_concat, s, __VA_ARGS__)
#define FM__ARRAYED(make, array, n)                                  \
  ({                                                                 \
    __auto_type fm__arg = (array);                                   \
    (__typeof__(*fm__arg)){                                          \
      .fm__stream = make(sizeof *fm__arg->fm__type[0], fm__arg, (n)) \
    };                                                               \
  })
//: S fm_stream_merge_array(const S *array, size_t n)
//: S fm_stream_concat_array(const S *array, size_t n)
// The same for the n streams of an array; the array itself is not kept.
#define fm_stream_merge_array(array, n) \
  FM__ARRAYED(fm__stream_merge, array, FM__COUNT(stream_merge_array, n))
#define fm_stream_concat_array(array, n) \
  FM__ARRAYED(fm__stream_concat, array, FM__COUNT(stream_concat_array, n))
//: S fm_stream_sample(S s, S2 t)
//: S fm_stream_sample_time(S s, uint64_t ms)
// Whenever t has a value, or every ms: the newest value of s, if there is a new one. The others are
// dropped. Ends with s.
#define fm_stream_sample(s, t) \
  FM__LIKE(s, fm__stream_sample(fm__in.fm__stream, (t).fm__stream))
#define fm_stream_sample_time(s, ms)              \
  FM__LIKE(s,                                     \
           fm__stream_sample(fm__in.fm__stream,   \
                             fm__stream_interval( \
                                 FM__COUNT(stream_sample_time, ms))))
//: S fm_stream_delay(S s, uint64_t ms)
// Each value, ms after it came. Up to 1,024 values are on their way; then s waits. An error comes
// after the values before it.
#define fm_stream_delay(s, ms) \
  FM__LIKE(s, fm__stream_delay(fm__in.fm__stream, FM__COUNT(stream_delay, ms)))
//: S fm_stream_timeout(S s, uint64_t ms)
// s; throws struct fm_timeout if the next value, or the end, does not come within ms of the
// beginning, or of the moment at which the last value was taken.
#define fm_stream_timeout(s, ms)                 \
  FM__LIKE(s,                                    \
           fm__stream_timeout(fm__in.fm__stream, \
                              FM__COUNT(stream_timeout, ms)))
//: fm_stamped(T)
//: R fm_stream_timestamp(R, S s)
// Each value with the moment at which it came. The element type of R is a `typedef fm_stamped(T)
// name;`: a structure with the members `at` (of fm_now) and `value`.
#define fm_stamped(T)    \
  struct {               \
    uint64_t at;         \
    __typeof__(T) value; \
  }
#define fm_stream_timestamp(R, s)                                              \
  ({                                                                           \
    __auto_type fm__in = (s);                                                  \
    FM__SAME(*fm__in.fm__type[0], ((R *)0)->fm__type[0]->value);               \
    FM__MAKE(R,                                                                \
             fm__stream_timestamp(fm__in.fm__stream,                           \
                                  FM__SIZE(R),                                 \
                                  __builtin_offsetof(FM__ELEMENT(R), at),      \
                                  __builtin_offsetof(FM__ELEMENT(R), value))); \
  })
//: S fm_stream_share(S s, uint64_t room)
// One run of s for all consumers of the result (use fm_stream_keep for each). The first consumer
// starts the run; each gets the values from the moment at which it came. A consumer may be `room`
// values behind; then s waits for it. When the last consumer has left, s is cancelled; a consumer
// that comes after the end of s starts a new run. The run is an activity of its own, nobody's
// child: the pause of a consumer does not pause it. Consumers that wait for each other (`zip` of
// two) need as much room as one may be ahead.
#define fm_stream_share(s, room) \
  FM__LIKE(s,                    \
           fm__stream_share(fm__in.fm__stream, FM__COUNT(stream_share, room)))

// ---- marbles ----
// Diagrams for tests, in virtual time: each character is a column, and a column is a millisecond.
// `-` is time that passes, a letter or digit a value (the character), `|` the end, `#` an error,
// `(ab)` several events in one column; spaces are for the eye. After `a-b`, without an end, nothing
// comes any more.

typedef fm_stream(char) fm_marbles;
// thrown at `#`
struct fm_marble {
  int column;
};
//: fm_marbles fm_stream_marbles(const char *diagram)
// A stream that does what the diagram shows, from the moment it is opened.
#define fm_stream_marbles(diagram) \
  FM__MAKE(fm_marbles, fm__stream_marbles(diagram))

// ---- errors ----

//: S fm_stream_retry(S s, unsigned n)
// If s fails, begins again, up to n times (FM_ALWAYS: any number); then the error goes on.
#define fm_stream_retry(s, n)                  \
  FM__LIKE(s,                                  \
           fm__stream_retry(fm__in.fm__stream, \
                            (unsigned)FM__COUNT(stream_retry, n)))
// any number of retries
#define FM_ALWAYS UINT32_MAX

// ---- batches and windows ----
// `typedef fm_batch(T, n) name;` is a structure with the members `count` and `at[n]`: a value that
// is copied like others. Periods begin when the stream is opened; a period without values gives
// nothing.

#define fm_batch(T, n)   \
  struct {               \
    size_t count;        \
    __typeof__(T) at[n]; \
  }
#define FM__BATCH(R, s, ms)                                               \
  ({                                                                      \
    __auto_type fm__in = (s);                                             \
    FM__SAME(*fm__in.fm__type[0], ((R *)0)->fm__type[0]->at[0]);          \
    FM__MAKE(R,                                                           \
             fm__stream_buffer(fm__in.fm__stream,                         \
                               FM__SIZE(R),                               \
                               __builtin_offsetof(FM__ELEMENT(R), count), \
                               __builtin_offsetof(FM__ELEMENT(R), at),    \
                               sizeof((R *)0)->fm__type[0]->at /          \
                                   sizeof *fm__in.fm__type[0],            \
                               (ms)));                                    \
  })
//: R fm_stream_buffer(R, S s)
// Batches of as many values as a batch of R holds; the last may have fewer.
#define fm_stream_buffer(R, s) FM__BATCH(R, s, 0)
//: R fm_stream_buffer_time(R, S s, uint64_t ms)
// The values of each period of ms as one batch; earlier, when the batch is full.
#define fm_stream_buffer_time(R, s, ms) \
  FM__BATCH(R, s, FM__COUNT(stream_buffer_time, ms))

// ---- subscriptions ----
// A subscription is what one consumer consumes. Below it stand the streams that it is made of, each
// with the state of the activity in which it runs. A subscription that was left before its end is
// "cancelled".

enum fm_stream_state {
  FM_STREAM_WAITING,
  FM_STREAM_RUNNING,
  FM_STREAM_PAUSED,
  FM_STREAM_DONE,
  FM_STREAM_FAILED,
  FM_STREAM_CANCELLED
};
typedef struct fm_stream_info { // zeroed: before the first
  const char *name;             // given by fm_stream_named, else the operator's
  enum fm_stream_state state;
  uint64_t events;      // how many values it has had
  fm_activity activity; // in which it runs; none: it has ended
  // 0: a subscription; 1: an input of its stream; and so on
  int depth;
  const void *fm__at;
} fm_stream_info;
// Goes to the next subscription of this domain; false: there is none. `for (fm_stream_info i = { 0
// }; fm_stream_each(&i); ) …` visits all; there may be no pause in the loop.
bool fm_stream_each(fm_stream_info *i);
// Returns the state in words: "waiting", "running", "paused", "done", "failed", "cancelled".
const char *fm_stream_state_name(enum fm_stream_state state);
// Prints all subscriptions of the domain, those that live and the last ones that have ended: state,
// number of events, past events.
void fm_stream_dump(FILE *to);
// Sets how many past events are kept of subscriptions and named streams, and how many ended
// subscriptions. At first 8 and 8.
void fm_stream_history(size_t events, size_t ended);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
// ---- internal: a function of the program's, without its types ----

typedef async void fm__apply(const void *fm__fn,
                             const void *fm__ctx,
                             const void *fm__arg,
                             const void *fm__arg2,
                             void *fm__out) throws(fm_error);
typedef struct fm__user {
  fm__apply *apply; // calls it
  // where the pointer to it, and its extra argument, are stored
  const void *fn, *ctx;
  size_t fn_size, ctx_size;
} fm__user;
#    define FM__FUNCTION(fn, ...) \
      __auto_type fm__fun = (fn); \
      FM__CONTEXT(__VA_OPT__(__VA_ARGS__, )(char) 0)
#    define FM__CONTEXT(x, ...) __auto_type fm__extra = (x);
// A call of the function: statements that use FM__F, its arguments FM__A, FM__B and FM__MORE, and
// FM__OUT, where the result goes.
#    ifdef __FERMATA__
// clang-format off
#      define FM__USER(...)                                                                    \
  (&(fm__user){ __fm_thunk (const void *fm__fn, const void *fm__ctx, const void *fm__arg,      \
                            const void *fm__arg2, void *fm__out) {                             \
                  (void)fm__fn, (void)fm__ctx, (void)fm__arg, (void)fm__arg2, (void)fm__out;   \
                  __VA_ARGS__;                                                                 \
                },                                                                             \
                &fm__fun, &fm__extra, sizeof fm__fun, sizeof fm__extra })
// clang-format on
#    else
// For editors: the types are seen, and nothing runs.
#      define FM__USER(...)                                           \
        ({                                                            \
          const void *fm__fn = &fm__fun, *fm__ctx = &fm__extra,       \
                     *fm__arg = NULL, *fm__arg2 = NULL;               \
          void *fm__out = NULL;                                       \
          (void)fm__fn, (void)fm__ctx, (void)fm__arg, (void)fm__arg2, \
              (void)fm__out;                                          \
          if (0) {                                                    \
            __VA_ARGS__;                                              \
          }                                                           \
          (const fm__user *)NULL;                                     \
        })
#    endif
#    define FM__F (*(__typeof__(fm__fun) *)fm__fn)
#    define FM__A(type) (*(const __typeof__(type) *)fm__arg)
#    define FM__B(type) (*(const __typeof__(type) *)fm__arg2)
#    define FM__T (*fm__in.fm__type[0]) // a value of the input
#    define FM__OUT(type) (*(__typeof__(type) *)fm__out)
#    define FM__MORE(...) __VA_OPT__(, *(__typeof__(fm__extra) *)fm__ctx)
#    define FM__STREAM_OUT(R, ...) \
      R fm__made = __VA_ARGS__;    \
      FM__OUT(fm__stream *) = fm__made.fm__stream
#    define FM__TESTED(make, s, fn, ...)                                   \
      ({                                                                   \
        __auto_type fm__in = (s);                                          \
        FM__FUNCTION(fn, __VA_ARGS__)                                      \
        fm__in.fm__stream =                                                \
            make(fm__in.fm__stream,                                        \
                 FM__USER(FM__OUT(bool) =                                  \
                              FM__F(FM__A(FM__T) FM__MORE(__VA_ARGS__)))); \
        fm__in;                                                            \
      })
#    define FM__COMPARED(make, s, fn, ...)                                 \
      ({                                                                   \
        __auto_type fm__in = (s);                                          \
        FM__FUNCTION(fn, __VA_ARGS__)                                      \
        fm__in.fm__stream =                                                \
            make(fm__in.fm__stream,                                        \
                 FM__USER(FM__OUT(bool) =                                  \
                              FM__F(FM__A(FM__T),                          \
                                    FM__B(FM__T) FM__MORE(__VA_ARGS__)))); \
        fm__in;                                                            \
      })
#    define FM__FOLDED(make, R, s, fn, seed, ...)                       \
      ({                                                                \
        __auto_type fm__in = (s);                                       \
        FM__FUNCTION(fn, __VA_ARGS__) FM__ELEMENT(R) fm__v = (seed);    \
        FM__MAKE(R,                                                     \
                 make(fm__in.fm__stream,                                \
                      FM__SIZE(R),                                      \
                      &fm__v,                                           \
                      FM__USER(FM__OUT(FM__ELEMENT(R)) =                \
                                   FM__F(FM__A(FM__ELEMENT(R)),         \
                                         FM__B(FM__T)                   \
                                             FM__MORE(__VA_ARGS__))))); \
      })
#    define FM__PAIRED(make, R, s, t, fn, ...)                          \
      ({                                                                \
        __auto_type fm__in = (s);                                       \
        __auto_type fm__in2 = (t);                                      \
        FM__FUNCTION(fn, __VA_ARGS__)                                   \
        FM__MAKE(R,                                                     \
                 make(fm__in.fm__stream,                                \
                      fm__in2.fm__stream,                               \
                      FM__SIZE(R),                                      \
                      FM__USER(FM__OUT(FM__ELEMENT(R)) =                \
                                   FM__F(FM__A(FM__T),                  \
                                         FM__B(*fm__in2.fm__type[0])    \
                                             FM__MORE(__VA_ARGS__))))); \
      })
#    define FM__MAPPED(make, R, s, n, fn, ...)                              \
      ({                                                                    \
        __auto_type fm__in = (s);                                           \
        FM__FUNCTION(fn, __VA_ARGS__)                                       \
        FM__MAKE(R,                                                         \
                 make(fm__in.fm__stream,                                    \
                      FM__SIZE(R),                                          \
                      (n),                                                  \
                      FM__USER(FM__STREAM_OUT(                              \
                          R, FM__F(FM__A(FM__T) FM__MORE(__VA_ARGS__)))))); \
      })
#    define FM__WINDOWS(R, s, n, ms, fn, ...)                              \
      ({                                                                   \
        __auto_type fm__in = (s);                                          \
        FM__FUNCTION(fn, __VA_ARGS__)                                      \
        FM__MAKE(                                                          \
            R,                                                             \
            fm__stream_window(fm__in.fm__stream,                           \
                              FM__SIZE(R),                                 \
                              (n),                                         \
                              (ms),                                        \
                              FM__USER(FM__STREAM_OUT(                     \
                                  R,                                       \
                                  FM__F(((__typeof__(fm__in)){             \
                                      .fm__stream = FM__A(fm__stream *) }) \
                                            FM__MORE(__VA_ARGS__))))));    \
      })
fm__stream *fm__stream_map(fm__stream *in, size_t size, const fm__user *f);
fm__stream *fm__stream_filter(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_take_while(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_distinct_by(fm__stream *in, const fm__user *same);
fm__stream *fm__stream_changed_by(fm__stream *in, const fm__user *same);
fm__stream *fm__stream_scan(fm__stream *in,
                            size_t size,
                            const void *seed,
                            const fm__user *f);
fm__stream *fm__stream_reduce(fm__stream *in,
                              size_t size,
                              const void *seed,
                              const fm__user *f);
fm__stream *
fm__stream_zip(fm__stream *a, fm__stream *b, size_t size, const fm__user *f);
fm__stream *fm__stream_combine_latest(fm__stream *a,
                                      fm__stream *b,
                                      size_t size,
                                      const fm__user *f);
fm__stream *fm__stream_switch_map(fm__stream *in,
                                  size_t size,
                                  uint64_t unused,
                                  const fm__user *f);
fm__stream *fm__stream_merge_map(fm__stream *in,
                                 size_t size,
                                 uint64_t limit,
                                 const fm__user *f);
fm__stream *fm__stream_exhaust_map(fm__stream *in,
                                   size_t size,
                                   uint64_t unused,
                                   const fm__user *f);
fm__stream *fm__stream_with_latest_from(fm__stream *a,
                                        fm__stream *b,
                                        size_t size,
                                        const fm__user *f);
// A pair of a key and a value of `in`; takes in over.
fm__stream *fm__stream_keyed(fm__stream *in, size_t key, const fm__user *f);
fm__stream *
fm__stream_group_by(fm__stream *keyed, size_t size, const fm__user *f);
fm__stream *fm__stream_window(
    fm__stream *in, size_t size, uint64_t n, uint64_t ms, const fm__user *f);
fm__stream *fm__stream_catch(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_generate(size_t size, const fm__user *f);
fm__stream *fm__stream_sink(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_shown(fm__stream *in, const fm__user *show);

// ---- sources ----

//: R fm_stream_generate(R, f)
// The values that the async function `f(R out)` emits. Activities that f starts may emit as well;
// they end before the stream does.
#    define fm_stream_generate(R, f, ...)                               \
      ({                                                                \
        FM__FUNCTION(f, __VA_ARGS__)                                    \
        FM__MAKE(R,                                                     \
                 fm__stream_generate(                                   \
                     FM__SIZE(R),                                       \
                     FM__USER(R fm__made = { .fm__stream = fm__out };   \
                              FM__F(fm__made FM__MORE(__VA_ARGS__))))); \
      })
//: async void fm_stream_emit(R out, T v)
// In f of fm_stream_generate: emits v; waits until the consumer wants one more.
#    define fm_stream_emit(out, v)                        \
      ({                                                  \
        __auto_type fm__o = (out);                        \
        __typeof__(*fm__o.fm__type[0]) fm__v = (v);       \
        fm__waiter fm__w;                                 \
        fm__chan_give(fm__stream_emits(fm__o.fm__stream), \
                      &fm__v,                             \
                      &fm__w,                             \
                      sizeof fm__v,                       \
                      FM__FAR_FROM(&fm__w, &fm__v));      \
      })

// ---- operators on one stream ----

//: R fm_stream_map(R, S s, f)
// `f(x)` of each value.
#    define fm_stream_map(R, s, f, ...)                                     \
      ({                                                                    \
        __auto_type fm__in = (s);                                           \
        FM__FUNCTION(f, __VA_ARGS__)                                        \
        FM__MAKE(R,                                                         \
                 fm__stream_map(fm__in.fm__stream,                          \
                                FM__SIZE(R),                                \
                                FM__USER(FM__OUT(FM__ELEMENT(R)) = FM__F(   \
                                             FM__A(FM__T)                   \
                                                 FM__MORE(__VA_ARGS__))))); \
      })
//: S fm_stream_filter(S s, f)
// The values for which `f(x)` is true.
#    define fm_stream_filter(s, f, ...) \
      FM__TESTED(fm__stream_filter, s, f, __VA_ARGS__)
//: S fm_stream_take_while(S s, f)
// The values until `f(x)` is false.
#    define fm_stream_take_while(s, f, ...) \
      FM__TESTED(fm__stream_take_while, s, f, __VA_ARGS__)
//: S fm_stream_distinct_by(S s, f)
//: S fm_stream_changed_by(S s, f)
// Like fm_stream_distinct and fm_stream_changed; `f(x, y)` returns whether two values are the same.
#    define fm_stream_distinct_by(s, f, ...) \
      FM__COMPARED(fm__stream_distinct_by, s, f, __VA_ARGS__)
#    define fm_stream_changed_by(s, f, ...) \
      FM__COMPARED(fm__stream_changed_by, s, f, __VA_ARGS__)
//: R fm_stream_scan(R, S s, f, seed)
// `y = f(y, x)` for each value, at first with `y = seed`: each y.
#    define fm_stream_scan(R, s, f, seed, ...) \
      FM__FOLDED(fm__stream_scan, R, s, f, seed, __VA_ARGS__)
//: R fm_stream_reduce(R, S s, f, seed)
// The last y of fm_stream_scan, when s has ended.
#    define fm_stream_reduce(R, s, f, seed, ...) \
      FM__FOLDED(fm__stream_reduce, R, s, f, seed, __VA_ARGS__)

// ---- operators on several streams, and time ----

//: R fm_stream_zip(R, S s, S2 t, f)
// `f(x, y)` of the first values, of the second values, and so on; ends with the shorter stream.
#    define fm_stream_zip(R, s, t, f, ...) \
      FM__PAIRED(fm__stream_zip, R, s, t, f, __VA_ARGS__)
//: R fm_stream_combine_latest(R, S s, S2 t, f)
// `f(x, y)` of the newest values, whenever one comes, once there are both.
#    define fm_stream_combine_latest(R, s, t, f, ...) \
      FM__PAIRED(fm__stream_combine_latest, R, s, t, f, __VA_ARGS__)
//: R fm_stream_switch_map(R, S s, f)
// `f(x)` is a stream: the values of the newest one. The one before is cancelled.
#    define fm_stream_switch_map(R, s, f, ...) \
      FM__MAPPED(fm__stream_switch_map, R, s, 0, f, __VA_ARGS__)
//: R fm_stream_merge_map(R, S s, uint64_t limit, f)
// The values of all streams `f(x)`, of at most `limit` at a time (0: any number; 1: one after the
// other).
#    define fm_stream_merge_map(R, s, limit, f, ...) \
      FM__MAPPED(fm__stream_merge_map,               \
                 R,                                  \
                 s,                                  \
                 FM__COUNT(stream_merge_map, limit), \
                 f,                                  \
                 __VA_ARGS__)

//: R fm_stream_exhaust_map(R, S s, f)
// `f(x)` is a stream: its values. While it runs, the values of s are dropped.
#    define fm_stream_exhaust_map(R, s, f, ...) \
      FM__MAPPED(fm__stream_exhaust_map, R, s, 0, f, __VA_ARGS__)
//: R fm_stream_with_latest_from(R, S s, S2 t, f)
// `f(x, y)` of each value of s and the newest value of t. Values of s that come before t has one
// are dropped. Ends with s.
#    define fm_stream_with_latest_from(R, s, t, f, ...) \
      FM__PAIRED(fm__stream_with_latest_from, R, s, t, f, __VA_ARGS__)
//: R fm_stream_group_by(R, K, S s, key, f)
// The values with the same `key(x)`, of type K, are a stream of their own, a group: the values of
// all streams `f(k, group)`, as they come. Keys are compared by their bytes. A group holds up to 16
// values that have not been taken; then s waits. Values of a group whose stream has ended, or that
// nothing consumes any more, are dropped. Groups end with s. The further argument is for f.
#    define fm_stream_group_by(R, K, s, key, f, ...)                      \
      ({                                                                  \
        __auto_type fm__in = (s);                                         \
        FM__FUNCTION(key)                                                 \
        fm__stream *fm__half =                                            \
            fm__stream_keyed(fm__in.fm__stream,                           \
                             sizeof(K),                                   \
                             FM__USER(FM__OUT(K) = FM__F(FM__A(FM__T)))); \
        ({                                                                \
          FM__FUNCTION(f, __VA_ARGS__)                                    \
          FM__MAKE(R,                                                     \
                   fm__stream_group_by(                                   \
                       fm__half,                                          \
                       FM__SIZE(R),                                       \
                       FM__USER(FM__STREAM_OUT(                           \
                           R,                                             \
                           FM__F(FM__A(K),                                \
                                 ((__typeof__(fm__in)){                   \
                                     .fm__stream = FM__B(fm__stream *) }) \
                                     FM__MORE(__VA_ARGS__))))));          \
        });                                                               \
      })

// ---- marbles ----

//: async bool fm_marbles_match(fm_marbles s, const char *diagram)
// Consumes s, and returns whether it does what the diagram shows; if not, prints both as lists of
// events on standard error. For streams of other values, map them to characters.
#    define fm_marbles_match(s, diagram)                 \
      ({                                                 \
        fm_marbles fm__in = (s);                         \
        fm__marbles_match(fm__in.fm__stream, (diagram)); \
      })
async bool fm__marbles_match(fm__stream *s, const char *text);

// ---- batches and windows ----

//: R fm_stream_window(R, S s, uint64_t n, f)
//: R fm_stream_window_time(R, S s, uint64_t ms, f)
// Each n values, or the values of each period of ms, are a stream w, a window; the values of
// `f(w)`, one window after the other. Values of a window that `f(w)` does not take are dropped. f
// owns w: it uses w, or drops it.
#    define fm_stream_window(R, s, n, f, ...) \
      FM__WINDOWS(R, s, FM__COUNT(stream_window, n), 0, f, __VA_ARGS__)
#    define fm_stream_window_time(R, s, ms, f, ...) \
      FM__WINDOWS(R, s, 0, FM__COUNT(stream_window_time, ms), f, __VA_ARGS__)

// ---- errors ----

//: S fm_stream_catch(S s, f)
// If s fails, goes on with the stream `f(fm_error *e)`, of the same type.
#    define fm_stream_catch(s, f, ...)                                  \
      ({                                                                \
        __auto_type fm__in = (s);                                       \
        FM__FUNCTION(f, __VA_ARGS__)                                    \
        fm__in.fm__stream = fm__stream_catch(                           \
            fm__in.fm__stream,                                          \
            FM__USER(FM__STREAM_OUT(__typeof__(fm__in),                 \
                                    FM__F((fm_error *)fm__arg FM__MORE( \
                                        __VA_ARGS__)))));               \
        fm__in;                                                         \
      })

// ---- subscriptions ----

//: S fm_stream_named(S s, const char *name)
// s with a name for listings; its past events are kept.
#    define fm_stream_named(s, name) \
      FM__LIKE(s, fm__stream_name(fm__in.fm__stream, (name)))
//: S fm_stream_shown(S s, f)
// s, whose values listings print by `f(FILE *to, x)`; otherwise they are printed in hexadecimal.
#    define fm_stream_shown(s, f, ...)                                      \
      ({                                                                    \
        __auto_type fm__in = (s);                                           \
        FM__FUNCTION(f, __VA_ARGS__)                                        \
        fm__stream_shown(fm__in.fm__stream,                                 \
                         FM__USER((void)FM__F((FILE *)fm__out,              \
                                              FM__A(FM__T)                  \
                                                  FM__MORE(__VA_ARGS__)))); \
        fm__in;                                                             \
      })

// ---- consumers ----
// One activity at a time may call `fm_stream_next` for an open stream; any may, also when the
// activity that opened it has ended. `fm_stream_next` may be an arm of `race`. If it loses, the
// next call goes on with the stream, also with a value that had just come; only a value that a
// function was working on is lost.

//: async void fm_stream_run(S s, f) throws(fm_error)
// Calls `f(x)` for each value. Throws what the stream or f throws.
#    define fm_stream_run(s, f, ...) fm__stream_run(FM__SINK(s, f, __VA_ARGS__))
#    define FM__SINK(s, f, ...)                                                \
      ({                                                                       \
        __auto_type fm__in = (s);                                              \
        FM__FUNCTION(f, __VA_ARGS__)                                           \
        fm__stream_sink(fm__in.fm__stream,                                     \
                        FM__USER(                                              \
                            (void)FM__F(FM__A(FM__T) FM__MORE(__VA_ARGS__)))); \
      })
//: task(void) throws(fm_error) fm_subscribe(S s, f)
// The same in an activity of its own, like `spawn fm_stream_run(s, f)`.
#    define fm_subscribe(s, f, ...) spawn fm_stream_run(s, f, __VA_ARGS__)
//: fm_for_each(x, S s) statement
// Declares x and runs the statement for each value; `break`, `continue`, `return`, `goto` and
// `throw` work as in any loop. However the loop is left, the stream is closed then.
#    define fm_for_each(x, s)                                  \
      for (__auto_type fm__in = (s); fm__in.fm__stream;        \
           fm__in.fm__stream = NULL)                           \
        for (fm__stream * fm__pull                             \
                 __attribute__((cleanup(fm__stream_closed))) = \
                 fm__stream_open(fm__in.fm__stream);           \
             fm__stream_once(fm__pull);)                       \
          for (__typeof__(*fm__in.fm__type[0]) x;              \
               fm__stream_ready(fm__pull, &(x)) ||             \
               fm__stream_next(fm__pull, &(x));)
//: void fm_stream_open(S *s)
//: async bool fm_stream_next(S *s, T *to) throws(fm_error)
//: async void fm_stream_close(S *s)
// Consume the stream step by step: `fm_stream_open(&s); defer fm_stream_close(&s); while
// (fm_stream_next(&s, &x)) …`. fm_stream_next returns false when there are no more values. An open
// stream is given to no operator.
#    define fm_stream_open(s)                                   \
      ({                                                        \
        __auto_type fm__o = (s);                                \
        fm__o->fm__stream = fm__stream_open(fm__o->fm__stream); \
      })
#    define fm_stream_next(s, to)                      \
      ({                                               \
        __auto_type fm__o = (s);                       \
        __typeof__(*fm__o->fm__type[0]) *fm__v = (to); \
        FM__SAME(*(to), *fm__o->fm__type[0]);          \
        fm__stream_next(fm__o->fm__stream, fm__v);     \
      })
#    define fm_stream_close(s) fm__stream_closed(&(s)->fm__stream)

// ---- subscriptions ----

//: size_t fm_stream_past(S *s, T *to, size_t n)
// Copies up to n of the last values of an open stream, oldest first. Returns how many; at most as
// many as fm_stream_history keeps.
#    define fm_stream_past(s, to, n)                    \
      ({                                                \
        __auto_type fm__o = (s);                        \
        __typeof__(*fm__o->fm__type[0]) *fm__v = (to);  \
        FM__SAME(*(to), *fm__o->fm__type[0]);           \
        fm__stream_past(fm__o->fm__stream, fm__v, (n)); \
      })

fm__stream *fm__stream_open(fm__stream *s); // takes s over
bool fm__stream_once(fm__stream *s);        // true the first time
size_t fm__stream_past(fm__stream *s, void *to, size_t n);
// A value that is there without a wait. false: ask fm__stream_next.
bool fm__stream_ready(fm__stream *s, void *to);
async bool fm__stream_next(fm__stream *s, void *to) throws(fm_error);
async void fm__stream_closed(fm__stream **s); // NULL is allowed
// The channel to which a generator gives its values.
fm__chan *fm__stream_emits(fm__stream *s);
async void fm__stream_run(fm__stream *sink) throws(fm_error);
#  endif
#endif
#endif
