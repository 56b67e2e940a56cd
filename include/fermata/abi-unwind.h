// abi-unwind.h: the second part of abi.h: errors, cancellation, scopes, races, jobs, completions.
// Programs never name anything in it.
//
// An error on its way is in fm__thrown, one for each thread. A plain function that throws sets it
// and returns a dummy; its caller looks at fm__thrown behind each call that may throw. The atomic
// version of an async function does the same. In the versions call and resume the guard tells as
// well, so that the one compare behind a call sees it: FM_PAUSE(FM_UNWINDS).
//
//     v = g__fm_call(c, x);                         in f__fm_call, where f has something to do when g throws
//     if (fm__stopped(c)) { if (fm__unwinds(c)) goto fm__h1; return f__fm_spill(…); }
//     fm__h1: err = fm__caught(c);                  from here on nothing is pending: the error is a local's
//
// A function that has nothing to do just returns: the spill function sees that it is no pause. A
// frame that waits for a call that unwinds is resumed with the guard at FM_PAUSE(FM_UNWINDS) if its
// code says `lands`; else it is freed at once. The resume function then goes to its handler for
// that state, or returns with the guard as it is. So an activity unwinds frame by frame.
//
// Cancelling is unwinding without an error: fm__thrown is FM_CANCELLING, which no catch takes.
// Errors that cleanups throw meanwhile go with it: fm__thrown is then the address of the first,
// plus 1.
#ifndef FERMATA_UNWIND_H
#define FERMATA_UNWIND_H

// ---- errors ----
typedef struct fm_error fm_error;
// on its way in this thread; NULL: none
extern __thread fm_error *fm__thrown __attribute__((tls_model("initial-exec")));
// a cancel unwinds, and no error has come up meanwhile
#define FM_CANCELLING ((fm_error *)1)
static inline int fm__throws(void) {
  return __builtin_expect(fm__thrown != 0, 0);
}

// sets fm__thrown to a new error
FM_COLD void fm__throw(const void *value,
                       size_t size,
                       const char *type,
                       const char *file,
                       int line);
// takes fm__thrown; c is NULL in plain and atomic code, else its guard is as before
FM_COLD fm_error *fm__caught(fm_domain *c);
FM_COLD void fm__rethrow(fm_error *e); // sets fm__thrown
// never of FM_CANCELLING; type NULL: any error
FM_COLD int fm__is(const fm_error *e, const char *type, size_t size);
// gives it up; NULL and FM_CANCELLING are allowed
FM_COLD void fm__error_drop(fm_error *e);
// a cleanup threw e while `old` (or nothing: NULL) unwound: which one goes
FM_COLD fm_error *fm__replaced(fm_error *old, fm_error *e);
// on: the new one, on which the other hangs; a
// cancel goes on, and carries it
// fm__thrown in code that may not throw, plain or atomic: report, and end the process
FM_COLD __attribute__((noreturn)) void fm__unhandled(void);

static inline int fm__unwinds(fm_domain *c) {
  return fm__guard_now(c) == FM_PAUSE(FM_UNWINDS);
}
// fm__thrown is set, and the function now returns to its caller
static inline void fm__unwind(fm_domain *c) {
  __atomic_store_n((uintptr_t *)&c->guard,
                   FM_PAUSE(FM_UNWINDS),
                   __ATOMIC_RELAXED);
}
// an error leaves a function: a line of its backtrace
FM_COLD void fm__passes(const fm_code *code, uint32_t state);

// ---- scopes and shields: nodes of the tree, the innermost of the current activity is its
// children's parent ----
void fm__scope_enter(fm_domain *c, fm_activity *id); // id: may be NULL
// 0: it had nothing but its body, which came to its end, and is gone. Else what follows is to be
// done.
int fm__scope_stays(fm_domain *c, fm_error *e);
// A wait that no cancel ends, until all its children have ended. `e` says how the body was left:
// NULL: it came to its end, or jumped; else by that error or FM_CANCELLING: then the children are
// cancelled first.
void fm__scope_end(fm_domain *c, fm_error *e);
// After it: the node is gone. *e is what goes on: the errors of the body and of children that no
// one awaited, the first with the others on it, a cancel from above with them, or NULL. Returns 1
// if the scope's own cancel cut something short and *e is NULL: then `else` runs.
int fm__scope_leave(fm_domain *c, fm_error **e);
// before fm__join_group, where a block is left by unwinding
void fm__cancel_group(fm_domain *c, fm_share_group *g);
// cancels from outside are held back, also from children made inside
void fm__shield_enter(fm_domain *c);
void fm__shield_leave(fm_domain *c);

// ---- race: a scope whose children are its arms ----
// then the arms: fm__spawn(c, root, FM_SPAWN_NOW | FM_SPAWN_ARM, …)
void fm__race_enter(fm_domain *c);
int fm__race_open(fm_domain *c); // no arm has ended: the next one may start
// a wait, until one arm has ended and the others, cancelled, have unwound
void fm__race_wait(fm_domain *c);
// which one; the handles of the others are given up
int fm__race_winner(fm_domain *c, fm_task *arms, int n);

// ---- jobs ----
typedef struct fm_job {
  struct fm__job *job;
} fm_job;                                        // job(T), for every T
fm_job fm__job_new(fm_frame *root);              // of what f__fm_start made
fm_frame *fm__job_start(fm_domain *c, fm_job j); // a fresh copy of that frame
// a wait, as fm__await(): runs a copy as a call of the current activity
void *fm__await_job(fm_domain *c, fm_job j);
void fm__job_free(fm_job j);

// ---- completions: asyncdirect and awaitables ----
// never an address: slot and generation; fm_completion(T) for every T
typedef struct fm_completion fm_completion;
typedef struct fm_action fm_action; // the same, without a value
// a wait of the current activity; code: where a frame of it has the value
fm_completion *fm__direct_begin(fm_domain *c, const fm_code *code);
// after the function that was given k: a wait, as fm__await()
void *fm__direct_end(fm_domain *c, fm_completion *k);
// from any thread; 0: that wait was over
bool fm__complete(fm_completion *k, const void *value, size_t size);
// likewise
bool fm__fail(fm_completion *k,
              const void *value,
              size_t size,
              const char *type,
              const char *file,
              int line);
extern const fm_code fm__action_code; // of a fm_action: there is no value
void fm__on_cancel(fm_completion *k, void (*fn)(void *), void *arg);

#endif
