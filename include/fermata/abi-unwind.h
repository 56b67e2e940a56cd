// abi-unwind.h: the second part of abi.h: errors, cancellation, scopes, races, jobs, completions.
// Programs never name anything in it.
//
// An error in flight is in fm__thrown, one for each thread. A plain function that throws sets it
// and returns a dummy; its caller reads fm__thrown after each call that may throw. The atomic
// version of an async function does the same. In the versions call and resume the guard is set too,
// so that the one compare after a call sees it: FM_PAUSE(FM_UNWINDS).
//
//     // in f__fm_call, where f has something to do when g throws
//     v = g__fm_call(c, x);
//     if (fm__stopped(c)) { if (fm__unwinds(c)) goto fm__h1; return f__fm_spill(…); }
//
//     // from here on nothing is pending: the error is in a local variable
//     fm__h1: err = fm__caught(c);
//
// A function that has nothing to do just returns: the spill function sees that it is no pause. A
// frame that waits for a call that unwinds is resumed with the guard at FM_PAUSE(FM_UNWINDS) if its
// code `lands`; else it is freed at once. The resume function then goes to its handler for that
// state, or returns with the guard as it is. So an activity unwinds frame by frame.
//
// Cancelling is unwinding without an error: fm__thrown is FM_CANCELLING, which no catch takes. It
// carries the errors that cleanups throw meanwhile: fm__thrown is then the address of the first
// one, plus 1.
#ifndef FERMATA_UNWIND_H
#define FERMATA_UNWIND_H

#ifdef FM_ATOMICITY
#  pragma push_macro("inline")
#  define inline inline __attribute__((always_inline))
#endif

// ---- errors ----
typedef struct fm_error fm_error;
// The error in flight in this thread; NULL: none.
extern __thread fm_error *fm__thrown __attribute__((tls_model("initial-exec")));
// A cancel unwinds, and no error has come up meanwhile.
#define FM_CANCELLING ((fm_error *)1)
static inline int fm__throws(void) {
  return __builtin_expect(fm__thrown != 0, 0);
}

// Sets fm__thrown to a new error.
FM_COLD void fm__throw(const void *value,
                       size_t size,
                       const char *type,
                       const char *file,
                       int line);
// Takes fm__thrown. c: NULL in plain and atomic code; otherwise its guard is as before.
FM_COLD fm_error *fm__caught(fm_domain *c);
FM_COLD void fm__rethrow(fm_error *e); // sets fm__thrown
// Never true for FM_CANCELLING. type NULL: any error.
FM_COLD int fm__is(const fm_error *e, const char *type, size_t size);
// Gives it up; NULL and FM_CANCELLING are allowed.
FM_COLD void fm__error_drop(fm_error *e);
// A cleanup threw e while `old` (or nothing: NULL) unwound. Returns the error that goes on: the new
// one, on which the other hangs. A cancel goes on, and carries it.
FM_COLD fm_error *fm__replaced(fm_error *old, fm_error *e);
// fm__thrown is set in code that may not throw, plain or atomic: reports it, and ends the process.
FM_COLD __attribute__((noreturn)) void fm__unhandled(void);

static inline int fm__unwinds(fm_domain *c) {
  return fm__guard_now(c) == FM_PAUSE(FM_UNWINDS);
}
// In f__fm_call when f__fm_resume, which it has entered in the new frame f, was left by a pause or
// unwinds: f is linked or free. Where nothing is linked, the function waits in f. A frame that is
// not c->top has been given away (fm__tail).
static inline void fm__left_by(fm_domain *c, fm_frame *f) {
  if (fm__unwinds(c))
    fm__frame_free(c, f);
  else if (!c->top)
    c->top = f;
}
// fm__thrown is set, and the function now returns to its caller.
static inline void fm__unwind(fm_domain *c) {
  __atomic_store_n((uintptr_t *)&c->guard,
                   FM_PAUSE(FM_UNWINDS),
                   __ATOMIC_RELAXED);
}
// An error leaves a function: a line of its backtrace.
FM_COLD void fm__passes(const fm_code *code, uint32_t state);

// ---- scopes and shields ----
// They are nodes of the tree; the innermost one of the current activity is its children's parent.
void fm__scope_enter(fm_domain *c, fm_activity *id); // id may be NULL
// Its children fail alone: one that has failed, and whose error nobody else gets, goes on in a
// frame that `start` makes, of this code. After the head of that frame stands a pointer to `up`.
// What the frame throws is the child's error.
void fm__scope_each(fm_domain *c,
                    fm_frame *(*start)(fm_domain *c, fm_error *e),
                    const fm_code *code,
                    fm_frame *up);
// 0: it had nothing but its body, which came to its end, and it is gone. Otherwise the calls below
// follow.
int fm__scope_stays(fm_domain *c, fm_error *e);
// A wait that no cancel ends, until all its children have ended. `e` says how the body was left:
// NULL: it came to its end, or jumped; else by that error or FM_CANCELLING, and then the children
// are cancelled first.
void fm__scope_end(fm_domain *c, fm_error *e);
// After that wait; the node is gone then. *e becomes what goes on: the errors of the body and of
// children that nobody awaited, the first with the others on it; a cancel from above with them; or
// NULL. Returns 1 if the scope's own cancel cut something short and *e is NULL: then `else` runs.
int fm__scope_leave(fm_domain *c, fm_error **e);
void fm__scope_limit(fm_domain *c, uint64_t ms); // of the innermost scope
// Before fm__join_group, where a block is left by unwinding.
void fm__cancel_group(fm_domain *c, fm_share_group *g);
// Cancels from outside are held back, also from children made inside.
void fm__shield_enter(fm_domain *c);
void fm__shield_leave(fm_domain *c);

// ---- race: a scope whose children are its arms ----
// Then the arms: fm__spawn(c, root, FM_SPAWN_NOW | FM_SPAWN_ARM, …).
void fm__race_enter(fm_domain *c);
int fm__race_open(fm_domain *c); // no arm has ended: the next one may start
// After the last arm: if none has ended, the race takes its `default:`, and the arms are cancelled.
void fm__race_default(fm_domain *c);
// The arms run to their first wait, whatever slices are over: the race has a `default:`.
void fm__race_hurries(fm_domain *c);
// A wait, until one arm has ended and the others, cancelled, have unwound.
void fm__race_wait(fm_domain *c);
// Returns which arm won, -1: `default:`; the handles of the others are given up.
int fm__race_winner(fm_domain *c, fm_task *arms, int n);

// The arms of a race that are listed before they start, see runtime/structure/race-list.c.
void fm__arms_list(fm_domain *c, int fair); // after fm__race_enter
void fm__arm_list(fm_domain *c, int which); // one more
// Room for a value that the arm listed last keeps.
void *fm__arm_keeps(fm_domain *c, size_t size);
int fm__arms_next(fm_domain *c); // which arm starts next; -1: none
void fm__arm_started(fm_domain *c, fm_task t);
// The next value that the arm keeps which has been asked for last, in the order of fm__arm_keeps.
void *fm__arm_kept(fm_domain *c, size_t size);
// After fm__race_wait: which arm won, -1: `default:`; its task; the race is gone.
int fm__arms_winner(fm_domain *c);
fm_task fm__arms_task(fm_domain *c);
void fm__arms_end(fm_domain *c);

// ---- jobs ----
typedef struct fm_job {
  struct fm__job *job;
} fm_job;                           // job(T), for every T
fm_job fm__job_new(fm_frame *root); // root: the frame of f__fm_start
fm_frame *fm__job_start(fm_domain *c, fm_job j); // a fresh copy of that frame
// A wait, as fm__await(): runs a copy as a call of the current activity.
void *fm__await_job(fm_domain *c, fm_job j);
void fm__job_free(fm_job j);

// ---- completions: asyncdirect and awaitables ----
// Never an address: slot and generation. fm_completion(T), for every T.
typedef struct fm_completion fm_completion;
typedef struct fm_action fm_action; // the same, without a value
// A wait of the current activity begins; a frame of `code` will have the value.
fm_completion *fm__direct_begin(fm_domain *c, const fm_code *code);
// After the function that was given k: a wait, as fm__await().
void *fm__direct_end(fm_domain *c, fm_completion *k);
// From any thread; 0: that wait was over.
bool fm__complete(fm_completion *k, const void *value, size_t size);
// The same, with an error.
bool fm__fail(fm_completion *k,
              const void *value,
              size_t size,
              const char *type,
              const char *file,
              int line);
extern const fm_code fm__action_code; // of a fm_action: there is no value
void fm__on_cancel(fm_completion *k, void (*fn)(void *), void *arg);

#ifdef FM_ATOMICITY
#  pragma pop_macro("inline")
#endif

#endif
