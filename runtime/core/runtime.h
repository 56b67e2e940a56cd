// runtime.h: the whole of a domain: everything that the runtime keeps for one thread. Generated
// code and programs see a part of it, the fm_domain in its middle. All fields belong to the
// domain's thread, unless they are atomic or their comment says otherwise.
#ifndef FM_CORE_RUNTIME_H
#define FM_CORE_RUNTIME_H

#include "core/node.h"
#include "core/platform.h"

#include <fermata/pool.h>

#include <pthread.h>
#include <stdatomic.h>

typedef struct fm__runtime fm__runtime;
typedef struct fm__set fm__set;
typedef struct fm__ticker fm__ticker; // tick.c

// ---- a set of activities ----
// A domain has a set of its own, and one more for each atomic that is under way. They form a stack;
// only activities of the top set run.
struct fm__set {
  // The ready queue, linked by fm_node.link up to the tail, whose link is void. head NULL: nothing
  // is ready; the ticker's thread reads it.
  fm_node *head, *tail;
  size_t live; // in an atomic: activities it contains that have not ended
  // the activity that is in the atomic; NULL: the domain's own set
  fm_node *owner;
  // the next set of the stack, or of the free list (runtime.sets)
  fm__set *below;
  uint16_t level;     // how many sets are below it; 0: the domain's own
  uint16_t owner_was; // level of the owner's set before the atomic
  size_t depth;       // atomics of the owner that share this set
  size_t external; // its activities that wait for something outside, see idle.c
  uint32_t stamp;  // when the owner began to wait, see wake-order.c
};

// The set of an atomic.
typedef struct fm__inner_set {
  fm__set set;
  uint64_t serial; // runtime.serial when the atomic began
} fm__inner_set;

// A call in an atomic that is made as an activity: see fm__atomic_call.
typedef struct fm__called {
  const fm_node *node; // NULL: not made yet, or ended
  int err;             // its errno at its end
  bool made;
} fm__called;

// ---- a message to a domain, from any thread ----
// The sender owns it until it is posted; fn, on the domain's thread, owns it after that.
typedef struct fm__msg {
  struct fm__msg *next; // in runtime.inbox
  void (*fn)(fm__runtime *, struct fm__msg *);
} fm__msg;

// ---- memory of frames and nodes: chunks that live as long as the domain ----
typedef struct fm__arena {
  struct fm__chunk *chunks; // all of them, newest first
  char *at, *end;           // the rest of the newest chunk
  size_t next;              // bytes of the next chunk
} fm__arena;

typedef struct fm__nodes {  // see node-memory.c
  struct fm__block *blocks; // all of them, newest first
  char *last;               // the end of the newest block
  size_t next;              // bytes of the next block
} fm__nodes;

enum {
  FM__LARGE = 28
}; // size classes of large frames, up to 128 KB, see frame.c

// ---- values of fields ----
// why the current activity pauses: FM_PAUSE(…) in the guard, see the table in sched.c
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
// attention: why the loop leaves its fast path
enum {
  FM__STOP_LOOP = 1, // the activity of `run` has ended
  FM__DUMP = 2,      // a signal asked for a dump
  FM__RANDOM = 4,    // FERMATA_SCHED=random, or FERMATA_EXPLORE
  FM__PAUSES = 8,    // some node is stopped by fm_pause
  FM__TRACE = 16,    // a trace is written
  FM__STARTS = 32,   // a start waits in this domain's queue, see starts.c
  FM__INBOX = 64,    // a message has come
  FM__SLOW = 256,    // FERMATA_SLOW: turns are counted, see watchdog.c
  FM__COUNT = 512,   // `fermata top` watches: see top/count.c
  FM__LOOKS = 128    // alarms or descriptors may be due: look at the driver
};
// asleep
enum {
  FM__ASLEEP = 1, // the ticker is: wake it when two activities are ready
  FM__TRACED = 2  // the trace notes each activity that becomes ready
};

// ---- what watchdog.c knows of a domain: FERMATA_SLOW, FERMATA_DUMP ----
typedef struct fm__watched {
  bool watched;
  _Atomic unsigned
      turn;          // number of the turn under way; 0: none, or not counted
  unsigned count;    // turns so far
  pthread_t thread;  // the domain's
  fm__runtime *next; // that is watched
  // the watchdog's: the turn it has seen, and when first; which it has reported; when a dump was
  // asked for, or 0
  unsigned seen, reported;
  uint64_t since, asked;
} fm__watched;

// ---- what top/ knows of a domain ----
typedef struct fm__viewed {
  fm__runtime *next; // in the list of all domains, see top/open.c
  int thread;        // the number of its thread, for the kernel
  // a viewer has paused a node: what is then left is no deadlock
  bool paused;
  bool by_waker; // its driver wakes by a descriptor that only it knows
  struct fm__counts *counts; // NULL: nobody watches
  _Atomic bool counted;      // there are counts
  // what counting may still cost, in nanoseconds; since when turns are counted, or 0
  _Atomic int quota;
  _Atomic uint64_t opened;
} fm__viewed;

// ---- the whole; hot fields come first, at small offsets ----
struct fm__runtime {
  // ---- scheduling ----
  // the running activity; in an atomic of plain code the host; or NULL
  fm_node *current;
  // free nodes, linked by `link`: no child, no waiter, no wait, set 0
  fm_node *idle;
  // not 0: making an activity ready takes more, see fm__made_ready
  _Atomic int asleep;
  int nested;                 // level of the top set; 0: no atomic is under way
  fm__set *_Atomic set;       // the top set
  uint64_t serial;            // generation of the newest activity
  fm__set base;               // the domain's own set
  _Atomic unsigned attention; // FM__STOP_LOOP …
  fm_domain c;                // the part that generated code sees
  int *err;                   // address of the thread's errno
  uintptr_t limit;            // lowest address of the stack that may be used
  // c.guard when nothing is to be done: limit; FM_STOP with FERMATA_TICK=always
  uintptr_t rest;
  fm_node host; // the root of the tree: plain code

  // ---- memory: frame.c, node-memory.c ----
  fm__arena frames;
  fm__nodes nodes;
  size_t made, big; // frames carved from the arena so far; large frames in use
  struct fm__large *large[FM__LARGE]; // free large frames, by size class
  size_t large_kept;                  // bytes of these
  // bytes of chunks and large frames; at which number depth.c looks
  size_t frame_bytes, depth_check;
  uint64_t
      tidy_at; // the serial before which tidy.c does not look at free lists

  // ---- scheduling, less hot ----
  // last of the activities that go first because the stack was low
  fm_node *cascade;
  // tail of the base set when the outermost atomic began
  fm_node *delayed_after;
  fm_task spawned;    // c.result points here for FM__WSPAWN
  fm__set *sets;      // free sets, linked by `below`
  fm__called *called; // the innermost call in an atomic; NULL: none

  // ---- names and locals: extras.c, locals.c ----
  struct fm__extra **extras;      // hash table by the node's address
  size_t extra_room, extra_count; // its size; how many entries it has
  struct fm__extra *idle_extras;  // entries for the next ones, linked by next
  const fm_node *read_of;         // whose locals `read` are; NULL: void
  struct fm__locals *read;

  // ---- reports: trace.c ----
  struct fm__tracer *tracer;     // NULL: no trace was written so far
  struct fm__explorer *explorer; // NULL: not explored, see explore.c
  // list of all domains that are traced, under the lock of trace-file.c
  fm__runtime *next_traced, *prev_traced;
  fm__watched watch;
  fm__viewed viewed;
  const char *failure; // with FM__FAILED: the message

  // ---- slices ----
  uint64_t random;    // state of the random scheduler
  uintptr_t margin;   // bytes of stack kept free, see fm__entry
  fm__ticker *ticker; // NULL: not needed yet
  unsigned tick;      // milliseconds of a slice; 0: off

  // ---- waiting for events: idle.c, timer.c, deadline.c, completion.c ----
  fm_driver *driver;                    // NULL: not needed yet
  struct fm__wheel *wheel;              // of alarms; NULL: not needed yet
  struct fm__deadline *loose_deadlines; // deadlines of activities, newest first
  // how many; at which number those of ended activities are removed
  size_t loose, prune_at;
  size_t in_scopes; // deadlines of scopes that have not come yet: how many
  // by fm_node.handles - 1 of a scope: its first deadline
  struct fm__deadline **scoped;
  // entries that `scoped` has room for; entries in use; a free entry plus 1, or 0
  uint32_t scoped_room, scoped_count, scoped_idle;
  struct fm__slot *slots; // of completions: the free ones
  // by fm_node.handles - 1 of a race: the list of its arms, see race-list.c
  struct fm__arms **listed;
  uint32_t listed_room, listed_count, listed_idle; // as those of `scoped`
  // activities in races without an arm, see race.c; NULL: none so far
  struct fm__queue *never;

  // ---- messages: inbox.c ----
  // newest first; any thread adds to it, the domain's thread takes all
  fm__msg *_Atomic inbox;
  _Atomic int sleeping; // the domain is in the driver's poll: a sender wakes it
  _Atomic int posting;  // threads that are in fm__inbox_post

  // ---- idle.c: how often the loop looks at the driver ----
  unsigned naps, backoff; // short sleeps before it spins for a message first
  int turns, turns_left;  // turns between two looks; turns to the next one
  unsigned received;      // reads after a wait, see fm__note_received
  // when it last read the clock; when it last polled descriptors
  uint64_t looked, polled;

  // ---- deadlocks: wake-order.c, deadlock.c ----
  uint32_t stamp;         // of the last activity that blocked
  uint32_t deadlocked_at; // the stamp at the last deadlock
  bool deadlocked;        // a deadlock has been reported

  // ---- the rest ----
  // a host waits for the end of this turn: a slice's end ends it, see host.c
  bool host_waits;
  size_t stopped;              // how many nodes have FM__STOPPED
  struct fm__buffer *buffers;  // memory freed with the domain, see park.c
  struct fm__streams *streams; // the library's, in a buffer; NULL: none
  struct fm__question *asks;   // questions without an answer, see reply.c
  // those whose waiters may go on, see permits.c
  struct fm__line *lines, *last_line;
  bool serves_lines; // they are being served
  bool monitored;    // an activity has waited in fm_end_of, see monitor.c
  struct fm__monitor *monitors; // of atomic code, the innermost first
  struct fm__cancel_origins *cancel_origins; // NULL: none, see cancel-origin.c
  // the program's handler; NULL: an error that nobody receives is reported, and the program aborts
  void (*on_error)(const fm_error *, fm_activity, void *);
  void *on_error_arg;

  // ---- several domains: domains/ ----
  // errands that other domains have here, linked by next, prev
  struct fm__errand *guests;
  // operations of others that wait here, see remote-sync.c
  struct fm__request *requests;
  // activities of others that live here, or are on their way
  _Atomic size_t load;
  struct fm__service *service; // its thread; NULL: the program's own thread
  struct fm__starts *starts;   // its queue in its pool; NULL: it is of none
  fm__runtime *next_stalled;   // see deadlock-across.c
  fm__msg dead;                // reports a deadlock to this domain
  uint64_t life;               // number of this domain among all that ever were
  // forks between the first process and the one it belongs to, see forked.c
  unsigned forks;
  // the operation that begins is an arm's: do it as if for another domain
  bool as_offer;
  // of base.external: waits that only another domain can end
  size_t from_domains;
  // other domains may spawn here (fm_domain_here) or use its objects
  bool known;
  bool dropping;        // in fm__drop_all
  bool closing;         // it takes no more guests
  uintptr_t stack_high; // the end of the thread's stack from which it grows
  void *signal_stack;   // see overflow.c; NULL: not ours
  _Atomic bool ended;   // holders of a reference may read it
  // The domain's own reference, and those of threads that may still post. 0: it has ended, and this
  // memory waits for the next domain. The last member, see domain.c.
  _Atomic int references;
};

// Generated code reaches the fields before `c` through fm__sched (abi-node.h).
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

// ---- sets ----
static inline fm__set *fm__top_set(fm__runtime *d) {
  return __atomic_load_n((fm__set **)&d->set, __ATOMIC_RELAXED);
}
static inline bool fm__in_atomic(fm__runtime *d) {
  return fm__top_set(d) != &d->base;
}
// The current activity is in code that cannot pause. Others of the top set may run code that can.
static inline bool fm__is_atomic(fm__runtime *d) {
  return fm__top_set(d)->owner && fm__top_set(d)->owner == d->current;
}

// Only sets of the stack have activities, and the running ones are usually in the top set.
static inline fm__set *fm__set_of(fm__runtime *d, const fm_node *a) {
  fm__set *s = &d->base;
  if (fm__unlikely(a->set))
    for (s = fm__top_set(d); s->level != a->set;)
      s = s->below;
  return s;
}

static inline void fm__set_head(fm__set *s, fm_node *a) {
  fm__store(fm_node *, &s->head, a);
}

// To the end of the ready queue.
static inline void fm__push(fm__set *s, fm_node *a) {
  if (s->head)
    s->tail->link = a;
  else
    fm__set_head(s, a);
  s->tail = a;
}

// The ticker's thread reads `external`.
static inline void fm__count_external(fm__set *s, size_t change) {
  __atomic_store_n(&s->external, s->external + change, __ATOMIC_RELAXED);
}

// ---- the guard: why the current activity stops ----
static inline void fm__set_guard(fm__runtime *d, uintptr_t v) {
  __atomic_store_n((uintptr_t *)&d->c.guard, v, __ATOMIC_RELAXED);
}

// The current activity pauses. The functions that now return link their frames by fm__paused().
static inline void fm__pause_current(fm__runtime *d, unsigned why) {
  fm__set_guard(d, FM_PAUSE(why));
}

static inline void fm__pause_for(fm__runtime *d, unsigned kind, void *what) {
  d->current->waits = (uintptr_t)what | kind;
  fm__pause_current(d, FM__PAUSED);
}

// Why the current activity pauses; GOING: it does not, although its slice may be over.
static inline unsigned fm__reason(fm__runtime *d) {
  uintptr_t guard = fm__guard(&d->c);
  return guard > FM_STOP ? (unsigned)~guard : FM__GOING;
}

// Ends the slice, from another thread or a signal handler. An activity that pauses is left alone.
static inline void fm__end_slice(fm__runtime *d) {
  uintptr_t limit = d->limit;
  __atomic_compare_exchange_n((uintptr_t *)&d->c.guard,
                              &limit,
                              FM_STOP,
                              false,
                              __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

// ---- the current activity and cancels ----
// It unwinds where it would now pause.
static inline bool fm__is_armed(fm__runtime *d) {
  return fm__unlikely(d->current->waits) && !fm__is_atomic(d);
}
// In an atomic of the current activity: the scope s was opened in it. A cancel of such a scope is
// not held back.
static inline bool fm__is_inside(fm__runtime *d, const fm_node *s) {
  return s->word & FM__SCOPE && s->set == fm__top_set(d)->level;
}
static inline bool fm__is_cancelled_inside(fm__runtime *d) {
  fm_node *a = d->current;
  return fm__is_atomic(d) && fm__to_unwind(a) &&
         fm__is_inside(d, fm__innermost(a));
}

// A wait begins: the result of the last await is no longer to be read.
static inline void fm__nothing_to_read(fm__runtime *d) {
  d->c.result = NULL;
}

#endif
