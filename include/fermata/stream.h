// stream.h: streams: values of one type that come one after the other, and operators that make
// streams of streams.
//
//     typedef fm_stream(int) ints;
//     static async int square(int x) { return x * x; }
//
//     fm_for_each (x, fm_stream_take(fm_stream_map(ints, fm_stream_of(ints, 1, 2, 3, 4), square), 3))
//       printf("%d\n", x);
//
// A stream is a description: nothing runs before it is consumed, and each consumer has a run of its
// own. It is consumed by pulling: who wants a value calls for it, the operator calls for what it
// needs, up to the source. So most operators are calls within the activity of the consumer, and a
// source is never ahead of it; those that have to wait for several things at once run their sources
// in activities of their own, each at most one value ahead.
//
// Whoever is given a stream owns it: operators take over their inputs, consumers what they consume.
// fm_stream_keep(s) gives s for one more use, fm_stream_drop(s) is for one that is not used at all.
// What is forgotten is freed with the domain.
//
// The functions that operators are given may be async or plain, may throw, and may take one more
// argument, of any type, which is given behind them: fm_stream_map(ints, s, scaled, 10) calls
// scaled(x, 10). R is the type of the stream that comes out.
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

// for one more use
#define fm_stream_keep(s)               \
  ({                                    \
    __auto_type fm__in = (s);           \
    fm__stream_keep(fm__in.fm__stream); \
    fm__in;                             \
  })
#define fm_stream_drop(s) fm__stream_drop((s).fm__stream) // it is not used
fm__stream *fm__stream_keep(fm__stream *s);
void fm__stream_drop(fm__stream *s);

// ---- the library's own: making of descriptions; `in` and all streams of `ins` are taken over ----
#define FM__ELEMENT(R) __typeof__(*((R *)0)->fm__type[0])
#define FM__SIZE(R) sizeof *((R *)0)->fm__type[0]
#define FM__SAME(a, b)                                                       \
  _Static_assert(__builtin_types_compatible_p(__typeof__(a), __typeof__(b)), \
                 "these have elements of different types")
#define FM__MAKE(R, s) ((R){ .fm__stream = (s) })
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
fm__stream *fm__stream_merge(const void *ins, size_t n);
fm__stream *fm__stream_concat(const void *ins, size_t n);
fm__stream *fm__stream_name(fm__stream *s, const char *name);

// ---- sources ----
typedef fm_stream(uint64_t) fm_numbers;
#define fm_stream_of(R, ...)                                  \
  ({                                                          \
    FM__ELEMENT(R) fm__arg[] = { __VA_ARGS__ };               \
    FM__MAKE(R,                                               \
             fm__stream_array(FM__SIZE(R),                    \
                              fm__arg,                        \
                              sizeof fm__arg / FM__SIZE(R))); \
  })
#define fm_stream_empty(R) FM__MAKE(R, fm__stream_array(FM__SIZE(R), NULL, 0))
// n values, which are copied now.
#define fm_stream_from_array(R, array, n)                     \
  ({                                                          \
    const FM__ELEMENT(R) *fm__arg = (array);                  \
    FM__SAME(FM__ELEMENT(R), *(array));                       \
    FM__MAKE(R, fm__stream_array(FM__SIZE(R), fm__arg, (n))); \
  })
// 0, 1, 2 … every ms; missed moments are left out
#define fm_stream_interval(ms) FM__MAKE(fm_numbers, fm__stream_interval(ms))
#define fm_stream_timer(ms) \
  FM__MAKE(fm_numbers, fm__stream_timer(ms)) // 0, after ms
// What is received from a channel, until that is closed.
#define fm_stream_from_chan(R, c)                                \
  ({                                                             \
    __auto_type fm__o = (c);                                     \
    FM__SAME(*fm__o->fm__type, FM__ELEMENT(R));                  \
    FM__MAKE(R, fm__stream_chan(FM__SIZE(R), &fm__o->fm__chan)); \
  })
// What is emitted while it is open; of values that nobody has taken yet it holds the newest `room`.
#define fm_stream_from_event(R, e, room)                                   \
  ({                                                                       \
    __auto_type fm__o = (e);                                               \
    FM__SAME(*fm__o->fm__type, FM__ELEMENT(R));                            \
    FM__MAKE(R, fm__stream_event(FM__SIZE(R), &fm__o->fm__event, (room))); \
  })

// ---- operators that need no function ----
#define FM__LIKE(s, made)       \
  ({                            \
    __auto_type fm__in = (s);   \
    fm__in.fm__stream = (made); \
    fm__in;                     \
  })
#define fm_stream_take(s, n) \
  FM__LIKE(s, fm__stream_take(fm__in.fm__stream, (n))) // the first n
// all but the first n
#define fm_stream_skip(s, n) \
  FM__LIKE(s, fm__stream_skip(fm__in.fm__stream, (n)))
// until stop has one
#define fm_stream_take_until(s, stop) \
  FM__LIKE(s, fm__stream_take_until(fm__in.fm__stream, (stop).fm__stream))
// each value once: byte by byte
#define fm_stream_distinct(s) \
  FM__LIKE(s, fm__stream_distinct(fm__in.fm__stream))
// not what is the same as the one before
#define fm_stream_changed(s) FM__LIKE(s, fm__stream_changed(fm__in.fm__stream))
// the last one, when none came for ms
#define fm_stream_debounce(s, ms) \
  FM__LIKE(s, fm__stream_debounce(fm__in.fm__stream, (ms)))
// then drops what comes for ms
#define fm_stream_throttle(s, ms) \
  FM__LIKE(s, fm__stream_throttle(fm__in.fm__stream, (ms)))
// begins again up to n times
#define fm_stream_retry(s, n) \
  FM__LIKE(s, fm__stream_retry(fm__in.fm__stream, (n)))
#define FM_ALWAYS UINT32_MAX // as n of fm_stream_retry
// The source runs ahead of the consumer by up to n values. When there are as many:
enum { FM_WAIT, FM_DROP_OLDEST, FM_DROP_NEWEST };
#define fm_stream_hold(s, n, how) \
  FM__LIKE(s, fm__stream_hold(fm__in.fm__stream, (n), (how)))
// All of them at once, and one after the other; s and the streams behind it are of one type.
#define FM__JOINED(make, s, ...)                                          \
  ({                                                                      \
    __auto_type fm__in = (s);                                             \
    __typeof__(fm__in) fm__arg[] = { fm__in __VA_OPT__(, ) __VA_ARGS__ }; \
    fm__in.fm__stream = make(fm__arg, sizeof fm__arg / sizeof *fm__arg);  \
    fm__in;                                                               \
  })
#define fm_stream_merge(s, ...) FM__JOINED(fm__stream_merge, s, __VA_ARGS__)
#define fm_stream_concat(s, ...) FM__JOINED(fm__stream_concat, s, __VA_ARGS__)
// Arrays of values, as values: typedef fm_batch(int, 8) eight; has members `count` and `at`.
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
// R is a stream of batches; the last one may not be full
#define fm_stream_buffer(R, s) FM__BATCH(R, s, 0)
// what has come every ms, and whenever one is full; none that is empty
#define fm_stream_buffer_time(R, s, ms) FM__BATCH(R, s, ms)

// ---- who is there: every consumer that has not ended, and the last ones that have ----
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
  // 0: a subscription, what is consumed; 1: what that is made of; and so on
  int depth;
  const void *fm__at;
} fm_stream_info;
// for (fm_stream_info i = { 0 }; fm_stream_each(&i); ) … of this domain. There may be no pause in
// the loop.
bool fm_stream_each(fm_stream_info *i);
const char *fm_stream_state_name(enum fm_stream_state state); // "waiting" …
void fm_stream_dump(FILE *to); // all that, with past events
// How many past events are kept of subscriptions and named streams, and how many subscriptions that
// have ended. At first: 8, 8.
void fm_stream_history(size_t events, size_t ended);

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus
// ---- the library's own: a function of the program's, without its types ----
typedef async void fm__apply(const void *fm__fn,
                             const void *fm__ctx,
                             const void *fm__arg,
                             const void *fm__arg2,
                             void *fm__out) throws(fm_error);
typedef struct fm__user {
  fm__apply *apply; // calls it
  // where the pointer to it, and what it is given besides, are stored
  const void *fn, *ctx;
  size_t fn_size, ctx_size;
} fm__user;
#    define FM__FUNCTION(fn, ...) \
      __auto_type fm__fun = (fn); \
      FM__CONTEXT(__VA_OPT__(__VA_ARGS__, )(char) 0)
#    define FM__CONTEXT(x, ...) __auto_type fm__given = (x);
// What calls it: statements that use FM__F, its arguments FM__A, FM__B and FM__MORE, and FM__OUT,
// where the result goes.
#    ifdef __FERMATA__
#      define FM__USER(...)                                                                                                      \
  (&(fm__user){ __fm_thunk (const void *fm__fn, const void *fm__ctx, const void *fm__arg, const void *fm__arg2, void *fm__out) { \
                  (void)fm__fn, (void)fm__ctx, (void)fm__arg, (void)fm__arg2, (void)fm__out; __VA_ARGS__;                        \
        }                                                                                                                        \
        , &fm__fun, &fm__given, sizeof fm__fun, sizeof fm__given                                                                 \
        })
// for editors: the types are seen, and nothing runs
#    else
#      define FM__USER(...)                                           \
        ({                                                            \
          const void *fm__fn = &fm__fun, *fm__ctx = &fm__given,       \
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
#    define FM__MORE(...) __VA_OPT__(, *(__typeof__(fm__given) *)fm__ctx)
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
fm__stream *fm__stream_window(
    fm__stream *in, size_t size, uint64_t n, uint64_t ms, const fm__user *f);
fm__stream *fm__stream_catch(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_generate(size_t size, const fm__user *f);
fm__stream *fm__stream_sink(fm__stream *in, const fm__user *f);
fm__stream *fm__stream_shown(fm__stream *in, const fm__user *show);

// ---- sources and operators with functions ----
// f(R out) is an async function that emits values by fm_stream_emit(out, v), which waits until the
// consumer wants the next one.
#    define fm_stream_generate(R, f, ...)                               \
      ({                                                                \
        FM__FUNCTION(f, __VA_ARGS__)                                    \
        FM__MAKE(R,                                                     \
                 fm__stream_generate(                                   \
                     FM__SIZE(R),                                       \
                     FM__USER(R fm__made = { .fm__stream = fm__out };   \
                              FM__F(fm__made FM__MORE(__VA_ARGS__))))); \
      })
#    define fm_stream_emit(out, v)                  \
      ({                                            \
        __auto_type fm__o = (out);                  \
        __typeof__(*fm__o.fm__type[0]) fm__v = (v); \
        fm__stream_emit(fm__o.fm__stream, &fm__v);  \
      })
#    define fm_stream_map(R, s, f, ...) /* f(x) */                          \
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
// those for which f(x) is true
#    define fm_stream_filter(s, f, ...) \
      FM__TESTED(fm__stream_filter, s, f, __VA_ARGS__)
// until f(x) is false
#    define fm_stream_take_while(s, f, ...) \
      FM__TESTED(fm__stream_take_while, s, f, __VA_ARGS__)
// f(x, y): are they the same
#    define fm_stream_distinct_by(s, f, ...) \
      FM__COMPARED(fm__stream_distinct_by, s, f, __VA_ARGS__)
#    define fm_stream_changed_by(s, f, ...) \
      FM__COMPARED(fm__stream_changed_by, s, f, __VA_ARGS__)
// y = f(y, x), at first y = seed
#    define fm_stream_scan(R, s, f, seed, ...) \
      FM__FOLDED(fm__stream_scan, R, s, f, seed, __VA_ARGS__)
// the last y
#    define fm_stream_reduce(R, s, f, seed, ...) \
      FM__FOLDED(fm__stream_reduce, R, s, f, seed, __VA_ARGS__)
// f(x, y) of the first two …
#    define fm_stream_zip(R, s, t, f, ...) \
      FM__PAIRED(fm__stream_zip, R, s, t, f, __VA_ARGS__)
// the newest
#    define fm_stream_combine_latest(R, s, t, f, ...) \
      FM__PAIRED(fm__stream_combine_latest, R, s, t, f, __VA_ARGS__)
// f(x) is a stream of type R: of these the newest, or up to `limit` at once, in the order in which
// their values come.
#    define fm_stream_switch_map(R, s, f, ...) \
      FM__MAPPED(fm__stream_switch_map, R, s, 0, f, __VA_ARGS__)
#    define fm_stream_merge_map(R, s, limit, f, ...) \
      FM__MAPPED(fm__stream_merge_map, R, s, limit, f, __VA_ARGS__)
// f(w) makes a stream of type R of each window w, a stream of n values (the last: of fewer), or of
// those of ms: one after the other.
#    define fm_stream_window(R, s, n, f, ...) \
      FM__WINDOWS(R, s, n, 0, f, __VA_ARGS__)
#    define fm_stream_window_time(R, s, ms, f, ...) \
      FM__WINDOWS(R, s, 0, ms, f, __VA_ARGS__)
#    define fm_stream_catch(                                                  \
        s, f, ...) /* if it fails it goes on with the stream f(fm_error *) */ \
      ({                                                                      \
        __auto_type fm__in = (s);                                             \
        FM__FUNCTION(f, __VA_ARGS__)                                          \
        fm__in.fm__stream = fm__stream_catch(                                 \
            fm__in.fm__stream,                                                \
            FM__USER(FM__STREAM_OUT(__typeof__(fm__in),                       \
                                    FM__F((fm_error *)fm__arg FM__MORE(       \
                                        __VA_ARGS__)))));                     \
        fm__in;                                                               \
      })
// Its name in listings, and how they print its values: f(FILE *to, x).
#    define fm_stream_named(s, name) \
      FM__LIKE(s, fm__stream_name(fm__in.fm__stream, (name)))
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
// Calls f(x) for each value until there are no more; throws what the stream, or f, throws.
#    define fm_stream_run(s, f, ...) fm__stream_run(FM__SINK(s, f, __VA_ARGS__))
#    define FM__SINK(s, f, ...)                                                \
      ({                                                                       \
        __auto_type fm__in = (s);                                              \
        FM__FUNCTION(f, __VA_ARGS__)                                           \
        fm__stream_sink(fm__in.fm__stream,                                     \
                        FM__USER(                                              \
                            (void)FM__F(FM__A(FM__T) FM__MORE(__VA_ARGS__)))); \
      })
// The same in an activity of its own: a task(void) that throws any error.
#    define fm_subscribe(s, f, ...) spawn fm_stream_run(s, f, __VA_ARGS__)
// fm_for_each (x, s) statement: x is declared by it. However the loop is left, the stream is closed
// then.
#    define fm_for_each(x, s)                                  \
      for (__auto_type fm__in = (s); fm__in.fm__stream;        \
           fm__in.fm__stream = NULL)                           \
        for (fm__stream * fm__pull                             \
                 __attribute__((cleanup(fm__stream_closed))) = \
                 fm__stream_open(fm__in.fm__stream);           \
             fm__stream_once(fm__pull);)                       \
          for (__typeof__(*fm__in.fm__type[0]) x;              \
               fm__stream_next(fm__pull, &(x));)
// Step by step: fm_stream_open(&s); defer fm_stream_close(&s); while (fm_stream_next(&s, &x)) … An
// open one is given to no operator.
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
// Of one that is open: up to n of its last values, oldest first; how many. At most as many as
// fm_stream_history() says are kept.
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
async bool fm__stream_next(fm__stream *s, void *to) throws(fm_error);
async void fm__stream_closed(fm__stream **s); // NULL is allowed
async void fm__stream_emit(fm__stream *s, const void *v);
async void fm__stream_run(fm__stream *sink) throws(fm_error);
#  endif
#endif
#endif
