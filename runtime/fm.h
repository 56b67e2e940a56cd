// fm.h: what the files of the runtime share. Public names (fm_) are in <fermata.h>, what generated
// code uses in <fermata/abi.h>; names that start with fm__ and are declared here are known to the
// runtime alone.
//
//     alloc.c   every byte of the library             tick.c    the helper thread that ends slices
//     frame.c   frames and activities, pooled         report.c  dumps, deadlocks, fatal errors
//     tree.c    who is whose child; unwinding         domain.c  a thread's domain: stack, options
//     activity.c  spawn, await, handles               run.c     run, async main
//     sched.c   ready queue, pauses, ends             atomic.c  the stack of sets
//     idle.c    when nothing is ready: the driver     inbox.c   messages from other threads
//     completion.c  completions                           timer.c   timers, sleeping
//     deadline.c  fm_cancel_after                     drivers/  where events come from
//     error.c   errors                                unwind.c  frames and activities that an error leaves
//     cancel.c  cancel                                pause.c   pause, resume
//     scope.c   scopes, shields                       race.c    race
//     cancel-origin.c   who cancelled whom                    all.c     fm_all, fm_any
//     job.c     jobs                                  work.c    threads for what blocks
//     host.c    in someone else's loop                watch.c   waiting for a descriptor
//     node-memory.c   the memory of activities, whose it is remote.c  spawn on: activities elsewhere
//     remote-control.c   cancel, pause and so on from others   deadlock-across.c   deadlocks of several domains
//     remote-await.c   tasks of other domains                pool.c    domains with threads, pools of them
//     claim.c   which domain ends a wait (claim.h)
//     remote-sync.c     objects of sync.h that are another domain's
//     deadlock.c  deadlocks
//     park.c    waiting in queues (park.h)            chan.c    channels, MVars
//     sync.c    semaphores and so on                  mailbox.c mailboxes; reply.c replies, asking
//     overflow.c  the end of the C stack              symbols.c which function an address belongs to
//     activity-names.c   names of activities                   trace.c   traces: what is in them; trace-file.c how it gets into the file
#ifndef FM_H
#define FM_H

#ifndef FERMATA_NO_KEYWORDS
#  define FERMATA_NO_KEYWORDS
#endif
#include <fermata.h>
#include <fermata/abi-node.h>
#include <fermata/pool.h>
#include <fermata/time.h>

#include <signal.h>
#include <stdatomic.h>

typedef struct fm__runtime fm__runtime;
typedef struct fm__set fm__set;
typedef struct fm__claim fm__claim;
typedef struct fm__offer fm__offer;

// ---- alloc.c: every byte of the library comes from here ----
void *fm__alloc(size_t n); // NULL: out of memory; not zeroed; n > 0
// NULL: out of memory, p is as it was; n > 0
void *fm__realloc(void *p, size_t n);
void fm__free(void *p); // NULL is allowed

// ---- an activity: its structure is in <fermata/abi-node.h> ----
_Static_assert(sizeof(fm_node) <= 80, "an activity is small");

// bits of flags; the generation is also the activity's number in reports
#define FM__FLAGS 21
enum {
  FM__BODY = 1,  // its body has ended
  FM__ENDED = 2, // and so have its children; kept for its result
  // spawned in an atomic, to begin when the outermost has ended
  FM__DELAYED = 4,
  FM__RUN = 8,    // its end ends the scheduler's loop (run)
  FM__NAMED = 16, // has a name of its own, see activity-names.c
  // in the queue only because the stack was low: goes first whatever the order
  FM__FIRST = 32,
  FM__GROUPED = 64,    // of activate: it shares variables, see fm__group
  FM__CONTAINED = 128, // counted in a set that is not the domain's own
  // marked by a cancel, as all below it but what is shielded
  FM__CANCELLED = 0x100,
  // fm_cancel was called on exactly this one; see cancel-origin.c
  FM__TARGET = 0x200,
  FM__STOPPED = 0x400,    // fm_pause was called on exactly this one
  FM__HELD = 0x800,       // this one or one above it is paused
  FM__SET_ASIDE = 0x1000, // held when it was to go on: in no queue
  FM__SCOPE = 0x2000,     // not an activity but a scope or race
  FM__SHIELD = 0x4000,    // not an activity but a shield
  FM__RACE = 0x8000,      // a scope that is a race
  FM__ARM = 0x10000,      // an arm of a race
  FM__INNER = 0x20000,    // in a scope or shield
  FM__FRESH = 0x40000,    // marked by the cancel that is under way
  FM__HUB = 0x80000,      // not in the tree: of fm_all or fm_any, see all.c
  // with CANCELLED: a cancel came to this one itself, not from the node above it
  FM__AIMED = 0x100000,
  FM__ANY = 0x1fffff,
  // of a scope: a cancel from above has come while its owner waited for its end
  FM__MET = FM__RUN,
  // of a scope: a cancel of this one has made an activity below it unwind
  FM__CUT = FM__FIRST,
  FM__INHERITED = FM__CANCELLED | FM__HELD, // by children
  FM__REGION = FM__SCOPE | FM__SHIELD,
  FM__MARKS = FM__NAMED | FM__TARGET, // something is kept about it elsewhere
};

// in the low bit of fm_node.waiters; then the ring is not closed
enum { FM__SOLE = 1 };

// fm_share_group.first is no pointer: it counts. The block is left by unwinding: FM__LEFT.
enum { FM__LEFT = 1, FM__MEMBER = 2 };

// In the low bits of fm_node.waits. Nodes, and frames, are aligned to 16: with them the next bit is
// FM__ARMED.
enum {
  // a node: await; when that has ended, it becomes WTAKE (FM__SOLE), or
  FM__WAWAIT = 1,
  // the ended activity's first frame, of which this one is a reader
  FM__WRESULT = 2,
  FM__WJOIN = 3, // a node: fm_join
  // a fm_share_group: the end of a block of which activities share variables
  FM__WGROUP = 4,
  // its own child, which has ended: it goes on with that one's result
  FM__WTAKE = 6,
  // a node: its own child of spawn now, which goes first; not a wait
  FM__WSPAWN = 5,
  FM__WOBJECT = 7, // a fm__wait: something outside the scheduler
  FM__WKIND = 7,
  // kind 0: it is to unwind at its next pause; WRESULT, WTAKE: that, or the result is
  FM__ARMED = 8,
  // an error
  // kind 0: it has not paused where it stands, or what it waited for has come
  FM__HOLDS = 16,
  FM__MUST = 32, // kind 0: it unwinds in any case
  FM__DEAD = 64, // kind 0: likewise, by struct fm_deadlock
  // with HOLDS, and nothing else: it goes on, and `waits` is then 0
  FM__AT_ONCE = 128,
};
_Static_assert((int)FM_SERVED == (FM__HOLDS | FM__AT_ONCE) &&
                   (int)FM_WAITS_FOR == FM__WOBJECT,
               "abi-node.h");
_Static_assert((int)FM_SPECIAL == FM__ARM, "abi-node.h");

static inline uint64_t fm__generation(const fm_node *a) {
  return a->word >> FM__FLAGS;
}
static inline void *fm__waited_for(const fm_node *a) {
  return (void *)(a->waits & ~(uintptr_t)FM__WKIND);
}
static inline unsigned fm__waits_kind(const fm_node *a) {
  return a->waits & FM__WKIND;
}
static inline bool fm__is_valid(const fm_node *a, uint64_t generation) {
  return a && fm__generation(a) == generation;
}

// ---- a set of activities: the domain's own, and one more for each atomic that is under way; the top one runs ----
struct fm__set {
  // ready, in order, linked by `link` up to the tail, whose link is void; head is
  fm_node *head, *tail;
  // NULL: none; it is also read by the tick
  // of an atomic: activities that it contains and that have not ended
  size_t live;
  // who is in the atomic; NULL: the domain's own set
  fm_node *owner;
  fm__set *below;     // the next one down; also the free list
  uint16_t level;     // how many are below it; 0: the domain's own
  uint16_t owner_was; // level of the owner's set before
  size_t depth;       // atomics of the owner that share this set
  // of its activities that wait: how many for something outside; see idle.c
  size_t external;
  uint32_t stamp; // when the owner began to wait; see wake-order.c
};

// a call in an atomic that is an activity: see fm__atomic_call
typedef struct fm__called {
  const fm_node *node; // NULL: it has not been made yet, or has ended
  int err;             // its errno at its end
  bool made;
} fm__called;

// ---- what an activity with FM__WOBJECT waits for: a completion, a timer ----
// at the head of what describes it
typedef struct fm__wait {
  const struct fm__wait_kind *kind;
} fm__wait;
typedef struct fm__wait_kind {
  const char *what; // for reports: it waits for …
  // true: the wait is undone, and a->waits is 0; false: it goes on, or has been completed
  bool (*withdraw)(fm__runtime *, fm_node *);
  // the same when a will not go on in any case: a->waits is then 0 or FM__WRESULT
  void (*drop)(fm__runtime *, fm_node *);
  // only the domain's own activities can end it: it is not counted in fm__set.external
  bool inner;
  // of a fm__waiter: the library made it, see park.h
  bool made;
} fm__wait_kind;

// ---- messages to a domain from any thread ----
typedef struct fm__msg {
  struct fm__msg *next;
  // called on the domain's thread; the message is then its own again
  void (*fn)(fm__runtime *, struct fm__msg *);
} fm__msg;

// ---- memory of frames and nodes: carved from chunks that live as long as the domain ----
typedef struct fm__arena {
  struct fm__chunk *chunks; // all, newest first
  char *at, *end;           // what is left of the newest
  size_t next;              // bytes of the next chunk
} fm__arena;

typedef struct fm__nodes {  // see node-memory.c
  struct fm__block *blocks; // all, newest first
  char *at, *end;           // what is left of the piece in use
  char *last;               // the end of the newest block
  size_t next;              // bytes of the next one
} fm__nodes;

enum { FM__LARGE = 28 }; // sizes up to 128 KB, see frame.c

typedef struct fm__ticker fm__ticker;

// what the current activity does; see sched.c
enum {
  FM__GOING = 0,
  FM__UNWINDS = FM_UNWINDS,
  FM__YIELDS = FM_YIELDS,
  FM__SLICED,
  FM__PAUSED = FM_WAITS,
  FM__SPILLED,
  FM__FAILED,
  FM__AGAIN
};
// fm__runtime.attention
enum {
  FM__STOP_LOOP = 1,
  FM__DUMP = 2,
  FM__RANDOM = 4,
  FM__PAUSES = 8,
  FM__TRACE = 16,
  FM__INBOX = 64,
  FM__LOOKS = 128
};
// fm__runtime.asleep: the ticker is; who makes someone ready is to say so
enum { FM__ASLEEP = 1, FM__TRACED = 2 };

struct fm__runtime { // what is hot comes first, and in small offsets
  // who runs; the host in an atomic of plain code; NULL: nobody
  fm_node *current;
  // nodes that are not in use: no child, waiter or wait; set: 0
  fm_node *idle;
  // not 0: who makes someone ready has more to do, see fm__made_ready
  _Atomic int asleep;
  int nested;           // level of the top set; 0: no atomic is under way
  fm__set *_Atomic set; // the top one
  uint64_t serial;      // generation of the newest activity
  fm__set base;
  _Atomic unsigned attention; // why the loop should leave its fast path
  fm_domain c;                // what generated code sees
  int *err;                   // the thread's errno
  uintptr_t limit;            // of the stack
  // c.guard while nothing is to be done: limit, or FM_STOP (FERMATA_TICK=always)
  uintptr_t rest;
  fm_node host; // the root of the tree: plain code
  fm__arena frames;
  fm__nodes nodes;
  // frames carved from the arena so far; larger ones in use
  size_t made, big;
  struct fm__large *large[FM__LARGE]; // larger ones that are not, by size
  size_t large_kept;                  // bytes of these
  // last of those that go first because the stack was low
  fm_node *cascade;
  // tail of the base set when the outermost atomic began
  fm_node *delayed_after;
  fm_task spawned;    // c.result for FM__WSPAWN
  fm__set *sets;      // that are not in use
  fm__called *called; // the innermost; NULL: none
  // hashed by the node's address; see activity-names.c
  struct fm__name **names;
  size_t name_room, named;   // its size; how many there are
  struct fm__tracer *tracer; // see trace.c; NULL: there was no trace so far
  fm__runtime *next_traced,
      *prev_traced;        // of all domains, under the lock of trace-file.c
  const char *failure;     // FM__FAILED: the message
  uint64_t random;         // state of the random scheduler
  uintptr_t margin;        // see fm__entry
  fm__ticker *ticker;      // NULL: not yet needed
  unsigned tick;           // milliseconds; 0: off
  fm_driver *driver;       // NULL: not yet needed
  struct fm__wheel *wheel; // of timers; NULL: not yet needed
  struct fm__deadline
      *loose_deadlines; // those that are not of a scope, newest first
  // how many; when to look for those of ended activities
  size_t loose, prune_at;
  size_t in_scopes; // deadlines of scopes that are to come: how many
  // by fm_node.handles - 1 of a scope: the first of it; see deadline.c
  struct fm__deadline **scoped;
  // how many have room there; there are; one that no scope has, plus 1
  uint32_t scoped_room, scoped_count, scoped_idle;
  struct fm__slot *slots; // of completions, not in use
  fm__msg *_Atomic inbox; // newest first
  _Atomic int sleeping;   // in the driver's poll: who posts has to wake it
  _Atomic int posting;    // threads that are in fm__inbox_post
  // short sleeps until it looks for a message before it sleeps; see idle.c
  unsigned naps, backoff;
  // between two looks at the driver; to the next one
  int turns, turns_left;
  // when it was last asked for the time; for descriptors
  uint64_t looked, polled;
  uint32_t stamp;         // of the last one to block
  uint32_t deadlocked_at; // the stamp at the last deadlock
  bool deadlocked;        // there has been one
  // a host waits for the end of this turn: that of a slice ends it, see host.c
  bool host_waits;
  size_t stopped;             // how many nodes have FM__STOPPED
  struct fm__buffer *buffers; // see park.c
  // the library's, in a buffer; NULL: there are none
  struct fm__streams *streams;
  struct fm__question *asks; // that no answer has come to; see reply.c
  struct fm__cancel_origins *cancel_origins; // NULL: none; see cancel-origin.c
  // NULL: report and abort
  void (*on_error)(const fm_error *, fm_activity, void *);
  void *on_error_arg;
  // several domains: see remote.c and pool.c
  struct fm__errand *guests; // activities of other domains that live here
  // operations of others that wait here, see remote-sync.c
  struct fm__request *requests;
  _Atomic size_t load; // how many do, or are to
  // its thread; NULL: a thread that is not ours made it
  struct fm__service *service;
  fm__runtime *next_stalled; // see deadlock-across.c
  fm__msg dead;              // likewise
  uint64_t life;             // which one it is of all that ever were
  // by which the process came about that it is of, see forked.c
  unsigned forks;
  // the operation that begins is one of an arm, and to be done as if of another domain
  bool as_offer;
  // of base.external: how many only another domain can end
  size_t from_domains;
  // others may spawn here (fm_domain_here gave it away), or use objects of it
  bool known;
  bool dropping; // in fm__drop_all
  bool closing;  // it takes no more guests
  // the end of the thread's stack from which it grows
  uintptr_t stack_high;
  void *signal_stack; // see overflow.c; NULL: it has none of ours
  _Atomic bool ended; // who has a reference may see it
  // its own, and of those that may still post; 0: it has ended, and this memory waits
  _Atomic int references;
  // for the next one. The last member, see domain.c
};

#define FM__SAME_PLACE(x, y)                                         \
  _Static_assert(offsetof(fm__sched, x) == offsetof(fm__runtime, y), \
                 "abi-node.h")
FM__SAME_PLACE(current, current);
FM__SAME_PLACE(asleep, asleep);
FM__SAME_PLACE(nested, nested);
FM__SAME_PLACE(head, base.head);
FM__SAME_PLACE(tail, base.tail);
_Static_assert(sizeof(fm__sched) == offsetof(fm__runtime, c), "abi-node.h");

static inline fm__runtime *fm__runtime_of(fm_domain *c) {
  return (fm__runtime *)((char *)c - offsetof(fm__runtime, c));
}
static inline fm__set *fm__top_set(fm__runtime *d) {
  return __atomic_load_n((fm__set **)&d->set, __ATOMIC_RELAXED);
}
static inline void fm__set_guard(fm__runtime *d, uintptr_t v) {
  __atomic_store_n((uintptr_t *)&d->c.guard, v, __ATOMIC_RELAXED);
}
static inline bool fm__in_atomic(fm__runtime *d) {
  return fm__top_set(d) != &d->base;
}
// The current activity is in code that cannot pause (others in the top set may be running in code
// that can).
static inline bool fm__is_atomic(fm__runtime *d) {
  return fm__top_set(d)->owner && fm__top_set(d)->owner == d->current;
}

// Only sets of the stack have activities, and those that run are mostly in the top one.
static inline fm__set *fm__set_of(fm__runtime *d, const fm_node *a) {
  fm__set *s = &d->base;
  if (fm__unlikely(a->set))
    for (s = fm__top_set(d); s->level != a->set;)
      s = s->below;
  return s;
}

static inline void fm__count_external(fm__set *s, size_t change) {
  // the ticker reads it
  __atomic_store_n(&s->external, s->external + change, __ATOMIC_RELAXED);
}

// ---- frame.c ----
void fm__frames_free(fm__runtime *d);
// how many frames are in use; walks the free lists
size_t fm__frames_live(fm__runtime *d);

// ---- node-memory.c ----
fm_node *fm__node_more(fm__runtime *d); // when none is idle
// d ends: from here on fm__runtime_of_node does not find it
void fm__nodes_disown(fm__runtime *d);
void fm__nodes_free(fm__runtime *d); // they are idle
// frees what is kept: no handle of a domain that has ended is used any more
void fm__nodes_forget(void);
// NULL: it has ended; for comparing only: it may end at any time
fm__runtime *fm__runtime_of_node(const fm_node *a);
fm__runtime *fm__hold_runtime_of(fm_activity a); // the same, with a reference
// that it was made in; a.node is not NULL
bool fm__domain_has_ended(fm_activity a);
void fm__count_domain(int change);
size_t fm__other_domains(void); // how many there are but one

// ---- error.c ----
// and of those that hang on it; no one else has it
fm_error *fm__error_copy(const fm_error *e);
fm_error *fm__error_new(const void *value,
                        size_t size,
                        const char *type,
                        const char *file,
                        int line);
// A cancel that unwinds may carry errors, which cleanups threw meanwhile: they end with the node
// that was cancelled. A bit in the pointer tells.
static inline bool fm__cancels(const fm_error *e) {
  return (uintptr_t)e & (uintptr_t)FM_CANCELLING;
}
static inline fm_error *fm__carried(fm_error *e) {
  return (fm_error *)((uintptr_t)e & ~(uintptr_t)FM_CANCELLING);
}
static inline fm_error *fm__carry(fm_error *e) {
  return (fm_error *)((uintptr_t)e | (uintptr_t)FM_CANCELLING);
}
// these are thrown now: they are as any others
fm_error *fm__error_in_flight(fm_error *e);
// cleanups threw all of these while cancels unwound; NULL is allowed
bool fm__error_all_in_cancel(const fm_error *e);
// one more reference; NULL and FM_CANCELLING are allowed
fm_error *fm__error_share(fm_error *e);
// hangs `more`, which is given up, on first; returns the first one
fm_error *fm__error_add(fm_error *first, fm_error *more);
bool fm__error_seen(const fm_error *e);     // someone was thrown it
fm_error *fm__error_mark_seen(fm_error *e); // it counts as seen
// another activity fails with it, which no one has seen; FM_CANCELLING is allowed
void fm__error_anew(fm_error *e);
void fm__throw_shared(fm_error *e); // sets fm__thrown to one more reference
void fm__report_error(const fm_error *e);
// gives it to the domain's handler
void fm__error_of_detached(fm__runtime *d, fm_node *a, fm_error *e);
// Gives up e, which a has failed with and which no one will be thrown: to the handler, or it is
// reported. NULL, FM_CANCELLING: nothing.
void fm__error_unwanted(fm__runtime *d,
                        fm_node *a,
                        fm_error *e,
                        const char *why);

// ---- unwind.c ----
// the first one from f on that has something to do; NULL: a has ended
fm_frame *fm__land(fm__runtime *d, fm_node *a, fm_frame *f);
// the same when f's function has been left by unwinding
fm_frame *fm__left(fm__runtime *d, fm_node *a, fm_frame *f);
// fm__thrown is set; in the current activity
void fm__start_unwinding(fm__runtime *d);
void fm__throw_cancel(fm__runtime *d); // likewise, by a cancel
// the result of an activity that has failed
void fm__fail_with(fm_frame *root, fm_error *e);
// a reader takes the result: c.result, c.done; false: an error, it unwinds
bool fm__read_result(fm__runtime *d, fm_frame *f);
void fm__result_free(fm__runtime *d, fm_frame *f);
// a has ended so; whether it is kept, for no one has seen its error
bool fm__failed(fm__runtime *d, fm_node *a, fm_frame *root);
// an ended task that no one will await
void fm__give_up(fm__runtime *d, fm_node *a);
// out of the first frame of an ended activity: an error that no one has seen; NULL: none
fm_error *fm__take_unseen(fm_frame *f);
// an ended task; adds its error, if no one has seen it
fm_error *fm__forget(fm__runtime *d, fm_node *a, fm_error *errors);
// which has ended; hangs them on its error, if it failed
void fm__errors_of_losers(fm__runtime *d, fm_node *winner, fm_error *errors);
// a's children, which have ended; returns the errors that no one has seen
fm_error *fm__drop_kept(fm__runtime *d, fm_node *a);

// ---- cancel.c ----
void fm__cancel(fm__runtime *d, fm_node *a); // it and all below
// fm_cancel, by that one
void fm__cancel_target(fm__runtime *d, fm_node *a, struct fm_cancelled value);
// a cancel has made a unwind to its end: the scope it was for is to know
void fm__cut_short(fm_node *a);
// its children that are not marked
void fm__cancel_below(fm__runtime *d, fm_node *a);
// of one that is running: whether it is to unwind has changed
void fm__rearm(fm_node *a);
// cancels are not held back any more
void fm__rearm_after_atomic(fm__runtime *d, fm_node *a);

// ---- pause.c ----
// it is cancelled: pauses of it and below end
void fm__end_pauses(fm__runtime *d, fm_node *a);
void fm__resume(fm__runtime *d, fm_node *a); // what fm_resume does
// a is to go on: if it is held, it is put aside
bool fm__set_aside(fm__runtime *d, fm_node *a);
void fm__unpause(fm__runtime *d, fm_node *a); // it ends

// ---- wake-order.c: activities that go on are released in the order in which they had blocked ----
typedef struct fm__wake_list {
  fm_node *first, *last;
} fm__wake_list; // linked by `link`
void fm__wake_list_add(fm__wake_list *l, fm_node *a);
void fm__wake_list_release(fm__runtime *d, fm__wake_list *l);

// ---- cancel-origin.c ----
// a is cancelled, by that one; no one was to blame before
void fm__cancel_origin_set(fm__runtime *d,
                           fm_node *a,
                           struct fm_cancelled value);
void fm__cancel_origin_drop(fm__runtime *d, fm_node *a);
// a struct fm_cancelled
fm_error *fm__cancelled_error(fm__runtime *d, const fm_node *a);
void fm__cancel_origins_free(fm__runtime *d);

// ---- scope.c ----
fm_node *fm__region_enter(fm__runtime *d, unsigned flags);
// it is the innermost, and has no children
void fm__region_pop(fm__runtime *d, fm_node *s);
// the owner waits for its children, if there are any
void fm__region_wait(fm__runtime *d, fm_node *s);
// the last of its children has; the owner waits
void fm__scope_ended(fm__runtime *d, fm_node *s);
// a child that no one awaits has thrown e
void fm__scope_failed(fm__runtime *d, fm_node *s, fm_error *e);

// ---- race.c ----
void fm__arm_ended(fm__runtime *d, fm_node *a);
// a has ended, and has waiters: arms that await it win
void fm__arms_win(fm__runtime *d, fm_node *a);
// what it waits for has come: if it then ends, it wins
void fm__arm_wins(fm__runtime *d, fm_node *a);
// its slice is over: if it has what it waited for, it wins
void fm__arm_yields(fm__runtime *d, fm_node *a);
// it has ended without a winner, or that is not in it any more: it is gone
void fm__race_lost(fm__runtime *d, fm_node *s);
// the current activity, an arm, comes to a last wait; false: it has lost, and unwinds
bool fm__arm_goes_on(fm_domain *c);
// a, which waits, has nothing more to wait for after that
bool fm__ends_with_its_wait(fm__runtime *d, const fm_node *a);
// if an arm has won elsewhere: the others are withdrawn
void fm__race_settle(fm__runtime *d, fm_node *s);

// ---- claim.c: see also claim.h ----
// the race has started its arms: what they want of other domains is sent
void fm__offers_start(fm__runtime *d, fm_node *s);
// its race is decided or gone: no arm of it wants anything elsewhere; NULL: allowed
void fm__claim_abandon(fm__claim *c);

// ---- all.c ----
// w, one of a hub's, waited for a, which ends
void fm__hub_hears(fm__runtime *d, fm_node *w, fm_node *a);

// ---- tree.c ----
// the same, past all that is below `at`
fm_node *fm__tree_skip(const fm_node *top, fm_node *at);
// in preorder; NULL: that was the last below `top`
fm_node *fm__tree_next(const fm_node *top, fm_node *at, int *depth);
// cancels all that still live, and runs them until they have unwound
void fm__unwind_all(fm__runtime *d);
// ends all that still live, without running them
void fm__drop_all(fm__runtime *d);
// the program ends: errors in tasks of detached activities that no one has awaited
void fm__report_kept(fm__runtime *d);

// ---- activity-names.c ----
// a, which had that word, is idle now
FM_COLD void fm__marks_drop(fm__runtime *d, fm_node *a, uint64_t word);
const char *fm__name_of(fm__runtime *d, const fm_node *a); // never NULL
void fm__names_free(fm__runtime *d);

// ---- activity.c ----
fm_node *fm__make(fm__runtime *d, fm_frame *root, unsigned how, fm_activity in);
// handles: to be set
fm_node *fm__node_new(fm__runtime *d, fm_node *parent, fm_frame *root);
// in the frame of its parent; NULL: it shares nothing
fm_share_group *fm__group(const fm_node *a);
// an ended task whose handle was given up: c.result, c.done
void fm__take_result(fm__runtime *d, fm_node *a);

// ---- sched.c ----
void fm__ready(fm__runtime *d, fm_node *a); // to the end of its set's queue
// those that have ended and are kept to the front; whether others live
bool fm__sort_children(fm_node *a);
// Takes the next of the top set that is ready, and runs it until it pauses or ends, unless it is
// me. NULL: there is none.
fm_node *fm__run_next(fm__runtime *d, fm__set *s, const fm_node *me);
// it YIELDS or is SLICED
void fm__requeue(fm__runtime *d, fm_node *a, unsigned how);
void fm__end_body(fm__runtime *d, fm_node *a, fm_frame *root);
// returns how many will read the result
uint32_t fm__wake_waiters(fm__runtime *d, fm_node *a);
void fm__withdraw(fm_node *w); // from the ring it is in
// a runs until it pauses, and why; SPILLED, YIELDS are for the caller to handle
unsigned fm__nested_turn(fm__runtime *d, fm_node *a);
// a's turn has SPILLED: true: it is to go on at once; it may also have FAILED
bool fm__spilled(fm__runtime *d, fm_node *a);
// to the front of the queue, behind those that went there just before
void fm__goes_first(fm__runtime *d, fm_node *a);
// an operation that was FM_RARE in a function that now leaves: if it does not wait, it goes on
void fm__rare_done(fm__runtime *d);
void fm__loop(fm__runtime *d); // until an activity marked FM__RUN has ended
// before a goes on: c.result, c.done; false: it unwinds
bool fm__receive_result(fm__runtime *d, fm_node *a);

// ---- atomic.c ----
// to the top one, which an atomic owns
void fm__add_to_set(fm__runtime *d, fm_node *a);
// in an atomic: what is waited for and delayed moves to the top set
void fm__contain(fm__runtime *d, fm_node *a);
// NULL: all of them
void fm__contain_children(fm__runtime *d, fm_node *a, const fm_share_group *g);

// ---- tick.c ----
// two are ready: starts or wakes the ticker, if it sleeps
void fm__tick_wake(fm__runtime *d);
// the current activity has made someone ready, the last of its queue
FM_COLD void fm__made_ready(fm__runtime *d);
void fm__tick_free(fm__runtime *d);

// ---- inbox.c ----
// from any thread, which holds d or is sure that it does not end; false: it is closed
bool fm__inbox_post(fm__runtime *d, fm__msg *m);
bool fm__inbox_drain(fm__runtime *d); // whether there was any
// no one posts any more; waits for those that are about to leave
void fm__inbox_close(fm__runtime *d);

// ---- forked.c ----
// before a wait of d, which may be NULL: in a child of fork, a message if d is its parent's
void fm__check_ours(const fm__runtime *d);
// another thread is about to do something for d: lets it
void fm__spin(const fm__runtime *d);

// ---- environment.c ----
// NULL: there is none, it is empty, or the program has more rights than its user
const char *fm__setting(const char *name);
FM_COLD _Noreturn void
fm__bad_setting(const char *name, const char *value, const char *want);

// ---- idle.c ----
// real time, whatever the driver's: drivers/epoll.c
uint64_t fm__clock(void);
// the same descriptor under another number if it was 0, 1 or 2; likewise
int fm__above_standard(int fd);
fm_driver *fm__driver_of(fm__runtime *d); // made if there is none
// likewise, and one that can watch them, if that can be made
fm_driver *fm__driver_for_descriptors(fm__runtime *d);
void fm__driver_free(fm__runtime *d);
uint64_t fm__time(fm__runtime *d); // by the driver's clock
// nothing of the top set is ready: waits; a deadlock, if there is nothing to wait for
void fm__idle(fm__runtime *d, fm__set *s);
void fm__look(fm__runtime *d); // what has come meanwhile
// after each turn, while FM__INBOX or FM__LOOKS
void fm__look_sometimes(fm__runtime *d);
void fm__looks(
    fm__runtime *d); // there is something to look for: sets FM__LOOKS
int fm__watch(fm__runtime *d, fm_watch *w); // 0 or an errno
void fm__unwatch(fm__runtime *d, fm_watch *w);
// the current activity pauses, for w
void fm__wait_begin(fm__runtime *d, fm__wait *w);
// a->waits becomes that, and a is ready; an arm may win by it
void fm__wait_over(fm__runtime *d, fm_node *a, uintptr_t waits);
// a, which does not run, waits for w, of another domain
void fm__wait_set(fm__runtime *d, fm_node *a, fm__wait *w);
void fm__wait_unset(fm__runtime *d, fm_node *a); // a->waits is 0
// it moves to the top set, which an atomic owns
void fm__wait_contain(fm__runtime *d, fm_node *a);
// a's FM__WOBJECT: withdraws it if it can be
bool fm__wait_cancel(fm__runtime *d, fm_node *a);
void fm__wait_drop(fm__runtime *d, fm_node *a); // a will not go on

// ---- remote-sync.c ----
// d has ended: who waits for its objects is told so
void fm__requests_drop(fm__runtime *d);

// ---- park.c: see also park.h ----
void fm__buffers_free(fm__runtime *d);

// ---- reply.c ----
void fm__asks_end(fm__runtime *d); // before its inbox is closed
// after that: what was asked here no one will answer
void fm__desks_end(fm__runtime *d);

// ---- timer.c ----
typedef struct fm__alarm {
  struct fm__alarm *next, *prev; // in the ring of its slot
  uint64_t deadline;
  // it is not set any more by then
  void (*fire)(fm__runtime *, struct fm__alarm *);
} fm__alarm;
void fm__alarm_set(fm__runtime *d, fm__alarm *t, uint64_t deadline);
// from now, or a little later: when the clock is read next
void fm__alarm_set_after(fm__runtime *d, fm__alarm *t, uint64_t ns);
void fm__alarms_settle(fm__runtime *d, uint64_t now); // the clock has been read
void fm__alarm_unset(fm__runtime *d, fm__alarm *t);
// not after the first deadline; FM_FOREVER: none is set; now: just read, as fm__time
uint64_t fm__alarms_next(fm__runtime *d, uint64_t now);
void fm__alarms_fire(fm__runtime *d, uint64_t now);
bool fm__has_alarms(fm__runtime *d);
void fm__alarms_free(fm__runtime *d);
uint64_t fm__nanoseconds(uint64_t ms);
uint64_t fm__later(uint64_t now, uint64_t ns); // FM_FOREVER, if that is too far

// ---- deadline.c ----
bool fm__has_deadlines(fm__runtime *d); // of activities that have not ended
// the scope s, which has some, ends
void fm__deadlines_end(fm__runtime *d, fm_node *s);
// all of them: the activities have ended
void fm__deadlines_drop(fm__runtime *d);

// ---- completion.c ----
void fm__slots_free(fm__runtime *d);

// ---- remote.c ----
// what a stands for, which lives in another domain; NULL: it is no such one
struct fm__errand *fm__proxy(const fm_node *a);
void fm__proxy_pause(struct fm__errand *r, bool paused);
// of the end of a; see fm__hub_hears
void fm__ear_hears(fm__runtime *d, fm_node *ear, fm_node *a);
// they have been dropped, without having ended
void fm__guests_drop(fm__runtime *d);

// ---- remote-control.c ----
fm_frame *fm_join__fm_start(fm_domain *c, fm_activity a); // join.c
// not of this thread's domain; also if it is no more
bool fm__is_remote(fm_activity a);
void fm__remote_cancel(fm_activity a, const char *file, int line);
// an activity here that ends when a has ended
fm_activity fm__remote_join(fm_domain *c, fm_activity a);
void fm__remote_pause(fm_activity a, bool paused);
// of a node that another thread may be changing; 0: it is not that one any more
uint64_t fm__remote_word(fm_activity a);

void fm__remote_share(fm_task t);
void fm__remote_detach(fm_task t);
// one that has ended, whose error is known here
void fm__remote_forget(fm_task t);

// ---- remote-await.c: tasks of other domains ----
// the current activity waits, or unwinds
void fm__remote_await(fm_domain *c, fm_task t);
// one here, that ends as t does; it gets its value if it takes t's handle
fm_task fm__stand_in(fm_domain *c, fm_task t, bool takes);

// ---- deadlock-across.c ----
// d sleeps, and only other domains can wake it; false: none will
bool fm__stalled_begin(fm__runtime *d);
void fm__stalled_end(fm__runtime *d);

// ---- pool.c ----
// the program ends: all domains that have threads do
void fm__services_end(void);
// Before a thread of the library is made: signals are for the program's threads, except those that
// a thread's own mistakes cause.
void fm__block_signals(sigset_t *before);

// ---- report.c ----
_Noreturn void
fm__out_of_memory(const char *what, const char *name, size_t bytes);
// with the current activity's backtrace
_Noreturn void fm__fatal(fm__runtime *d, const char *message);
void fm__report_deadlock(fm__runtime *d);
void fm__dump(fm__runtime *d, FILE *to);

// What a, which waits, waits for: in words, or written into `room`.
const char *fm__wanted(fm__runtime *d, const fm_node *a, char *room, size_t n);
bool fm__is_waiting(const fm_node *a);
// file: NULL: not known; line: 0
typedef struct fm__place {
  const char *function, *file;
  uint32_t line;
} fm__place;
// where in the program a stands, which has paused
fm__place fm__place_of(fm__runtime *d, const fm_node *a);

// ---- trace-file.c ----
typedef struct fm__trace_piece { // of the file, that a domain writes into
  // where it is, what is left of it; NULL: there is none
  char *start, *at, *end;
  unsigned trace; // which one it is of
} fm__trace_piece;
void fm__trace_domain(fm__runtime *d); // d is new
void fm__trace_domain_end(fm__runtime *d);
extern _Atomic unsigned fm__trace_now; // which trace is written, 0: none
static inline bool fm__tracing(void) {
  return fm__unlikely(
      atomic_load_explicit(&fm__trace_now, memory_order_relaxed));
}
// all of it, in one piece
void fm__trace_write(fm__trace_piece *c, const char *text, size_t n);
void fm__trace_close(fm__trace_piece *c);

// ---- trace.c: called only while one is written ----
FM_COLD void fm__trace_throw(const char *type, const char *file, int line);
// of who runs; both are its name
void fm__trace_event(const char *name, const char *more);
void fm__trace_cancel(fm__runtime *d,
                      const fm_node *a,
                      struct fm_cancelled value);
// something is done to a
void fm__trace_on(fm__runtime *d, const fm_node *a, const char *name);
void fm__trace_name(fm__runtime *d, const fm_node *a); // it has another one
void fm__trace_ready(fm__runtime *d);                  // see fm__made_ready
// the current activity has made a, which is in no queue
void fm__trace_spawned(fm__runtime *d, const fm_node *a);
// of a turn; returns what fm__trace_end has to be given
uint64_t fm__trace_begin(fm__runtime *d, fm_node *a, bool in_turn);
void fm__trace_end(fm__runtime *d,
                   fm_node *a,
                   uint64_t generation,
                   uint64_t before,
                   unsigned how);
void fm__trace_idle(fm__runtime *d); // no one is ready
// d's thread ends the trace: what it has of the file; NULL: nothing
fm__trace_piece *fm__trace_stops(fm__runtime *d);
void fm__tracer_free(fm__runtime *d);

// ---- overflow.c: the end of the C stack is reported ----
void fm__overflow_begin(fm__runtime *d); // by d's thread
void fm__overflow_end(fm__runtime *d);

// ---- deadlock.c ----
// reports it, and makes the last to block ready, to unwind
void fm__deadlock_break(fm__runtime *d);
void fm__throw_deadlock(fm__runtime *d); // in the current activity

// ---- domain.c ----
fm__runtime *fm__runtime_here(void);   // NULL: this thread has none
void fm__runtime_free(fm__runtime *d); // nothing in it runs
bool fm__several_processors(void);     // that this program may run on
// one more reference; false: it has ended. From any thread, at any time
bool fm__runtime_hold(fm__runtime *d);
void fm__runtime_unref(fm__runtime *d);
// frees what is kept of those that have ended; only tests can be sure enough of that
void fm__runtimes_forget(void);

// ---- inlines of the hot paths ----
// ---- the ring of children ----
static inline void fm__ring_add(fm_node *p, fm_node *a) {
  fm_node *first = p->child;
  a->parent = p;
  if (!first) {
    a->next = a->prev = p->child = a;
    return;
  }
  a->next = first;
  a->prev = first->prev;
  first->prev->next = a;
  first->prev = a;
}

static inline void fm__ring_remove(fm_node *a) {
  fm_node *p = a->parent, *next = a->next;
  if (next == a) {
    p->child = NULL;
    return;
  }
  a->prev->next = next;
  next->prev = a->prev;
  if (p->child == a)
    p->child = next;
}

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

// The current activity is to unwind where it would now pause.
static inline bool fm__is_armed(fm__runtime *d) {
  return fm__unlikely(d->current->waits) && !fm__is_atomic(d);
}

// ---- scopes and shields of an activity ----
// Of a race: while none of its arms has won, `winner` may hold its claim.
enum { FM__HAS_CLAIM = 8 };
static inline fm_node *fm__winner(const fm_node *s) {
  return (uintptr_t)s->winner & FM__HAS_CLAIM ? NULL : s->winner;
}
// another arm won
static inline bool fm__lost_race(const fm_node *a) {
  return a->word & FM__ARM && fm__winner(a->parent) &&
         fm__winner(a->parent) != a;
}
static inline fm__claim *fm__claim_of(const fm_node *s) {
  return (uintptr_t)s->winner & FM__HAS_CLAIM
             ? (fm__claim *)((uintptr_t)s->winner - FM__HAS_CLAIM)
             : NULL;
}
static inline fm_node *fm__innermost(fm_node *a) {
  return a->word & FM__INNER ? (fm_node *)a->waiters : a;
}
static inline fm_node *fm__owner(fm_node *a) {
  return a->word & FM__REGION ? a->owner : a;
}
// Where the last of the ring of those that wait for a's end stands, and the ring, closed.
static inline uintptr_t *fm__waiters(fm_node *a) {
  return a->word & FM__INNER ? &((fm_node *)a->waiters)->outer : &a->waiters;
}
static inline fm_node *fm__last_waiter(fm_node *a) {
  uintptr_t last = *fm__waiters(a);
  fm_node *w = (fm_node *)(last & ~(uintptr_t)FM__SOLE);
  if (last & FM__SOLE)
    w->link = w;
  return w;
}
// Marks go down to all that is not shielded: so the innermost one tells.
static inline bool fm__to_unwind(fm_node *a) {
  return fm__innermost(a)->word & FM__CANCELLED;
}
// In an atomic of the current activity: s is a scope that was opened in it. A cancel of such a one
// is not held back.
static inline bool fm__is_inside(fm__runtime *d, const fm_node *s) {
  return s->word & FM__SCOPE && s->set == fm__top_set(d)->level;
}
// where it waits: that is not held back
bool fm__may_unwind(fm__runtime *d, fm_node *a);
static inline bool fm__is_cancelled_inside(fm__runtime *d) {
  fm_node *a = d->current;
  return fm__is_atomic(d) && fm__to_unwind(a) &&
         fm__is_inside(d, fm__innermost(a));
}
static inline uintptr_t fm__arming(fm_node *a) {
  return fm__to_unwind(a) ? FM__ARMED : 0;
}

// ---- results ----
// of an ended activity's first frame: in place of a result `parent` is its error
enum { FM__FAILED_STATE = UINT16_MAX };
// the name of an ELF note in each copy of the runtime
#define FM__NOTE "Fermata"

static inline bool fm__has_failed(const fm_frame *f) {
  return f->state == FM__FAILED_STATE;
}
static inline fm_error *fm__error_in(const fm_frame *f) {
  return (fm_error *)f->parent;
}
static inline fm_frame *fm__caller(const fm_frame *f) {
  return fm__has_failed(f) ? NULL : f->parent;
}

static inline void *fm__result_of(fm_frame *f) {
  return (char *)f + f->code->result;
}

// The current activity is the last one that reads the result of f, and does so at once: the result
// in a frame that is not in use stays as it is until the next one is made. It frees by itself
// (fm__done) what that does not hold for: memory that goes back to the heap, or is poisoned.
static inline void fm__hand_over(fm__runtime *d, fm_frame *f) {
#ifdef FM_ASAN
  d->c.done = f;
#else
  if (fm__unlikely(f->grains >= FM_CLASSES))
    d->c.done = f;
  else
    fm__frame_free(&d->c, f);
#endif
}

static inline void fm__set_head(fm__set *s, fm_node *a) {
  fm__store(fm_node *, &s->head, a);
}

static inline void fm__push(fm__set *s, fm_node *a) {
  if (s->head)
    s->tail->link = a;
  else
    fm__set_head(s, a);
  s->tail = a;
}

// The current activity pauses; the frames of the functions that now return are linked by
// fm__paused().
static inline void fm__pause_current(fm__runtime *d, unsigned why) {
  fm__set_guard(d, FM_PAUSE(why));
}

// What it does: GOING, also when its slice is over, or why it pauses.
static inline unsigned fm__reason(fm__runtime *d) {
  uintptr_t guard = fm__guard(&d->c);
  return guard >= FM_PAUSE(15) ? (unsigned)~guard : FM__GOING;
}

// Ends the slice, from another thread or a signal handler; an activity that pauses is left alone.
static inline void fm__end_slice(fm__runtime *d) {
  uintptr_t limit = d->limit;
  __atomic_compare_exchange_n((uintptr_t *)&d->c.guard,
                              &limit,
                              FM_STOP,
                              false,
                              __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

// At the beginning of a wait: what was awaited last is no longer to be read; and whether the
// current activity is to unwind instead.
static inline void fm__nothing_to_read(fm__runtime *d) {
  d->c.result = NULL;
  d->c.done = NULL;
}

// the current activity would wait, but is to unwind
static inline bool fm__wait_ends_here(fm__runtime *d) {
  if (!fm__is_armed(d))
    return false;
  fm__throw_cancel(d);
  return true;
}

static inline void fm__pause_for(fm__runtime *d, unsigned kind, void *what) {
  d->current->waits = (uintptr_t)what | kind;
  fm__pause_current(d, FM__PAUSED);
}

// Two may now be ready: no fence here, the ticker looks once more before it sleeps.
static inline bool fm__needs_tick(fm__runtime *d) {
  return fm__unlikely(__atomic_load_n((int *)&d->asleep, __ATOMIC_RELAXED));
}

static inline void fm__tick_check(fm__runtime *d) {
  if (fm__needs_tick(d) && d->current)
    fm__made_ready(d);
}

#endif
