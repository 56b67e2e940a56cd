// core.h: the functions of core/ that other files use: memory, activities and their tree, the
// scheduler, atomics, the life of a domain. `d` is the thread's own domain
// everywhere, unless a comment says otherwise.
#ifndef FM_CORE_H
#define FM_CORE_H

#include "core/atomicity-hooks.h"
#include "core/runtime.h"
#include "report/report.h"

// ---- alloc.c: every byte of the library comes from here ----
void *fm__alloc(size_t n); // NULL: out of memory; not zeroed; n > 0
// NULL: out of memory, and p is as it was; n > 0
void *fm__realloc(void *p, size_t n);
void fm__free(void *p); // NULL is allowed

// ---- frame.c ----
void fm__frames_free(fm__runtime *d);
FM_COLD void fm__hand_over_later(fm__runtime *d,
                                 fm_frame *f); // see fm__hand_over
// How many frames are in use; walks the free lists.
size_t fm__frames_live(fm__runtime *d);

// ---- depth.c ----
// d's frames have grown: reports a recursion that is too deep.
FM_COLD void fm__depth_check(fm__runtime *d);

// ---- node-memory.c: nodes, and which domain a node belongs to ----
fm_node *fm__node_more(fm__runtime *d); // when none is idle; more are then
// d ends: fm__runtime_of_node does not find it any more.
void fm__nodes_disown(fm__runtime *d);
void fm__nodes_free(fm__runtime *d); // all of them are idle
// Frees nodes of domains that have ended: no handle of them is in use any more.
void fm__nodes_forget(void);
// NULL: the domain has ended. It may end at any time, so the result is only to be compared.
fm__runtime *fm__runtime_of_node(const fm_node *a);
// The same, with a reference.
fm__runtime *fm__hold_runtime_of(fm_activity a);
// The domain in which a was made has ended; a.node is not NULL.
bool fm__domain_has_ended(fm_activity a);
void fm__count_domain(int change);
size_t fm__other_domains(void); // how many domains there are besides this one

// ---- tidy.c ----
// Brings free lists that are in disorder into order.
void fm__tidy(fm__runtime *d);
// Whether to do that before the next activity is made.
static inline bool fm__tidy_now(const fm__runtime *d) {
  enum { EVERY = 1 << 14 };
  return fm__unlikely(!(d->serial & (EVERY - 1)));
}

// ---- tree.c: parents and children ----
// The node after `at` in preorder; NULL: `at` was the last below `top`. depth is kept up to date.
fm_node *fm__tree_next(const fm_node *top, fm_node *at, int *depth);
// The same without a depth. below false: past everything below `at`.
fm_node *fm__tree_step(const fm_node *top, fm_node *at, bool below);
// Cancels all activities that live, and runs them until they have unwound.
void fm__unwind_all(fm__runtime *d);
// Whether activities live that no cancel has marked.
bool fm__has_unmarked(fm__runtime *d);
// Ends all activities that live, without running them.
void fm__drop_all(fm__runtime *d);
// The program ends: reports errors in tasks of detached activities that nobody has awaited.
void fm__report_kept(fm__runtime *d);

// ---- activity.c: making activities, and handles to them ----
fm_node *fm__make(fm__runtime *d, fm_frame *root, unsigned how, fm_activity in);
// a gets the marks of its parent that no atomic holds back.
void fm__inherit(fm__runtime *d, fm_node *a);
// The caller sets `handles`.
fm_node *fm__node_new(fm__runtime *d, fm_node *parent, fm_frame *root);
// The group of an activity of activate, in its parent's frame; NULL: it shares nothing.
fm_share_group *fm__group(const fm_node *a);
// The result of an ended task whose handle was given up, to c.result.
void fm__take_result(fm__runtime *d, fm_node *a);

// ---- extras.c: what few activities have beside their node ----
typedef struct fm__locals fm__locals;
typedef struct fm__extra {
  struct fm__extra *next; // in its bucket, or of runtime.idle_extras
  const fm_node *node;    // its word has FM__EXTRAS
  char *name;             // NULL: its function's name
  fm__locals *locals;     // shared with others that have the same; NULL: none
} fm__extra;
fm__extra *fm__extra_of(fm__runtime *d, const fm_node *a); // which has extras
fm__extra *fm__extra_make(fm__runtime *d, fm_node *a);     // if it has none
// A name or locals have been taken away.
void fm__extra_settle(fm__runtime *d, fm_node *a, const fm__extra *x);
// a, which had that word, is idle now: what tables keep about it goes.
FM_COLD void fm__marks_drop(fm__runtime *d, fm_node *a, uint64_t word);
void fm__extras_free(fm__runtime *d);

// ---- locals.c: fm_local ----
// a is new; it begins with the locals of the activity that runs, which has extras.
FM__IF_USED FM_COLD void fm__locals_inherit(fm__runtime *d, fm_node *a);
// A copy of those of the activity that runs, for another domain; NULL: none.
fm__locals *fm__locals_copy(fm__runtime *d);
void fm__locals_give(fm__runtime *d, fm_node *a, fm__locals *s);
// a, which ends, was a call of `to`, which goes on with what the call has set.
FM__IF_USED void fm__locals_return(fm__runtime *d, fm_node *a, fm_node *to);
FM__IF_USED void fm__locals_drop(fm__runtime *d, fm__extra *x);
void fm__locals_free(fm__locals *s); // of no activity; NULL is allowed
// Those that are not as at first, as `[name = value, …]`.
FM__IF_USED void fm__locals_print(FILE *to, fm__runtime *d, const fm_node *a);

// ---- join.c ----
fm_frame *fm_join__fm_start(fm_domain *c, fm_activity a);

// ---- monitor.c ----
// a has ended, with its result in its leaf: activities in fm_end_of note how.
FM__IF_USED void fm__monitors_hear(fm__runtime *d, fm_node *a);

// ---- sched.c: the loop ----
void fm__loop(fm__runtime *d); // until an activity marked FM__RUN has ended
// Takes the first ready activity of the top set, and runs it until it pauses or ends, unless it is
// `me`. NULL: none is ready.
fm_node *fm__run_next(fm__runtime *d, fm__set *s, const fm_node *me);
int fm__run_some(fm__runtime *d, int most);
// Runs a until it pauses; returns why. The caller handles SPILLED and YIELDS.
unsigned fm__nested_turn(fm__runtime *d, fm_node *a);
uint64_t fm__draw(fm__runtime *d, uint64_t n); // a random number below n
// a's turn has SPILLED. true: it goes on at once; it may also have FAILED.
bool fm__spilled(fm__runtime *d, fm_node *a);
// Before a goes on: sets c.result. false: it unwinds.
bool fm__receive_result(fm__runtime *d, fm_node *a);
void fm__ready(fm__runtime *d, fm_node *a); // to the end of its set's queue
// To the front of the queue, after activities that went there just before.
void fm__goes_first(fm__runtime *d, fm_node *a);
// a YIELDS or is SLICED: back into the queue.
void fm__requeue(fm__runtime *d, fm_node *a, unsigned how);

// ---- end.c: the end of an activity ----
// The first function of a has ended, with its result in root.
void fm__end_body(fm__runtime *d, fm_node *a, fm_frame *root);
// The same in a turn of a. Returns true if a goes on in the clause `catch each` that takes its
// error.
bool fm__end_failed(fm__runtime *d, fm_node *a, fm_frame *root);
// A child of p has ended, which may end p too.
void fm__child_ended(fm__runtime *d, fm_node *p);
// a shares no variables any more.
void fm__leave_group(fm__runtime *d, fm_node *a);
// Moves ended children that are kept to the front of the ring. Returns whether others live.
bool fm__sort_children(fm_node *a);
// Whether a child of p lives. Valid once the ring is sorted.
static inline bool fm__has_live_child(const fm_node *p) {
  return p->child && !(p->child->prev->word & FM__ENDED);
}
// Wakes the waiters of a in the order in which they came. Returns how many will read the result.
uint32_t fm__wake_waiters(fm__runtime *d, fm_node *a);
// w no longer waits for the end of the activity that it waited for.
void fm__withdraw(fm_node *w);

// ---- guard.c: the slow paths of the checks in generated code; the rest is in abi.h ----
// An operation was FM_RARE in a function that now leaves. If it does not wait, the activity goes
// on.
void fm__rare_done(fm__runtime *d);
// f holds the value of a call that has ended (FM_HELD in abi.h).
extern const fm_code fm__held_code;
static inline bool fm__is_held(const fm_frame *f) {
  return f->code == &fm__held_code;
}

// ---- wake-order.c: activities released together go on in the order in which they blocked ----
typedef struct fm__wake_list { // linked by fm_node.link
  fm_node *first, *last;
} fm__wake_list;
void fm__wake_list_add(fm__wake_list *l, fm_node *a);
void fm__wake_list_release(fm__runtime *d, fm__wake_list *l);

// ---- atomic.c: the stack of sets ----
// a joins the top set, which an atomic owns.
void fm__add_to_set(fm__runtime *d, fm_node *a);
// In an atomic: a, which the atomic waits for and which is delayed, moves to the top set.
void fm__contain(fm__runtime *d, fm_node *a);
// The same for children of a that are in g; g NULL: for all of them.
void fm__contain_children(fm__runtime *d, fm_node *a, const fm_share_group *g);

// ---- tick.c: the helper thread that ends slices ----
// Two activities are ready: starts the ticker, or wakes it.
void fm__tick_wake(fm__runtime *d);
// The current activity has made another one ready, which is the last of its queue.
FM_COLD void fm__made_ready(fm__runtime *d);
void fm__tick_free(fm__runtime *d);

// ---- forked.c: children of fork; see also forked.h ----
// Before a wait of d, which may be NULL. In a child of fork whose parent owns d: a message.
void fm__check_ours(const fm__runtime *d);
// Another thread is about to do something for d: gives it the processor.
void fm__spin(const fm__runtime *d);

// ---- environment.c: the FERMATA_… variables ----
// NULL: not set, empty, or the program has more rights than its user.
const char *fm__setting(const char *name);
FM_COLD _Noreturn void
fm__bad_setting(const char *name, const char *value, const char *want);

// ---- run.c: async main ----
fm_frame *
fm__main_start(const fm_fn *f, int argc, char **argv, char **envp, int params);
// The root has ended, with its error in fm__thrown. Returns the status of the program.
int fm__main_end(int status);

// ---- stack-limit.c ----
void fm__measure_stack(fm__runtime *d);

// ---- domain.c: a domain begins and ends ----
fm__runtime *fm__runtime_here(void);   // NULL: this thread has none
void fm__runtime_free(fm__runtime *d); // nothing in it runs
// One more reference; false: it has ended. From any thread, at any time.
bool fm__runtime_hold(fm__runtime *d);
void fm__runtime_unref(fm__runtime *d);
// Frees what is kept of domains that have ended. Only tests can be sure enough of that.
void fm__runtimes_forget(void);
bool fm__several_processors(void); // this program may run on more than one

// Name of an ELF note in each copy of the runtime, see once.c.
#define FM__NOTE "Fermata"

// ---- lists that any thread adds to: the newest is the first ----
// The list in the order of coming. Each element begins with its link.
static inline void *fm__oldest_first(void *newest) {
  void **at = newest;
  void **list = NULL;
  while (at) {
    void **next = *at;
    *at = list;
    list = at;
    at = next;
  }
  return list;
}

// ---- inlines of the hot paths ----
static inline void fm__to_idle(fm__runtime *d, fm_node *a) {
  fm__ring_remove(a);
  a->word = 0;
  a->link = d->idle;
  d->idle = a;
}

static inline void fm__release(fm__runtime *d, fm_node *a) {
  uint64_t word = a->word;
  fm__to_idle(d, a);
  if (fm__unlikely(word & FM__MARKS))
    fm__marks_drop(d, a, word);
}

// The current activity is the last reader of the result in f, and reads it at once. The result in a
// free frame stays as it is until the next frame is made, so the frame can be freed now. Memory
// that goes back to the heap or is poisoned is freed later: by fm__done, or when the next one
// comes.
static inline void fm__hand_over(fm__runtime *d, fm_frame *f) {
#if defined FM_ASAN || defined FM_ATOMICITY
  fm__hand_over_later(d, f);
#else
  if (fm__unlikely(f->grains >= FM_CLASSES))
    fm__hand_over_later(d, f);
  else
    fm__frame_free(&d->c, f);
#endif
}

// Two activities may now be ready. No fence here: the ticker looks once more before it sleeps.
static inline bool fm__needs_tick(fm__runtime *d) {
  return fm__unlikely(__atomic_load_n((int *)&d->asleep, __ATOMIC_RELAXED));
}

static inline void fm__tick_check(fm__runtime *d) {
  if (fm__needs_tick(d) && (d->current || FM__PAGE))
    fm__made_ready(d);
}

#endif
