// report.h: the reports of the runtime: fatal errors, dumps of the tree, deadlocks, names, traces.
#ifndef FM_REPORT_H
#define FM_REPORT_H

#include "core/runtime.h"
#include <fermata/trace.h>

#include <stdio.h>

// ---- report.c ----
_Noreturn void
fm__out_of_memory(const char *what, const char *name, size_t bytes);
// Reports the message with the current activity's backtrace, and aborts.
_Noreturn void fm__fatal(fm__runtime *d, const char *message);
// The same, with the backtrace of a, which waits.
_Noreturn void fm__fatal_of(fm__runtime *d, fm_node *a, const char *message);
// The current activity waits for what `holder` holds. If an atomic around it holds that one back,
// nothing can end the wait: reports that, with both places.
void fm__check_not_held_back(fm_activity holder, const char *message);
// The same as fm__fatal, in this thread's domain: the program has called the library wrongly.
_Noreturn void fm__misuse(const char *message);
void fm__report_deadlock(fm__runtime *d);
void fm__dump(fm__runtime *d, FILE *to);
// Like snprintf, but for whole numbers and text only: then pages need no code for fractions.
int fm__format(char *to, size_t n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// "#4 writer".
void fm__print_who(FILE *to, fm__runtime *d, const fm_node *a);
// A signal may have asked for a dump.
static inline void fm__dump_if_wanted(fm__runtime *d) {
  if (d->attention & FM__DUMP) {
    d->attention &= ~(unsigned)FM__DUMP;
    fm__dump(d, stderr);
  }
}
// The innermost frame that is the program's own, if there is one.
const fm_frame *fm__of_program(const fm_frame *leaf);
bool fm__is_waiting(const fm_node *a);
// The activity for whose end a waits; NULL: a waits for something else.
const fm_node *fm__wanted_activity(const fm_node *a);
// Describes the event that a waits for: a constant text, or a text in `room`.
const char *fm__wanted(fm__runtime *d, const fm_node *a, char *room, size_t n);

typedef struct fm__place {
  const char *function, *file; // file NULL: not known
  uint32_t line;               // 0: not known
} fm__place;
// The place in the program where a has paused.
fm__place fm__place_of(fm__runtime *d, const fm_node *a);
// The line of a, and its frames, if it has any.
void fm__print_backtrace(FILE *to, fm__runtime *d, const fm_node *a);

// ---- visit.c ----
fm_state fm__state_of(fm__runtime *d, const fm_node *a);
const char *fm__node_kind(const fm_node *a); // "activity", "scope" …

// ---- deadlock.c ----
// Reports the deadlock, and makes the last activity that blocked ready, to unwind.
void fm__deadlock_break(fm__runtime *d);
void fm__throw_deadlock(fm__runtime *d); // in the current activity

// ---- watchdog.c ----
void fm__watchdog_begin(fm__runtime *d, bool dumped); // on d's thread
void fm__watchdog_end(fm__runtime *d);
void fm__watchdog_wake(void); // from a handler of a signal: a dump is wanted
// With FM__SLOW: a turn begins, or (false) none is under way.
FM_COLD void fm__watchdog_turn(fm__runtime *d, bool begins);

// ---- activity-names.c ----
const char *fm__name_of(fm__runtime *d, const fm_node *a); // never NULL

// ---- overflow.c: the end of the C stack ----
void fm__overflow_begin(fm__runtime *d); // on d's thread
void fm__overflow_end(fm__runtime *d);
// For a thread of the runtime without a domain. The result goes to fm__overflow_thread_end.
void *fm__overflow_thread_begin(void);
void fm__overflow_thread_end(void *stack);

// ---- trace-file.c: how a trace gets into the file ----
// A page has traces only if the program names a function of <fermata/trace.h> that makes them.
typedef struct fm__trace_piece { // the piece of the file that a domain writes
  char *start, *at, *end;        // at … end: the rest of it; NULL: no piece
  unsigned trace;                // number of the trace that it is part of
  size_t slot;                   // of a ring: its number from 1; 0: none
} fm__trace_piece;
// number of the trace being written; 0: none
extern FM__IF_USED _Atomic unsigned fm__trace_now;
static inline bool fm__tracing(void) {
  return FM__IS_LINKED(fm__trace_now) &&
         fm__unlikely(
             atomic_load_explicit(&fm__trace_now, memory_order_relaxed));
}
FM__IF_USED void fm__trace_domain(fm__runtime *d); // d is new
FM__IF_USED void fm__trace_domain_end(fm__runtime *d);

// ---- trace.c: the events of a trace; called only while one is written ----
FM__IF_USED FM_COLD void
fm__trace_throw(const char *type, const char *file, int line);
// Something that the current activity does. `name` and `more` together are its name.
FM__IF_USED void
fm__trace_event(unsigned kind, const char *name, const char *more);
// Something that is done to a.
FM__IF_USED void
fm__trace_on(fm__runtime *d, const fm_node *a, unsigned kind, const char *name);
FM__IF_USED void
fm__trace_cancel(fm__runtime *d, const fm_node *a, struct fm_cancelled value);
FM__IF_USED void fm__trace_name(fm__runtime *d,
                                const fm_node *a); // a has a new name
FM__IF_USED void fm__trace_ready(fm__runtime *d);  // see fm__made_ready
// The code that returns to `from` spawns.
FM__IF_USED FM_COLD void fm__trace_spawns(fm__runtime *d, void *from);
// The current activity has made a, which is in no queue.
FM__IF_USED void fm__trace_spawned(fm__runtime *d, const fm_node *a);
// A turn begins; fm__trace_end gets the value returned.
FM__IF_USED uint64_t fm__trace_begin(fm__runtime *d, fm_node *a, bool in_turn);
FM__IF_USED void fm__trace_end(fm__runtime *d,
                               fm_node *a,
                               uint64_t generation,
                               uint64_t before,
                               unsigned how);
FM__IF_USED void fm__trace_idle(fm__runtime *d); // nothing is ready
// An outermost atomic begins or ends.
FM__IF_USED FM_COLD void fm__trace_atomic(fm__runtime *d, bool begins);
// The running activity ends by an error, or by a cancel.
FM__IF_USED void fm__trace_failed(fm__runtime *d, bool cancelled);
// d's thread ends the trace. Returns d's piece of the file; NULL: it has none.
fm__trace_piece *fm__trace_stops(fm__runtime *d);
void fm__tracer_free(fm__runtime *d);

// ---- top/open.c: `fermata top` ----
void fm__top_domain(fm__runtime *d); // d is new
void fm__top_domain_end(fm__runtime *d);
void fm__top_driver(fm__runtime *d); // d has got another driver
// A viewer has paused activities of d, and may let them go on.
bool fm__top_holds(fm__runtime *d);

// ---- top/count.c: with FM__COUNT ----
// A turn begins; fm__counts_over gets the value returned.
FM_COLD uint64_t fm__counts_turn(fm__runtime *d, const fm_node *a);
FM_COLD void fm__counts_over(fm__runtime *d,
                             const fm_node *a,
                             uint64_t number,
                             uint64_t before);
FM_COLD void fm__counts_idle(fm__runtime *d); // nothing is ready

#endif
