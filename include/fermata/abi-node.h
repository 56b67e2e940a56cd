// abi-node.h: what of the runtime is near at hand for the operations (abi-chan.h) that generated
// code does by itself. Programs never name anything in it.
#ifndef FERMATA_ABI_NODE_H
#define FERMATA_ABI_NODE_H

#include <fermata/abi.h>

// ---- an activity ---- Its life: made (spawn) → ready ⇄ running ⇄ waiting → body ended (FM__BODY)
// → children ended too (FM__ENDED) → released. The memory of a node is type-stable: it stays a node
// until its domain is freed, so that a stale handle can be looked at. The flags are the runtime's,
// see runtime/core/node.h.
typedef struct fm_node fm_node;
struct fm_node {
  // generation << FM__FLAGS | flags; generation 0: not in use
  uint64_t word;
  fm_node *parent; // NULL: the domain's host
  fm_node *next;   // ring of its parent's children
  // first of a ring, in the order they were made; once the body has ended,
  fm_node *child;
  // those that have ended and are kept stand before
  // the live ones
  // (apart from next: gcc would store the two as a vector, which is slow)
  fm_node *prev;
  union {
    // innermost frame; running: the one that was resumed; ended: the first one,
    fm_frame *leaf;
    // which holds the result
    fm_node *owner; // of a scope or shield: whose
  };
  union {
    // next in: its set's ready queue | the ring of waiters | the free list
    fm_node *link;
    // of an innermost scope or shield: its owner's `waiters`
    uintptr_t outer;
  };
  // last of the ring of those that wait for its end; 0: none; with FM__SOLE: its
  uintptr_t waiters;
  // parent (or its owner) awaits it, no one else,
  // and no task is held; with FM__INNER: its
  // innermost scope or shield, see fm__waiters
  union {
    // FM__W… | address of what it waits for; kind 0: it does not wait
    uintptr_t waits;
    struct fm_error *errors; // of a scope: of children that no one awaits
    // of a race: the arm that was the first to end; before: see fm__winner
    fm_node *winner;
  };
  // tasks given out and not given up; with FM__GROUPED: see fm__group; of a
  uint32_t handles;
  // scope: where its deadlines are, or 0: see
  // deadline.c
  // its errno, while it does not run; those of the system are below 2^12
  int16_t err;
  // level of the set that may run it; 0: the domain's own
  uint16_t set;
};

// of flags and waits: see runtime/core/node.h, which knows them under other names
enum {
  FM_SPECIAL = 0x10000, // fm_node.word: not everyone may make it ready
  // fm_node.waits: what it waited for has come, and there is nothing special about it
  FM_SERVED = 0x90,
  FM_WAITS_FOR = 7, // likewise, with the address of a fm__waiter
};

// ---- what stands right before a fm_domain ----
typedef struct fm__sched {
  fm_node *current; // who runs
  fm_node *idle;
  union {
    struct {
      int asleep; // the ticker has to be woken when two are ready
      int nested; // an atomic is under way
    };
    uint64_t with_care; // both: not everyone may make someone ready
  };
  void *set;
  uint64_t serial;
  fm_node *head, *tail; // the ready queue of the domain's own set
  size_t more[8];
} fm__sched;
#define fm__sched(c) ((fm__sched *)(void *)(c)-1)

// What other threads look at or change at any moment. gcc keeps the address of an atomic in a
// register, of which the loop has none to spare; of a volatile it does not. TSan has to see
// atomics.
#ifdef FM_TSAN
#  define fm__load(T, at) __atomic_load_n((T *)(at), __ATOMIC_RELAXED)
#  define fm__store(T, at, value) \
    __atomic_store_n((T *)(at), (value), __ATOMIC_RELAXED)
#else
#  define fm__load(T, at) (*(T volatile *)(at))
#  define fm__store(T, at, value) (*(T volatile *)(at) = (value))
#endif

static inline bool fm__with_care(fm_domain *c) {
#ifdef FM_TSAN
  return fm__load(int, &fm__sched(c)->asleep) || fm__sched(c)->nested;
#else
  uint64_t *at = &fm__sched(c)->with_care;
  __asm__ volatile("" : "+m"(*at)); // it may have changed: see fm__guard_now
  return *at;
#endif
}

// Mostly it is the same state as the last time, and what is not stored need not be waited for.
static inline void fm__paused_in(fm_frame *f, uint16_t state) {
  if (fm__unlikely(f->state != state))
    f->state = state;
}

// ---- how a quick operation went: FM_GO, FM_PAUSED, or ----
enum { FM_RARE = 3 }; // nothing has been done
#ifdef __OPTIMIZE__
#  define FM_QUICK __attribute__((always_inline))
#else
#  define FM_QUICK
#endif

#endif
