// fm.h: what the files of the runtime share. Public names (fm_) are in <fermata.h>, what generated code uses in
// <fermata/abi.h>; names that start with fm__ and are declared here are known to the runtime alone.
//
//     alloc.c   every byte of the library             tick.c    the helper thread that ends slices
//     frame.c   frames and activities, pooled         report.c  dumps, deadlocks, fatal errors
//     tree.c    who is whose child; unwinding         domain.c  a thread's domain: stack, options
//     activity.c  spawn, await, handles               run.c     run, async main
//     sched.c   ready queue, pauses, ends             atomic.c  the stack of sets
#ifndef FM_H
#define FM_H

#ifndef FERMATA_NO_KEYWORDS
#define FERMATA_NO_KEYWORDS
#endif
#include <fermata.h>

typedef struct fm_node fm_node;
typedef struct fm__domain fm__domain;
typedef struct fm__set fm__set;

// ---- alloc.c: every byte of the library comes from here ----
void *fm__alloc(size_t n);                        // NULL: out of memory; not zeroed; n > 0
void *fm__realloc(void *p, size_t n);             // NULL: out of memory, p is as it was; n > 0
void fm__free(void *p);                           // NULL is allowed

// ---- an activity ----
// Its life: made (spawn) → ready ⇄ running ⇄ waiting → body ended (FM__BODY) → children ended too (FM__ENDED) → released.
// The memory of a node is type-stable: it stays a node until its domain is freed, so that a stale handle can be looked at.
struct fm_node {
  uint64_t word;                                  // generation << FM__FLAGS | flags; generation 0: not in use
  fm_node *parent;                                // NULL: the domain's host
  fm_node *next;                                  // ring of its parent's children
  fm_node *child;                                 // first of a ring, in the order they were made; once the body has ended,
                                                  // those that have ended and are kept stand before the live ones
  fm_node *prev;                                  // (apart from next: gcc would store the two as a vector, which is slow)
  fm_frame *leaf;                                 // innermost frame; running: the one that was resumed; ended: the first one,
                                                  // which holds the result
  fm_node *link;                                  // next in: its set's ready queue | the ring of waiters | the free list
  uintptr_t waiters;                              // last of the ring of those that wait for its end; 0: none; with
                                                  // FM__SOLE: its parent awaits it, no one else, and no task is held
  uintptr_t waits;                                // FM__W… | address of what it waits for; 0: it does not wait
  uint32_t handles;                               // tasks given out and not given up
  int16_t err;                                    // its errno, while it does not run; those of the system are below 2^12
  uint16_t set;                                   // level of the set that may run it; 0: the domain's own
};
_Static_assert(sizeof(fm_node) <= 80, "an activity is small");

#define FM__FLAGS 16                              // bits of flags; the generation is also the activity's number in reports
enum {
  FM__BODY = 1,                                   // its body has ended
  FM__ENDED = 2,                                  // and so have its children; kept for its result
  FM__DELAYED = 4,                                // spawned in an atomic, to begin when the outermost has ended
  FM__RUN = 8,                                    // its end ends the scheduler's loop (run)
  FM__NAMED = 16,                                 // has a name of its own, see tree.c
  FM__FIRST = 32,                                 // in the queue only because the stack was low: goes first whatever the order
  FM__GROUPED = 64,                               // of activate: it shares variables, see fm__group
  FM__CONTAINED = 128,                            // counted in a set that is not the domain's own
  FM__ANY = 0xffff,                               // to come: cancelled, paused, scope, in an inbox
};

enum { FM__SOLE = 1 };                            // in the low bit of fm_node.waiters; then the ring is not closed

enum {                                            // in the low bits of fm_node.waits
  FM__WAWAIT = 1,                                 // a node: await; when that has ended, it becomes (not if it is FM__SOLE:
                                                  // then this one takes the node when it goes on)
  FM__WRESULT = 2,                                // the ended activity's first frame, of which this one is a reader
  FM__WJOIN = 3,                                  // a node: fm_join
  FM__WGROUP = 4,                                 // a fm_share_group: the end of a block of which activities share variables
  FM__WSPAWN = 5,                                 // a node: its own child of spawn now, which goes first; not a wait
  FM__WKIND = 7,
};

static inline uint64_t fm__generation(const fm_node *a) { return a->word >> FM__FLAGS; }
static inline void *fm__what(const fm_node *a) { return (void *)(a->waits & ~(uintptr_t)FM__WKIND); }
static inline unsigned fm__kind(const fm_node *a) { return a->waits & FM__WKIND; }
static inline bool fm__fresh(const fm_node *a, uint64_t generation) { return a && fm__generation(a) == generation; }

// ---- a set of activities: the domain's own, and one more for each atomic that is under way; the top one runs ----
struct fm__set {
  fm_node *head, *tail;                           // ready, in order, linked by `link` up to the tail, whose link is void; head is
                                                  // NULL: none; it is also read by the tick
  size_t live;                                    // of an atomic: activities that it contains and that have not ended
  fm_node *owner;                                 // who is in the atomic; NULL: the domain's own set
  fm__set *below;                                 // the next one down; also the free list
  uint16_t level;                                 // how many are below it; 0: the domain's own
  uint16_t owner_was;                             // level of the owner's set before
  size_t depth;                                   // atomics of the owner that share this set
};

// ---- memory of frames and nodes: carved from chunks that live as long as the domain ----
typedef struct fm__arena {
  struct fm__chunk *chunks;                       // all, newest first
  char *at, *end;                                 // what is left of the newest
  size_t next;                                    // bytes of the next chunk
} fm__arena;

enum { FM__NAMES = 64 };

typedef struct fm__ticker fm__ticker;

enum { FM__GOING = 0, FM__YIELDS = FM_YIELDS, FM__PAUSED, FM__SPILLED, FM__FAILED }; // what the current activity does; see sched.c
enum { FM__STOP_LOOP = 1, FM__DUMP = 2, FM__RANDOM = 4 };    // fm__domain.attention

struct fm__domain {                               // what is hot comes first, and in small offsets
  fm_node *current;                               // who runs; the host in an atomic of plain code; NULL: nobody
  fm_node *idle;                                  // nodes that are not in use: no child, waiter or wait; set: 0
  _Atomic unsigned attention;                     // why the loop should leave its fast path
  _Atomic int asleep;                             // the ticker has to be woken when two are ready
  fm__set *_Atomic set;                           // the top one
  uint64_t serial;                                // generation of the newest activity
  fm__set base;
  fm_domain c;                                    // what generated code sees
  int *err;                                       // the thread's errno
  uintptr_t limit;                                // of the stack
  uintptr_t rest;                                 // c.guard while nothing is to be done: limit, or FM_STOP (FERMATA_TICK=always)
  fm_node host;                                   // the root of the tree: plain code
  fm__arena frames, nodes;
  size_t made, big;                               // frames carved from the arena so far; larger ones in use
  fm_node *cascade;                               // last of those that go first because the stack was low
  fm_node *delayed_after;                         // tail of the base set when the outermost atomic began
  fm_task spawned;                                // c.result for FM__WSPAWN
  fm__set *sets;                                  // that are not in use
  struct fm__name *names[FM__NAMES];              // hashed by the node's address; see tree.c
  const char *failure;                            // FM__FAILED: the message
  uint64_t random;                                // state of the random scheduler
  uintptr_t margin;                               // see fm__entry
  fm__ticker *ticker;                             // NULL: not yet needed
  unsigned tick;                                  // milliseconds; 0: off
};

static inline fm__domain *fm__of(fm_domain *c) { return (fm__domain *)((char *)c - offsetof(fm__domain, c)); }
static inline fm__set *fm__top(fm__domain *d) { return __atomic_load_n((fm__set **)&d->set, __ATOMIC_RELAXED); }
static inline void fm__set_guard(fm__domain *d, uintptr_t v) { __atomic_store_n((uintptr_t *)&d->c.guard, v, __ATOMIC_RELAXED); }
static inline bool fm__in_atomic(fm__domain *d) { return fm__top(d) != &d->base; }
// The current activity is in code that cannot pause (others in the top set may be running in code that can).
static inline bool fm__is_atomic(fm__domain *d) { return fm__top(d)->owner && fm__top(d)->owner == d->current; }

// Only sets of the stack have activities, and those that run are mostly in the top one.
static inline fm__set *fm__set_of(fm__domain *d, const fm_node *a) {
  fm__set *s = &d->base;
  if (fm__unlikely(a->set))
    for (s = fm__top(d); s->level != a->set;)
      s = s->below;
  return s;
}

// ---- frame.c ----
fm_node *fm__node_more(fm__domain *d);            // when none is idle
void fm__pools_free(fm__domain *d);
size_t fm__frames_live(fm__domain *d);            // how many frames are in use; walks the free lists

// ---- tree.c ----
void fm__name_drop(fm__domain *d, fm_node *a);
const char *fm__name_of(fm__domain *d, const fm_node *a); // never NULL
fm_node *fm__tree_next(const fm_node *top, fm_node *at, int *depth); // in preorder; NULL: that was the last below `top`
void fm__unwind(fm__domain *d);                   // ends all that still live, without running them

// ---- activity.c ----
fm_node *fm__make(fm__domain *d, fm_frame *root, unsigned how, fm_activity in);
fm_share_group *fm__group(const fm_node *a);      // in the frame of its parent; NULL: it shares nothing
void fm__take(fm__domain *d, fm_node *a);         // an ended task whose handle was given up: c.result, c.done

// ---- sched.c ----
void fm__ready(fm__domain *d, fm_node *a);        // to the end of its set's queue
bool fm__sort_children(fm_node *a);               // those that have ended and are kept to the front; whether others live
void fm__drop_kept(fm__domain *d, fm_node *a);    // a's children that have ended and whose tasks were held
fm_node *fm__next(fm__domain *d, fm__set *s);     // takes the next of the top set that is ready; NULL: there is none
void fm__go(fm__domain *d, fm__set *s, fm_node *a); // runs a until it pauses or ends
unsigned fm__nested_turn(fm__domain *d, fm_node *a); // the same, and tells why; SPILLED, YIELDS are for the caller to handle
bool fm__spilled(fm__domain *d, fm_node *a);      // a's turn has SPILLED: true: it is to go on at once; it may also have FAILED
void fm__goes_first(fm__domain *d, fm_node *a);   // to the front of the queue, behind those that went there just before
void fm__loop(fm__domain *d);                     // until an activity marked FM__RUN has ended
void fm__receive(fm__domain *d, fm_node *a);      // before a goes on: c.result, c.done

// ---- atomic.c ----
void fm__add_to_set(fm__domain *d, fm_node *a);   // to the top one, which an atomic owns
void fm__contain(fm__domain *d, fm_node *a);      // in an atomic: what is waited for and delayed moves to the top set
void fm__contain_children(fm__domain *d, fm_node *a, const fm_share_group *g); // NULL: all of them

// ---- tick.c ----
void fm__tick_wake(fm__domain *d);                // two are ready: starts or wakes the ticker
void fm__tick_free(fm__domain *d);

// ---- report.c ----
_Noreturn void fm__out_of_memory(const char *what, const char *name, size_t bytes);
_Noreturn void fm__fatal(fm__domain *d, const char *message); // with the current activity's backtrace
_Noreturn void fm__deadlock(fm__domain *d);
void fm__dump(fm__domain *d, FILE *to);

// ---- domain.c ----
fm__domain *fm__domain_here(void);                // NULL: this thread has none
void fm__domain_free(fm__domain *d);              // nothing in it runs

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

static inline void fm__to_idle(fm__domain *d, fm_node *a) {
  fm__ring_remove(a);
  a->word = 0;
  a->link = d->idle;
  d->idle = a;
}

static inline void fm__release(fm__domain *d, fm_node *a) {
  bool named = a->word & FM__NAMED;
  fm__to_idle(d, a);
  if (fm__unlikely(named))
    fm__name_drop(d, a);
}

static inline fm_node *fm__last_waiter(const fm_node *a) {
  fm_node *w = (fm_node *)(a->waiters & ~(uintptr_t)FM__SOLE);
  if (a->waiters & FM__SOLE)
    w->link = w;
  return w;
}

static inline void *fm__result_of(fm_frame *f) {
  return (char *)f + f->code->result;
}

// The current activity is the last one that reads the result of f, and does so at once: the result in a frame that is not in
// use stays as it is until the next one is made. It frees by itself (fm__done) what that does not hold for: memory that
// goes back to the heap, or is poisoned.
static inline void fm__hand_over(fm__domain *d, fm_frame *f) {
#ifdef FM_ASAN
  d->c.done = f;
#else
  if (fm__unlikely(f->grains >= FM_CLASSES))
    d->c.done = f;
  else
    fm__frame_free(&d->c, f);
#endif
}

static inline void fm__set_head(fm__set *s, fm_node *a) { __atomic_store_n(&s->head, a, __ATOMIC_RELAXED); }

static inline void fm__push(fm__set *s, fm_node *a) {
  if (s->head)
    s->tail->link = a;
  else
    fm__set_head(s, a);
  s->tail = a;
}

// The current activity pauses; the frames of the functions that now return are linked by fm__paused().
static inline void fm__pause(fm__domain *d, unsigned why) {
  fm__set_guard(d, FM_PAUSE(why));
}

// What it does: GOING, also when its slice is over, or why it pauses.
static inline unsigned fm__reason(fm__domain *d) {
  uintptr_t guard = fm__guard(&d->c);
  return guard >= FM_PAUSE(15) ? (unsigned)~guard : FM__GOING;
}

// Ends the slice, from another thread or a signal handler; an activity that pauses is left alone.
static inline void fm__end_slice(fm__domain *d) {
  uintptr_t limit = d->limit;
  __atomic_compare_exchange_n((uintptr_t *)&d->c.guard, &limit, FM_STOP, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline void fm__pause_for(fm__domain *d, unsigned kind, void *what) {
  d->current->waits = (uintptr_t)what | kind;
  fm__pause(d, FM__PAUSED);
}

// Two may now be ready: no fence here, the ticker looks once more before it sleeps.
static inline bool fm__needs_tick(fm__domain *d) {
  return fm__unlikely(__atomic_load_n((int *)&d->asleep, __ATOMIC_RELAXED));
}

static inline void fm__tick_check(fm__domain *d) {
  if (fm__needs_tick(d) && d->current)
    fm__tick_wake(d);
}

#endif
