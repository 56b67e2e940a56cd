// abi-node.h: the part of the runtime that generated code uses directly, for operations that it
// does by itself (abi-chan.h). Programs never name anything in it.
#ifndef FERMATA_ABI_NODE_H
#define FERMATA_ABI_NODE_H

#include <fermata/abi.h>

#ifdef FM_ATOMICITY
#  pragma push_macro("inline")
#  define inline inline __attribute__((always_inline))
#endif

// ---- an activity ----
// Its life: made (spawn) → ready ⇄ running ⇄ waiting → body ended (FM__BODY) → children ended too
// (FM__ENDED) → released. The memory of a node is type-stable: it remains a node until its domain
// is freed, so that a stale handle can be looked at. Only the domain's thread changes a node. The
// flags are the runtime's, see runtime/core/node.h.
typedef struct fm_node fm_node;
struct fm_node {
  // generation << FM__FLAGS | flags; generation 0: a free node
  uint64_t word;
  fm_node *parent; // NULL: the domain's host
  fm_node *next;   // in the ring of its parent's children
  // The first of the ring of its children, in the order in which they were made. Once the body has
  // ended, ended children that are kept stand before the live ones.
  fm_node *child;
  // in the same ring as next (apart from it: gcc would store the two as a vector, which is slow)
  fm_node *prev;
  union {
    // The innermost frame; while it runs, the one that was resumed; when it has ended, the first
    // one, which holds the result.
    fm_frame *leaf;
    fm_node *owner; // of a scope or shield: the activity it belongs to
  };
  union {
    // the next one in its set's ready queue, in a ring of waiters, or in the free list
    fm_node *link;
    // of an innermost scope or shield: its owner's `waiters`
    uintptr_t outer;
  };
  // The last of the ring of activities that wait for its end; 0: none. With FM__SOLE: its parent
  // (or the parent's owner) awaits it, nobody else does, and no task is held. With FM__INNER: its
  // innermost scope or shield, see fm__waiters.
  uintptr_t waiters;
  union {
    // FM__W… | address of what it waits for; kind 0: it does not wait
    uintptr_t waits;
    struct fm_error *errors; // of a scope: of children that nobody awaits
    // of a race: the arm that was the first to end; before that see fm__winner
    fm_node *winner;
  };
  // Tasks given out and not given up. With FM__GROUPED: see fm__group. In a scope: where its
  // deadlines are, or 0, see deadline.c. In a race: where the list of its arms is, or 0.
  uint32_t handles;
  // its errno, while it does not run; those of the system are below 2^12
  int16_t err;
  // level of the set that may run it; 0: the domain's own
  uint16_t set;
};

// Values of flags and waits that runtime/core/node.h has under other names.
enum {
  FM_SPECIAL = 0x10000, // fm_node.word: only the library may make it ready
  // fm_node.waits: the event has come, and nothing special is to be done
  FM_SERVED = 0x90,
  FM_WAITS_FOR = 7, // fm_node.waits: it waits; the rest is a fm__waiter
};

// ---- the scheduler's fields, right before a fm_domain ----
typedef struct fm__sched {
  fm_node *current; // the running activity
  fm_node *idle;
  union {
    struct {
      int asleep; // the ticker has to be woken when two are ready
      int nested; // an atomic is under way
    };
    uint64_t with_care; // both: only the library may make an activity ready
  };
  void *set;
  uint64_t serial;
  fm_node *head, *tail; // the ready queue of the domain's own set
  size_t more[8];
} fm__sched;
#define fm__sched(c) ((fm__sched *)(void *)(c)-1)

// Fields that other threads read or change at any moment. gcc keeps the address of an atomic in a
// register, of which the loop has none to spare; it does not with a volatile. TSan has to see
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

// Usually it is the same state as the last time, and nothing has to wait for a store that is not
// made.
static inline void fm__paused_in(fm_frame *f, uint16_t state) {
  if (fm__unlikely(f->state != state))
    f->state = state;
}

// ---- how an inline operation went: FM_GO, FM_PAUSED, or FM_RARE ----
enum { FM_RARE = 3 }; // nothing has been done
#ifdef __OPTIMIZE__
#  define FM_INLINE __attribute__((always_inline))
#else
#  define FM_INLINE
#endif

#ifdef FM_ATOMICITY
#  pragma pop_macro("inline")
#endif

#endif
