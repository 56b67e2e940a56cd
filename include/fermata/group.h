// group.h: many calls at once, but not too many; calls that are tried again; children that say when
// they are ready.
//
// All of it is structured: what is started here are children of the current activity or innermost
// scope, a cancel reaches them, and their errors come out of the scope or of the call.
//
// * A limit of 0 means that there is none.
// * Activities that wait for their turn are served first come, first served. A wait that is
//   cancelled has had no effect.
// * A group, and the object of fm_start, belong to one domain; children may run in others.
#ifndef FERMATA_GROUP_H
#define FERMATA_GROUP_H

#include <fermata/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- groups ----
// A group has a limit: at most so many of its children are alive at once. The parent of a child is
// the current activity or innermost scope, as for any spawn, so a scope waits for the children and
// throws their errors, or `catch each` takes them. The group has to live as long as they do.

typedef struct fm_group {
  fm_sem fm__seats; // free ones
  bool fm__unlimited;
  size_t fm__promised; // seats that were taken for children to come
  size_t fm__alive;
  struct fm_pool *fm__pool; // where children run; NULL: here
  // fm_group_next: how many children have a task, and were not returned
  bool fm__collects;
  size_t fm__spawned, fm__kept;
  struct fm__seat *fm__first, **fm__last; // those that have ended, in order
  fm_sem fm__news;                        // how many these are
} fm_group;
// Makes a group. At most `limit` of its children are alive at once.
void fm_group_init(fm_group *g, size_t limit);
// Makes the children run in the domains of the pool, as `spawn on(pool)`. NULL: here again.
void fm_group_on(fm_group *g, struct fm_pool *pool);
// Returns how many children are alive.
size_t fm_group_alive(const fm_group *g);
// From now on the group notes which children with a kept task end, for fm_group_next. They are
// counted from 0 in the order of their spawns.
void fm_group_collect(fm_group *g);
// Forgets the children that have ended and that fm_group_next has not returned; a group that does
// not collect needs no such call.
void fm_group_free(fm_group *g);

// What `spawn in(g) f(x)` becomes.
fm_task
fm__spawn_in_group(fm_domain *c, fm_frame *root, unsigned how, fm_group *g);
size_t
fm__group_take(fm_group *g); // the number of the first one that has ended

// ---- arrays ----

typedef struct fm__elements {
  size_t n;
  size_t workers; // activities that work on them
  size_t next;    // which is taken next, by activities of any domain
} fm__elements;
static inline fm__elements fm__elements_of(size_t n, size_t limit) {
  return (fm__elements){ n, limit == 0 || limit > n ? n : limit, 0 };
}
// SIZE_MAX: there is none
static inline size_t fm__elements_next(fm__elements *e) {
  size_t k = __atomic_fetch_add(&e->next, 1, __ATOMIC_RELAXED);
  return k < e->n ? k : SIZE_MAX;
}

// ---- retry ----

// How often and when a call is tried again. Members that are 0 mean what stands in parentheses.
struct fm_retry {
  unsigned attempts;     // how many at most, the first one included (no limit)
  uint64_t within_ms;    // no attempt begins later than that (no limit)
  uint64_t delay_ms;     // before the second attempt (at once)
  double factor;         // by which the delay grows each time (2)
  uint64_t max_delay_ms; // it grows no longer than that (no limit)
  double jitter;         // the part of the delay that is random: 0 to 1 (none)
  // whether this error is one that a further attempt may avoid (all are)
  bool (*again)(const fm_error *e, void *arg);
  void *arg;
};

typedef struct fm__retry {
  struct fm_retry how;
  unsigned attempts; // so far
  uint64_t began;
  double delay; // the next one, without jitter
} fm__retry;
void fm__retry_begin(fm__retry *r, struct fm_retry how);
// An attempt has failed. Whether there is to be another one, and after how many milliseconds.
bool fm__retry_again(fm__retry *r, const fm_error *e, uint64_t *ms);
uint64_t fm__random(uint64_t n); // below n, by the seed of the schedule

// ---- starting ----

//: typedef fm_starting(T) name
// What a child uses to say that it is ready, with a value of type T. It belongs to one fm_start.
#define fm_starting(T)     \
  struct {                 \
    fm__starting fm__base; \
    T fm__value;           \
  }
typedef struct fm__starting {
  fm_sem ready;
  bool is;
} fm__starting;
void fm__starting_init(fm__starting *s);
void fm__starting_is(fm__starting *s);
//: void fm_ready(fm_starting(T) *s, T v)
// In the child: fm_start returns v, and goes on in its own turn. A second call changes nothing.
#define fm_ready(s, ...)                              \
  (__extension__({                                    \
    __auto_type fm__o = (s);                          \
    __typeof__(fm__o->fm__value) fm__v = __VA_ARGS__; \
    if (!fm__o->fm__base.is)                          \
      fm__o->fm__value = fm__v;                       \
    fm__starting_is(&fm__o->fm__base);                \
  }))

#ifdef __cplusplus
}
#endif

#ifndef FERMATA_NO_KEYWORDS
#  ifndef __cplusplus

// ---- groups ----

// Waits until one more child may be alive, and takes the place for the next `spawn in(g) f(x)`.
async void fm_group_wait(fm_group *g);
// Waits for the next child to end, and returns its number; then its task can be awaited without
// waiting. Returns FM_NONE if there is none left. The group has to collect.
async size_t fm_group_next(fm_group *g);
#    define FM_NONE SIZE_MAX

#    ifdef __FERMATA__
//: async task(T) fm_group_spawn(fm_group *g, T call)
// Waits until fewer children than the limit are alive, then spawns the call. Its arguments are
// evaluated before the wait. The value is the task; as a statement the task is dropped, as that of
// `spawn f(x);`. It is short for `fm_group_wait(g); spawn in(g) f(x);`.
#      define fm_group_spawn(g, ...)                \
        __extension__({                             \
          fm_group *fm__g = (g);                    \
          __auto_type fm__j = __fm_job __VA_ARGS__; \
          __fm_defer fm_job_free(fm__j);            \
          fm_group_wait(fm__g);                     \
          __fm_spawn in(fm__g)fm__j;                \
        })

// ---- arrays ----

//: async void fm_map(R *out, T *in, size_t n, size_t limit, async R (*f)(T))
// Computes out[i] = f(in[i]) for all n elements; at most `limit` calls are under way at once, and
// they begin in the order of the elements. The first error cancels the rest and is thrown when they
// have unwound. f may throw; then fm_map throws the same.
#      define fm_map(out, in, n, limit, f) \
        FM__WORK(                          \
            , n, limit, out, in, f, fm__out[fm__k] = fm__fun(fm__in[fm__k]))
//: async void fm_map_on(fm_pool *p, R *out, T *in, size_t n, size_t limit, async R (*f)(T))
// The same in the domains of a pool.
#      define fm_map_on(p, out, in, n, limit, f) \
        FM__WORK(on(p),                          \
                 n,                              \
                 limit,                          \
                 out,                            \
                 in,                             \
                 f,                              \
                 fm__out[fm__k] = fm__fun(fm__in[fm__k]))
//: async void fm_each(T *in, size_t n, size_t limit, async void (*f)(T))
// Calls f(in[i]) likewise, and drops what it returns.
#      define fm_each(in, n, limit, f) \
        FM__WORK(, n, limit, NULL, in, f, (void)fm__out, fm__fun(fm__in[fm__k]))
// Activities that take the next element until there is none.
#      define FM__WORK(place, n, limit, out, in, f, ...)                    \
        __extension__({                                                     \
          __auto_type fm__out = (out);                                      \
          __auto_type fm__in = (in);                                        \
          __typeof__(&*(f)) fm__fun = (f);                                  \
          fm__elements fm__e = fm__elements_of((n), (limit));               \
          fm__elements *fm__all = &fm__e;                                   \
          __auto_type fm__j = __fm_job(fm__all, fm__out, fm__in, fm__fun) { \
            for (size_t fm__k;                                              \
                 (fm__k = fm__elements_next(fm__all)) != FM_NONE;)          \
              __VA_ARGS__;                                                  \
          };                                                                \
          __fm_defer fm_job_free(fm__j);                                    \
          __fm_scope for (size_t fm__w = fm__e.workers; fm__w > 0; fm__w--) \
              __fm_spawn place fm__j;                                       \
        })

// ---- retry ----

//: async T fm_retry(struct fm_retry how, T call)
// Evaluates an expression that waits; if it throws an error, evaluates it again after a delay, as
// `how` says. Returns its value; the error of the last attempt is thrown. A cancel is no error, and
// ends the delay, too. How is a compound literal in parentheses:
// `fm_retry(((struct fm_retry){ .attempts = 5, .delay_ms = 100 }), fm_connect(host, port))`.
#      define fm_retry(how, ...)                                        \
        __extension__({                                                 \
          fm__retry fm__r;                                              \
          uint64_t fm__ms;                                              \
          __typeof__(FM__IF_VOID(0, (__VA_ARGS__), __VA_ARGS__)) fm__v; \
          for (fm__retry_begin(&fm__r, how);;) {                        \
            __fm_try {                                                  \
              fm__v = FM__IF_VOID(((void)(__VA_ARGS__), 0),             \
                                  (__VA_ARGS__),                        \
                                  __VA_ARGS__);                         \
              break;                                                    \
            }                                                           \
            __fm_catch(fm_error *fm__e) {                               \
              if (!fm__retry_again(&fm__r, fm__e, &fm__ms))             \
                __fm_throw;                                             \
            }                                                           \
            fm__retry_sleep(fm__ms);                                    \
          }                                                             \
          FM__IF_VOID((void)fm__v, fm__v, __VA_ARGS__);                 \
        })

#      define FM__IF_VOID(a, b, ...) \
        __builtin_choose_expr(       \
            __builtin_types_compatible_p(__typeof__(__VA_ARGS__), void), a, b)

// ---- starting ----

//: async T fm_start(fm_starting(T) *s, call) throws(struct fm_gone)
// Spawns the call, which is given s among its arguments, and waits until it says that it is ready:
// returns the value of fm_ready. The child goes on, as if it had been spawned and the task dropped.
// If the child ends first, its error is thrown, or struct fm_gone. A cancel while fm_start waits
// cancels the child.
#      define fm_start(s, ...)                            \
        __extension__({                                   \
          __auto_type fm__s = (s);                        \
          fm__starting_init(&fm__s->fm__base);            \
          __auto_type fm__t = __fm_spawn __VA_ARGS__;     \
          fm__start_wait(&fm__s->fm__base, fm_id(fm__t)); \
          if (!fm__s->fm__base.is) {                      \
            __fm_await fm__t;                             \
            __fm_throw(struct fm_gone){ NULL };           \
          }                                               \
          fm_detach(fm__t);                               \
          fm__s->fm__value;                               \
        })
#    else
// For editors: the types are seen, and nothing runs.
#      define fm_group_spawn(g, ...) ((void)(g), spawn __VA_ARGS__)
#      define fm_map(out, in, n, limit, f) \
        ((void)(n), (void)(limit), (void)((out)[0] = (f)((in)[0])))
#      define fm_map_on(p, out, in, n, limit, f) \
        ((void)(p), fm_map(out, in, n, limit, f))
#      define fm_each(in, n, limit, f) \
        ((void)(n), (void)(limit), (void)(f)((in)[0]))
#      define fm_retry(how, ...) ((void)(how), __VA_ARGS__)
#      define fm_start(s, ...) ((void)(__VA_ARGS__), (s)->fm__value)
#    endif

async void fm__start_wait(fm__starting *s, fm_activity child);
async void fm__retry_sleep(uint64_t ms);
#  endif
#endif
#endif
