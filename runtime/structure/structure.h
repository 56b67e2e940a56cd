// structure.h: structured concurrency: errors and unwinding, cancel, pause, scopes, races, fm_all
// and fm_any, deadlines.
#ifndef FM_STRUCTURE_H
#define FM_STRUCTURE_H

#include "core/core.h"

// ---- error.c: errors, counted by reference ----
// A cancel that unwinds may carry errors that cleanups threw meanwhile; these end with the node
// that was cancelled. The bit FM_CANCELLING in the pointer marks such a cancel.
static inline bool fm__cancels(const fm_error *e) {
  return (uintptr_t)e & (uintptr_t)FM_CANCELLING;
}
static inline fm_error *fm__carried(fm_error *e) {
  return (fm_error *)((uintptr_t)e & ~(uintptr_t)FM_CANCELLING);
}
static inline fm_error *fm__carry(fm_error *e) {
  return (fm_error *)((uintptr_t)e | (uintptr_t)FM_CANCELLING);
}
fm_error *fm__error_new(const void *value,
                        size_t size,
                        const char *type,
                        const char *file,
                        int line);
// A copy of e and of the errors that hang on it, which nobody else has.
fm_error *fm__error_copy(const fm_error *e);
// One more reference; NULL and FM_CANCELLING are allowed.
fm_error *fm__error_share(fm_error *e);
// Hangs `more`, which the caller gives up, on first; returns the first error.
fm_error *fm__error_add(fm_error *first, fm_error *more);
// The errors that a cancel carried are thrown now, as any others.
fm_error *fm__error_in_flight(fm_error *e);
// Cleanups threw all of these while cancels unwound; NULL is allowed.
bool fm__error_all_in_cancel(const fm_error *e);
// a was cancelled, and e is what readers of its result are thrown.
fm_error *fm__error_mark_cancel(fm_error *e, const fm_node *a);
bool fm__error_is_cancel_of(const fm_error *e, const fm_node *a);
void fm__throw_shared(fm_error *e); // sets fm__thrown to one more reference
void fm__report_error(const fm_error *e);
// Gives e to the domain's handler.
void fm__error_of_detached(fm__runtime *d, fm_node *a, fm_error *e);
// Gives up e, with which a has failed and which will be thrown nowhere: to the handler, or it is
// reported. NULL, FM_CANCELLING: does nothing.
void fm__error_unwanted(fm__runtime *d,
                        fm_node *a,
                        fm_error *e,
                        const char *why);

// ---- unwind.c: frames and activities that an error leaves ----
// The first frame from f outwards that has something to do, or that of the clause `catch each` in
// which a goes on; NULL: a has ended, or waits for its children.
fm_frame *fm__land(fm__runtime *d, fm_node *a, fm_frame *f);
// The same when f's function has been left by unwinding.
fm_frame *fm__left(fm__runtime *d, fm_node *a, fm_frame *f);
// The current activity unwinds; fm__thrown is set.
void fm__start_unwinding(fm__runtime *d);
void fm__throw_cancel(fm__runtime *d); // the same, because of a cancel
// The result of an activity that has failed.
void fm__fail_with(fm_frame *root, fm_error *e);
void fm__mark_read(
    fm_frame *root); // its error was thrown in an activity that awaited
// A reader takes the result, to c.result. false: an error, the reader unwinds.
bool fm__read_result(fm__runtime *d, fm_frame *f);
void fm__result_free(fm__runtime *d, fm_frame *f);
// What becomes of an activity that has failed.
typedef enum fm__fate {
  FM__ENDS,   // its error has been handed on, or will be read
  FM__STAYS,  // it is kept, because nobody has seen its error
  FM__GOES_ON // in the clauses of its scope that take the error
} fm__fate;
// a has failed and ended.
fm__fate fm__failed(fm__runtime *d, fm_node *a, fm_frame *root);
// All children of s have ended. Those whose error nobody has seen go on in the clauses of s, if it
// has any. Returns whether there are some.
bool fm__revive_kept(fm__runtime *d, fm_node *s);
void fm__give_up(fm__runtime *d,
                 fm_node *a); // an ended task that nobody will await
// Takes an error that nobody has seen out of the first frame of an ended activity; NULL: none.
fm_error *fm__take_unseen(fm_frame *f);
// Gives up an ended task; adds its error to `errors`, if nobody has seen it.
fm_error *fm__forget(fm__runtime *d, fm_node *a, fm_error *errors);
// The winner has ended. Hangs the errors on its own, if it failed.
void fm__errors_of_losers(fm__runtime *d, fm_node *winner, fm_error *errors);
// Gives up a's children, which have ended. Returns the errors that nobody has seen.
fm_error *fm__drop_kept(fm__runtime *d, fm_node *a);

// ---- cancel.c ----
void fm__cancel(fm__runtime *d, fm_node *a); // a and all below it
// Does the work of fm_cancel. value: the activity that called it, and the place.
void fm__cancel_target(fm__runtime *d, fm_node *a, struct fm_cancelled value);
void fm__cancel_below(fm__runtime *d,
                      fm_node *a); // a's children that are not marked
// Whether a cancel has come that the defers, finallys and shields of this activity hold back.
bool fm__cancel_pends(void);
// A cancel has made a unwind to its end: notes that in the scope that was cancelled.
void fm__cut_short(fm_node *a);
// Whether a, which runs, is to unwind has changed.
void fm__rearm(fm_node *a);
// The same at the end of an atomic, which held cancels back.
void fm__rearm_after_atomic(fm__runtime *d, fm_node *a);
bool fm__may_unwind(fm__runtime *d,
                    fm_node *a); // where a waits, no atomic holds it back
// The atomic in which a was made holds back a cancel of its parent.
bool fm__holds_back(fm__runtime *d, fm_node *a);
// The top atomic contains a now; a or its parent is cancelled.
void fm__mark_contained(fm__runtime *d, fm_node *a);
// a was delayed by an atomic that has ended, and its parent is cancelled.
void fm__mark_released(fm__runtime *d, fm_node *a);

// ---- cancel-origin.c: the activity that cancelled, and the place ----
// a is cancelled, and has no origin yet: it gets this one.
void fm__cancel_origin_set(fm__runtime *d,
                           fm_node *a,
                           struct fm_cancelled value);
void fm__cancel_origin_drop(fm__runtime *d, fm_node *a);
void fm__cancel_origins_free(fm__runtime *d);
fm_error *fm__cancelled_error(fm__runtime *d,
                              const fm_node *a); // struct fm_cancelled

// ---- pause.c: fm_pause and fm_resume ----
FM__IF_USED void fm__resume(fm__runtime *d,
                            fm_node *a); // does the work of fm_resume
// a is cancelled: pauses of it and of all below it end.
FM__IF_USED void fm__end_pauses(fm__runtime *d, fm_node *a, fm__wake_list *out);
// a is to go on. true: it is held, and was set aside.
FM__IF_USED bool fm__set_aside(fm__runtime *d, fm_node *a);
FM__IF_USED void fm__unpause(fm__runtime *d,
                             fm_node *a); // a, which is stopped, ends

// ---- scope.c: scopes and shields ----
fm_node *fm__region_enter(fm__runtime *d, unsigned flags);
// s is the innermost region, and has no children.
void fm__region_pop(fm__runtime *d, fm_node *s);
// The owner waits for the children of s, if there are any.
void fm__region_wait(fm__runtime *d, fm_node *s);
// The last of its children has ended, and the owner waits for that.
void fm__scope_ended(fm__runtime *d, fm_node *s);
// A child that nobody awaits has thrown e.
void fm__scope_failed(fm__runtime *d, fm_node *s, fm_error *e);

// ---- each.c: scopes with clauses `catch each` ----
typedef struct fm__clauses {
  fm_frame *(*start)(fm_domain *c, fm_error *e);
  const fm_code *code; // of the frames that it makes
  fm_frame *up;        // of the function in which the scope stands
} fm__clauses;
// The error in root, the first frame of a, would be that of the scope s. Returns whether clauses of
// s take it: then a goes on in a frame of them.
FM__IF_USED bool
fm__each_takes(fm__runtime *d, fm_node *s, fm_node *a, fm_frame *root);
// The same for an activity that had ended: it becomes ready.
FM__IF_USED void fm__each_revives(fm__runtime *d, fm_node *a);
// deadline.c: where they are
fm__clauses *fm__clauses_new(fm__runtime *d, fm_node *s);
FM__IF_USED const fm__clauses *fm__clauses_of(fm__runtime *d, const fm_node *s);

// ---- group.c ----
FM__IF_USED void fm__seat_hears(fm__runtime *d,
                                fm_node *w); // the child whose seat has w ends

// ---- race.c ----
FM__IF_USED void fm__arm_ended(fm__runtime *d, fm_node *a);
// a has ended, and has waiters: arms that await it win.
FM__IF_USED void fm__arms_win(fm__runtime *d, fm_node *a);
// The event that the arm a waited for has come: if a then ends, it wins.
FM__IF_USED void fm__arm_wins(fm__runtime *d, fm_node *a);
// The slice of a is over: if it has what it waited for, it wins.
FM__IF_USED void fm__arm_yields(fm__runtime *d, fm_node *a);
// The current activity, an arm, comes to its last wait. false: it has lost, and unwinds.
bool fm__arm_goes_on(fm_domain *c);
// After its present wait a has nothing more to wait for.
FM__IF_USED bool fm__ends_with_its_wait(fm__runtime *d, const fm_node *a);
// The race s has no winner, or that has left it: s goes.
FM__IF_USED void fm__race_lost(fm__runtime *d, fm_node *s);
// If an arm has won in another domain: withdraws the others.
FM__IF_USED void fm__race_settle(fm__runtime *d, fm_node *s);
fm_node *fm__race_here(fm__runtime *d); // the innermost region
// The winner of s leaves it, and s goes.
void fm__race_over(fm__runtime *d, fm_node *s);
FM__IF_USED void fm__race_forget(fm__runtime *d, fm_node *s); // s goes

// ---- race-list.c ----
void fm__arms_free(fm__runtime *d, fm_node *s); // it has a list

// ---- all.c: fm_all, fm_any ----
// w, which belongs to a hub, waited for a, which ends.
FM__IF_USED void fm__hub_hears(fm__runtime *d, fm_node *w, fm_node *a);

// ---- deadline.c ----
FM__IF_USED bool
fm__has_deadlines(fm__runtime *d); // of activities that have not ended
// The scope s, which has deadlines, ends.
FM__IF_USED void fm__deadlines_end(fm__runtime *d, fm_node *s);
// All activities have ended: drops all deadlines.
FM__IF_USED void fm__deadlines_drop(fm__runtime *d);

#endif
