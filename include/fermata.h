// fermata.h: C plus asynchrony. Including it turns the dialect's keywords on for the rest of the
// translation unit; a file that does not include it is plain C and no word is reserved.
//
//   async await spawn activate atomic yield run job task scope race shield defer
//   throw throws try catch finally asyncdirect
//
// Every name of the library starts with fm_. fmcc defines __FERMATA__; another tool that reads the
// file (an editor's language server, say) gets the keywords as macros from <fermata/keywords.h>,
// good enough to parse most of the dialect.
#ifndef FERMATA_H
#define FERMATA_H

#if !defined __cplusplus && \
    (!defined __STDC_VERSION__ || __STDC_VERSION__ < 199901L)
#  error \
      "<fermata.h> needs C99 or newer: compile without -ansi and -std=c90, or with -std=gnu11"
#endif

// FERMATA_TRANSLATED: the unit is what fmcc --emit-c has made, plain C that declares what it uses.
#ifdef FERMATA_TRANSLATED
#  ifndef FERMATA_NO_KEYWORDS
#    define FERMATA_NO_KEYWORDS
#  endif
// A program does not need all that is generated.
#  pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#  pragma GCC diagnostic ignored "-Wunused-const-variable"
#  pragma GCC diagnostic ignored "-Wunused-function"
#  pragma GCC diagnostic ignored "-Wunused-label"
#  pragma GCC diagnostic ignored "-Wunused-parameter"
#  pragma GCC diagnostic ignored "-Wunused-variable"
#endif

// Another C compiler would make a program that runs and does something else, since keywords.h is
// made for reading alone. So no code comes of it: its assembler stops, with a message. Nothing is
// said where no code is made: by -fsyntax-only, language servers, indexers. FERMATA_NO_KEYWORDS:
// the unit is plain C that calls plain functions of the library.
#if !defined __FERMATA__ && !defined __cplusplus && \
    !defined FERMATA_NO_KEYWORDS && !defined __INTELLISENSE__
#  if defined __GNUC__ && !defined __TINYC__
__asm__(".error \"" __BASE_FILE__
        " is written in Fermata: compile it with fmcc\"");
#  elif !defined __cppcheck__ && !defined __CHECKER__
#    error "this file is written in Fermata: compile it with fmcc"
#  endif
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <fermata/abi.h>

// ---- the library itself ----

// Returns the version of the library that the program is linked with: "MAJOR.MINOR.PATCH".
const char *fm_version(void);

// Makes the library take its memory from `realloc_fn`, for the whole process. Call it before any
// other function of the library. NULL brings back malloc. All threads call the function:
//     realloc_fn(ctx, NULL, n)   a new block of n bytes, aligned to 16
//     realloc_fn(ctx, p, n)      p grown or shrunk to n bytes; on NULL, p stays valid
//     realloc_fn(ctx, p, 0)      frees p and returns NULL
// NULL for n > 0 means that no memory is left: the library reports that and ends the program.
void fm_set_allocator(void *(*realloc_fn)(void *ctx, void *p, size_t n),
                      void *ctx);

// ---- activities ----
// An fm_activity names an activity or a scope. It is a plain value: it can be copied and kept.
// After the activity has ended, every function accepts the name and does nothing. Cancel, pause,
// resume, alive and join work from any thread, on activities of any domain.

// Returns the activity that runs; in plain code that no activity called, the name of none.
fm_activity fm_self(void);
//: fm_activity fm_id(task(T) t)
// Returns the activity whose result t is. t can still be awaited.
fm_activity fm_id(fm_task t);
// Reports whether the activity, or one of its children, has not ended.
bool fm_alive(fm_activity a);
// Gives the activity a name for reports; the text is copied. NULL: its function's name again.
void fm_set_name(fm_activity a, const char *name);
// Prints the tree of this thread's activities: name, state, where each waits, and for what. With
// FERMATA_DUMP=1 in the environment, SIGUSR1 does the same.
void fm_dump(FILE *to);

// How an activity has ended.
typedef enum fm_end {
  FM_END_UNKNOWN, // it had ended before anybody asked, and nothing is known of it any more
  FM_END_RETURNED, // its function has returned
  FM_END_ERROR,    // by an error
  FM_END_CANCELLED // by a cancel
} fm_end;
typedef struct fm_outcome {
  fm_end how;
  const char *error; // FM_END_ERROR: the name of the structure; else NULL
  const char *file;  // where it was thrown or cancelled; NULL: not known
  int line;
} fm_outcome;

// ---- locals of activities ----
// `fm_local(T) name;` at file scope, also `static` or `extern`, is a variable that each activity
// has for itself. T is any type that can be assigned. An activity begins with the values that the
// activity which made it had then, whatever form of spawn, activate or race made it, and in
// whatever domain. A spawn copies nothing: the first set of a value does. Before the first set the
// value is zero, or the initial value: `fm_local(int) level = fm_local_initial(int, 3);`. Plain
// code that no activity called has values of its own, in each thread; `run` begins with them.
// Dumps, the reports of deadlocks and gdb show the values that are not as at first.

// clang-format off
//: T fm_local_get(fm_local(T) *l)
// Returns the value that the activity has.
#define fm_local_get(l)                                                        \
  ((void)0, *(const fm__local_of(l) *)__extension__(                           \
                fm__local_get((fm__local *)(l))                                \
                    ?: fm__local_first(                                        \
                        (fm__local *)(l), fm__local_shape(l), #l)))
//: void fm_local_set(fm_local(T) *l, T v)
// Sets the value, for this activity and for those that it makes from now on.
#define fm_local_set(l, ...)                                          \
  __extension__({                                                     \
    fm__local_of(l) fm__v = __VA_ARGS__;                              \
    *(fm__local_of(l) *)fm__local_put((fm__local *)(l),               \
                                      fm__local_shape(l),             \
                                      #l,                             \
                                      fm__local_kind(fm__v)) = fm__v; \
    (void)0;                                                          \
  })
//: fm_local_initial(T, value)
// The initializer of a local: every activity has this value before it sets another one. Of a
// structure the values of its members are given.
#define fm_local_initial(T, ...)                  \
  {                                               \
    (__typeof__(T) ***)(void *)&(__typeof__(T)) { \
      __VA_ARGS__                                 \
    }                                             \
  }

//: fm_local(T) name
// Declares a local. It is two pointers, of a type that is the same in each declaration.
#define fm_local(T) __typeof__(__typeof__(T) ***[2])
typedef struct fm__local {         // what they are
  const void *initial;             // NULL: zero
  struct fm__local_record *record; // NULL: it was never set
} __attribute__((may_alias)) fm__local;
#define fm__local_of(l) __typeof__(*****(l))
#define fm__local_shape(l) sizeof(fm__local_of(l)), __alignof__(fm__local_of(l))
// How reports show it: integers, real numbers, texts, pointers; 0: its size only.
#define fm__local_kind(v) \
  _Generic((v),                                                                \
      char *: 's', const char *: 's',                                          \
      char: 'i', signed char: 'i', short: 'i', int: 'i', long: 'i',            \
      long long: 'i', _Bool: 'u', unsigned char: 'u', unsigned short: 'u',     \
      unsigned: 'u', unsigned long: 'u', unsigned long long: 'u', float: 'f',  \
      double: 'f', long double: 'f',                                           \
      default: __builtin_classify_type(v) == 5 ? 'p' : 0)
// clang-format on
// NULL: it has its first value, which fm__local_first returns. text: what the program wrote for the
// address of the local
const void *fm__local_get(fm__local *l);
const void *
fm__local_first(fm__local *l, size_t size, size_t align, const char *text);
void *fm__local_put(
    fm__local *l, size_t size, size_t align, const char *text, int kind);

// ---- tasks ----
// A task(T) is a handle for one result. It is awaited, shared or given up once; a second await ends
// the program with a message. A task belongs to the domain that spawned it. An error of a task that
// was never awaited is thrown in the parent when the parent ends.

//: task(T) fm_share(task(T) t)
// Returns one more handle, for one more waiter; t stays valid.
fm_task fm_share(fm_task t);
//: void fm_detach(task(T) t)
// Gives the handle up. The activity goes on as a child of its parent; its value is dropped.
void fm_detach(fm_task t);

// ---- jobs ----

//: void fm_job_free(job(T) j)
// Frees the job. Activities that already run from it go on.
void fm_job_free(fm_job j);

// ---- completions ----
// The body of `asyncdirect T f(args, fm_completion(T) *k)` is plain C: it registers k somewhere and
// returns. Callers write `v = f(args)` and wait until k is completed; they do not pause if the body
// has completed it. T may be void. An open completion is never a deadlock.

//: void fm_on_cancel(fm_completion(T) *k, void (*fn)(void *), void *arg)
// In the asyncdirect function: makes the wait cancellable. On a cancel, fn runs in the domain of
// the waiting activity. A completion before fn returns wins; otherwise k is dead when fn returns,
// and nobody may use it. A fn that calls fm_on_cancel again refuses: the wait goes on. Without
// fm_on_cancel a cancel waits for the completion.
static inline void
fm_on_cancel(fm_completion *k, void (*fn)(void *), void *arg) {
  fm__on_cancel(k, fn, arg);
}

// ---- awaitables ----

// From any thread: ends the wait that the action was made for. Returns false, and changes nothing,
// if the wait was over.
bool fm_resume_action(fm_action *action);

// ---- cancel, pause, resume ----
// These act on an activity or scope and on everything below it. A node that has ended is left
// alone. A cancel unwinds through `defer` and `finally` and cannot be caught. It is permanent: each
// later pause meets it again. `shield`, `atomic`, `defer` and `finally` hold it back. Awaiting a
// cancelled task throws struct fm_cancelled.

// Cancels: a blocked activity unwinds at once, the others at their next pause. A cancelled scope
// unwinds to its end; execution goes on after it, with its `else`.
void fm_cancel(fm_activity a);
// Sets one more deadline at which the node is cancelled; without effect if it has ended by then.
// The time counts from the next reading of the clock, at the latest when nothing is ready or a
// slice ends: a deadline is never early.
void fm_cancel_after(fm_activity a, uint64_t ms);
// Sets the deadline of a scope, at which it is cancelled, or moves it: ms milliseconds from now on.
// A scope has one of these beside those of fm_cancel_after.
void fm_deadline(fm_activity scope, uint64_t ms);
// Removes the deadline that fm_deadline has set.
void fm_no_deadline(fm_activity scope);
// Returns the milliseconds, rounded up, to the nearest deadline of the scope or activity and of all
// nodes above it in its domain; UINT64_MAX: there is none.
uint64_t fm_time_left(fm_activity scope);
// Reports whether a cancel, of the node itself or from above, has marked the node.
bool fm_cancelled(fm_activity a);
// Stops each activity when it would next go on from a pause. The operations that it waits for go
// on.
void fm_pause(fm_activity a);
// Ends what fm_pause of the same node began.
void fm_resume(fm_activity a);
void fm__cancel_at(fm_activity a, const char *file, int line);
// so that struct fm_cancelled has the place of the call
#define fm_cancel(a) fm__cancel_at((a), __FILE__, __LINE__)

// ---- errors ----
// `catch (fm_error *e)` gives one; it lives until the catch ends.

// Returns the name of the thrown structure: "parse_error".
const char *fm_error_name(const fm_error *e);
// Returns the structure that was thrown.
const void *fm_error_value(const fm_error *e);
// Return the place of the throw; "?" if the library threw it.
const char *fm_error_file(const fm_error *e);
int fm_error_line(const fm_error *e);
// Returns a further error: of the same scope or fm_all, of a loser of the same race or fm_any, or
// one that an error in finally or defer replaced; NULL: there is none.
const fm_error *fm_error_next(const fm_error *e);
// Prints the error and the further ones, each with the functions and activities that it has left.
void fm_error_print(const fm_error *e, FILE *to);

// ---- errors that nobody awaits ----

// Sets the handler of this thread's domain for errors that are thrown in nobody: of detached
// activities, of agents that are started again, of activities that failed by themselves and lost a
// race or fm_any. a: the activity that failed. NULL, and at first: such errors are reported; the
// error of a detached activity aborts the process.
void fm_on_error(void (*fn)(const fm_error *e, fm_activity a, void *arg),
                 void *arg);

// ---- predefined errors ----

// A system call failed with this errno.
struct os_error {
  int code;
};
// The awaited task was cancelled. Not checked: any await may throw it.
struct fm_cancelled {
  // the activity that called fm_cancel; none: plain code, an error, a race or the end of the run
  fm_activity by;
  const char *file; // the place of that call; NULL: not known
  int line;
};
// A call with a time limit, such as fm_ask, took longer than this.
struct fm_timeout {
  uint64_t ms;
};
// The channel is closed.
struct fm_closed {
  int unused;
};
// The agent that fm_ask asked has ended: with the error of this name, or (NULL) by a return or a
// cancel. Or the child of fm_start has ended before it was ready.
struct fm_gone {
  const char *error;
};
// Nothing is ready or pending. Thrown in the last activity to block, after a report on standard
// error. Not checked.
struct fm_deadlock {
  int unused;
};

#ifdef __cplusplus
}
#endif

#if defined __FERMATA__ && !defined FERMATA_TRANSLATED
#  pragma fermata
#  ifdef __clang__
// `auto`, and the macros of the library: with -Wpedantic clang would warn of each
#    pragma clang diagnostic ignored "-Wgnu-auto-type"
#  endif

// ---- completions ----

//: bool fm_complete(fm_completion(T) *k, T v)
//: bool fm_complete(fm_completion(void) *k)
// From any thread: ends the wait with v. Returns false, and changes nothing, if the wait was over.
bool fm_complete(fm_completion *k, ...);
//: bool fm_fail(fm_completion(T) *k, struct any error)
// Likewise, and throws the structure in the waiting activity; the asyncdirect function declares it
// with `throws`.
bool fm_fail(fm_completion *k, ...);

// ---- activities ----

// Waits until the activity has ended, by its end, an error or a cancel; does not wait if it has. It
// takes no result and throws nothing.
async void fm_join(fm_activity a);
// The same, and returns how it has ended. It takes nothing from those who await the activity: any
// number of activities, of any domain, may ask. An activity that has ended is known as long as a
// task of it is held; otherwise the result is FM_END_UNKNOWN, as for a scope. `spawn now
// fm_end_of(a)` watches from this moment on.
async fm_outcome fm_end_of(fm_activity a);

// ---- tasks ----

//: async void fm_all(task(T) *t, size_t n)
// Waits until all have ended; then each can be awaited without waiting. The first error cancels the
// rest and is thrown when they have unwound; further errors hang on it. When it throws, it has
// given up all handles.
async void fm_all(fm_task *t, size_t n);
//: async size_t fm_any(task(T) *t, size_t n)
// Returns the index of the first to end, which can be awaited without waiting. The rest are
// cancelled and have unwound; their handles and values are given up. Errors of the rest hang on the
// error of the first; if the first succeeded, they go to the handler of the domain.
async size_t fm_any(fm_task *t, size_t n);

// ---- cancel, pause, resume ----

// Lets a cancel of the current activity take effect, for code that computes for long; otherwise
// does nothing.
async void fm_checkpoint(void);
//: async T fm_within(uint64_t ms, T call) throws(struct fm_timeout)
// Evaluates an expression that waits, at most so long: the value of the call, or struct fm_timeout
// when the call has unwound. What it has spawned is waited for, too. Time limits nest; the nearest
// one ends the call, and is thrown where it was set.
#  define fm_within(ms, ...)                            \
    __extension__({                                     \
      uint64_t fm__ms = (ms);                           \
      __fm_within(fm__ms, __VA_ARGS__, __extension__({  \
                    throw(struct fm_timeout){ fm__ms }; \
                  }));                                  \
    })
#elif !defined __cplusplus && !defined FERMATA_NO_KEYWORDS
#  include <fermata/keywords.h>
#endif

#endif
