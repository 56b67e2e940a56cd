// atomicity-hooks.h: what the runtime reports to -fsanitize=atomicity (runtime/atomicity/). Only
// the variant of the library for that sanitizer has these calls; elsewhere they are nothing.
#ifndef FM_ATOMICITY_HOOKS_H
#define FM_ATOMICITY_HOOKS_H

#include "core/runtime.h"

// The turn that another one interrupts, on the same C stack.
typedef struct fm__ato_turn_before {
#ifdef FM_ATOMICITY
  fm__runtime *domain;
  struct fm__actor *actor;
  struct fm__invocation *now, *bottom;
#else
  char unused;
#endif
} fm__ato_turn_before;

#ifdef FM_ATOMICITY
// A turn of a begins, or goes on for another activity.
void fm__ato_turn(fm__runtime *d, fm_node *a);
// Around a turn.
void fm__ato_turn_enter(fm__ato_turn_before *was);
void fm__ato_turn_leave(const fm__ato_turn_before *was);
void fm__ato_resumes(
    fm_frame *f); // its function is entered next; NULL: it was left
// `by` has waited for the end of the child. The child is still a node of its own.
void fm__ato_joined(fm_node *child, fm_node *by);
void fm__ato_skip(const void *p,
                  size_t n); // the runtime's own memory: whole pages
// For traces, after a turn: number of the activity that in the gap before it wrote what the turn
// used; 0: none. It is reported once.
uint64_t fm__ato_gap(void);
#else
#  define fm__ato_gap() ((uint64_t)0)
#  define fm__ato_turn(d, a) ((void)0)
#  define fm__ato_turn_enter(was) ((void)(was))
#  define fm__ato_turn_leave(was) ((void)(was))
#  define fm__ato_resumes(f) ((void)0)
#  define fm__ato_joined(child, by) ((void)0)
#  define fm__ato_skip(p, n) ((void)0)
#endif

#endif
