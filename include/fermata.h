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

// The version of the library that the program is linked with, as "MAJOR.MINOR.PATCH".
const char *fm_version(void);

// Makes the library take its memory from `realloc_fn`, for the whole process; call it before
// anything else of the library.
//   realloc_fn(ctx, NULL, n)   a new block of n bytes, aligned as malloc's
//   realloc_fn(ctx, p, n)      p grown or shrunk to n bytes, perhaps moved; p stays valid when NULL is returned
//   realloc_fn(ctx, p, 0)      p is freed; returns NULL
// A function that returns NULL for n > 0 has run out of memory. NULL for `realloc_fn` brings back
// malloc. With several threads, the function is called from all of them.
void fm_set_allocator(void *(*realloc_fn)(void *ctx, void *p, size_t n),
                      void *ctx);

// ---- activities ----
// An activity is named by a fm_activity, which stays harmless when the activity has ended.
// the one that calls; in plain code that no activity called: none
fm_activity fm_self(void);
bool fm_alive(fm_activity a); // it, or one of its children, has not ended
// for reports; the text is copied. NULL: its function's name again
void fm_set_name(fm_activity a, const char *name);
fm_activity fm_id(fm_task t); // of any task(T): whose task it is
// one more handle for one more waiter; of the same type as t
fm_task fm_share(fm_task t);
void fm_detach(fm_task t);  // gives the handle up; the activity goes on
void fm_job_free(fm_job j); // of any job(T); what runs from it goes on
// In an asyncdirect function: its wait can be cancelled. fn then runs in the waiting activity's
// domain; when it has returned, no one may complete k any more, and a completion before that wins.
// A fn that calls fm_on_cancel again refuses: the wait goes on.
static inline void
fm_on_cancel(fm_completion *k, void (*fn)(void *), void *arg) {
  fm__on_cancel(k, fn, arg);
}
// from any thread: ends the wait it was given for; false: that was over
bool fm_resume_action(fm_action *action);
// this thread's activities, as a tree: name, state, where it waits, for what
void fm_dump(FILE *to);

// ---- cancel, pause, resume: of an activity or scope and all below it; one that has ended is left alone ----
// they unwind: who waits at once, the others at their next pause
void fm_cancel(fm_activity a);
// A deadline; of several each counts; none, if it has ended by then. Counted from the next reading
// of the clock, which comes at the latest when nothing is ready or a slice ends: never early.
void fm_cancel_after(fm_activity a, uint64_t ms);
// it has been marked by a cancel, of itself or from above
bool fm_cancelled(fm_activity a);
// they stop when they would next go on from a pause; what they wait for goes on
void fm_pause(fm_activity a);
void fm_resume(fm_activity a); // ends what fm_pause of the same one began
void fm__cancel_at(fm_activity a, const char *file, int line);
// so that struct fm_cancelled can tell where
#define fm_cancel(a) fm__cancel_at((a), __FILE__, __LINE__)

// ---- errors: what `catch (fm_error *e)` gives; it lives until the catch ends ----
// the struct's name: "parse_error"
const char *fm_error_name(const fm_error *e);
// where it was thrown; "?": by the library
const char *fm_error_file(const fm_error *e);
int fm_error_line(const fm_error *e);
const void *fm_error_value(const fm_error *e); // the struct that was thrown
// a further error of the same scope; NULL: there is none
const fm_error *fm_error_next(const fm_error *e);
// it and the further ones, each with the functions it has left
void fm_error_print(const fm_error *e, FILE *to);
// Errors of this thread that no one is there to be thrown go to `fn`: of detached activities, of
// agents that are started again, of what failed by itself and lost a race or fm_any. NULL, and at
// first: they are reported; that of a detached activity aborts the process.
void fm_on_error(void (*fn)(const fm_error *e, fm_activity a, void *arg),
                 void *arg);

struct os_error {
  int code;
};                    // a system call failed: its errno
struct fm_cancelled { // the task that was awaited has been cancelled
  // by whom; none: by plain code, an error, a race or the end of the run
  fm_activity by;
  const char *file; // where; NULL: not known
  int line;
};
// that long it took, and longer it was not to take
struct fm_timeout {
  uint64_t ms;
};
struct fm_closed {
  int unused;
}; // the channel is closed
// who was asked has ended; by that error, or NULL: it returned, or was cancelled
struct fm_gone {
  const char *error;
};
// nothing is ready or pending; thrown in the last to block, after the report
struct fm_deadlock {
  int unused;
};

#ifdef __cplusplus
}
#endif

#ifdef __FERMATA__
#  pragma fermata
#  ifdef __clang__
// `auto`, and the macros of the library: with -Wpedantic clang would warn of each
#    pragma clang diagnostic ignored "-Wgnu-auto-type"
#  endif
// fm_complete(k, v), v of the type that k is of: ends the wait; false: it was over. From any thread
bool fm_complete(fm_completion *k, ...);
// fm_fail(k, error): the same, and throws any structure in the one that waits
bool fm_fail(fm_completion *k, ...);
// waits until it has ended, however; at once if that is so already
async void fm_join(fm_activity a);
// until all have ended, then await them; the first error cancels the rest and is thrown
async void fm_all(fm_task *t, size_t n);
// which one is the first to end, then await it; the rest are cancelled, and have unwound
async size_t fm_any(fm_task *t, size_t n);
// lets a cancel of the current activity take effect; else does nothing
async void fm_checkpoint(void);
#elif !defined __cplusplus && !defined FERMATA_NO_KEYWORDS
#  include <fermata/keywords.h>
#endif

#endif
