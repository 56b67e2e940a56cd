// node.h: an activity as the runtime sees it: the flags of fm_node.word, the kinds of
// fm_node.waits, and small functions that read them. The structure itself is in
// <fermata/abi-node.h>, because generated code reads it too. Scopes, races and shields are nodes as
// well.
#ifndef FM_CORE_NODE_H
#define FM_CORE_NODE_H

#ifndef FERMATA_NO_KEYWORDS
#  define FERMATA_NO_KEYWORDS
#endif
#include <fermata.h>
#include <fermata/abi-node.h>

_Static_assert(sizeof(fm_node) <= 80, "an activity is small");

typedef struct fm__claim fm__claim; // domains/claim.h
typedef struct fm__offer fm__offer;

// ---- fm_node.word: generation << FM__FLAGS | flags ----
// The generation is also the activity's number in reports.
#define FM__FLAGS 21
enum {
  // how far its life has come
  FM__BODY = 1,  // its body has ended
  FM__ENDED = 2, // its children have ended too; the node is kept for its result
  FM__DELAYED =
      4,       // spawned in an atomic; it begins when the outermost has ended
  FM__RUN = 8, // its end ends the scheduler's loop (run)

  FM__EXTRAS = 16, // it has a name of its own, or locals, see extras.c
  FM__FIRST = 32,  // it is queued only because the stack was low: it goes first
  FM__GROUPED = 64,    // made by activate: it shares variables, see fm__group
  FM__CONTAINED = 128, // it counts in a set that is not the domain's own

  // cancel
  FM__CANCELLED =
      0x100, // a cancel marked it, as all below it that is not shielded
  FM__TARGET = 0x200, // fm_cancel named exactly this node, see cancel-origin.c

  // fm_pause
  FM__STOPPED = 0x400,    // fm_pause named exactly this node
  FM__HELD = 0x800,       // this node or one above it is stopped
  FM__SET_ASIDE = 0x1000, // it was held when it was to go on: it is in no queue

  // the kind of the node; none of these: an activity
  FM__SCOPE = 0x2000,  // a scope or race
  FM__SHIELD = 0x4000, // a shield
  FM__RACE = 0x8000,   // with FM__SCOPE: a race

  FM__ARM = 0x10000,   // an activity that is an arm of a race
  FM__INNER = 0x20000, // an activity that is in a scope or shield
  FM__FRESH = 0x40000, // the cancel that is under way has marked it
  FM__HUB = 0x80000,   // not in the tree: part of fm_all or fm_any, see all.c
  FM__AIMED =
      0x100000, // with CANCELLED: the cancel did not come from the node above
  FM__ANY = 0x1fffff,

  // flags of activities that mean something else in a scope
  FM__MET =
      FM__RUN, // a cancel from above came while its owner waited for its end
  FM__CUT =
      FM__FIRST, // a cancel of this scope made an activity below it unwind
  // of a race: it has a `default:`, and its arms run to their first wait
  FM__HURRIES = FM__GROUPED,
  // of an arm that has ended and won: its result is for the race alone
  FM__WON = FM__FIRST,
  // a flag of scopes that means something else in an activity
  FM__POOLED =
      FM__RACE, // of a pool, begun where it was spawned; it counts in `load`

  FM__INHERITED =
      FM__CANCELLED | FM__HELD, // children get these from their parent
  FM__REGION = FM__SCOPE | FM__SHIELD,
  FM__MARKS = FM__EXTRAS | FM__TARGET, // a table elsewhere has an entry for it
};
_Static_assert((int)FM_SPECIAL == FM__ARM, "abi-node.h");

// fm_node.waiters, low bit: one activity waits, and it is the parent. The ring is not closed then.
enum { FM__SOLE = 1 };

// fm_share_group.first is no pointer but a count of members. LEFT: the block unwinds.
enum { FM__LEFT = 1, FM__MEMBER = 2 };

// ---- fm_node.waits: the event that the activity waits for ----
// The low three bits are the kind, the rest is an address. Nodes and frames are aligned to 16, so
// FM__ARMED fits beside their addresses.
enum {
  FM__WAWAIT = 1, // a node: await of it
  FM__WRESULT =
      2, // the first frame of an ended activity: this activity reads its result
  FM__WJOIN = 3, // a node: fm_join of it
  FM__WGROUP =
      // a fm_share_group: the end of a block whose activities share variables
  4,
  FM__WSPAWN =
      5, // a node: its child of spawn now, which goes first; not a wait
  FM__WTAKE =
      // its own child, which has ended (FM__SOLE): it goes on with that result
  6,
  FM__WOBJECT = 7, // a fm__wait: a queue, a timer, a completion, another domain
  FM__WKIND = 7,

  // kind 0: it unwinds at its next pause. WRESULT, WTAKE: the same, or the result is an error
  FM__ARMED = 8,
  // only with kind 0
  FM__HOLDS =
      16, // it has not paused where it stands, or has got what it waited for
  FM__MUST = 32, // it unwinds in any case
  FM__DEAD = 64, // it unwinds with struct fm_deadlock
  FM__AT_ONCE =
      128, // with HOLDS and nothing else: it goes on, and `waits` is then 0
};
_Static_assert((int)FM_SERVED == (FM__HOLDS | FM__AT_ONCE), "abi-node.h");
_Static_assert((int)FM_WAITS_FOR == FM__WOBJECT, "abi-node.h");
_Static_assert(_Alignof(fm_share_group) > FM__WKIND, "the low bits are free");

static inline uint64_t fm__generation(const fm_node *a) {
  return a->word >> FM__FLAGS;
}
static inline void *fm__waited_for(const fm_node *a) {
  return (void *)(a->waits & ~(uintptr_t)FM__WKIND);
}
static inline unsigned fm__waits_kind(const fm_node *a) {
  return a->waits & FM__WKIND;
}
// The handle (a, generation) still names this node.
static inline bool fm__is_valid(const fm_node *a, uint64_t generation) {
  return a && fm__generation(a) == generation;
}

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

// Behind `before`; the first of the ring stays.
static inline void fm__ring_insert(fm_node *before, fm_node *a) {
  a->parent = before->parent;
  a->prev = before;
  a->next = before->next;
  before->next->prev = a;
  before->next = a;
}

static inline void fm__ring_remove(fm_node *a) {
  fm_node *p = a->parent;
  fm_node *next = a->next;
  if (next == a) {
    p->child = NULL;
    return;
  }
  a->prev->next = next;
  next->prev = a->prev;
  if (p->child == a)
    p->child = next;
}

// ---- races ----
// `winner` of a race without a winner may hold its claim (domains/claim.h), marked by this bit.
enum { FM__HAS_CLAIM = 8 };
static inline fm_node *fm__winner(const fm_node *s) {
  return (uintptr_t)s->winner & FM__HAS_CLAIM ? NULL : s->winner;
}
// `default:` has won.
static inline bool fm__is_default(const fm_node *s) {
  return s->winner == s;
}
static inline bool fm__lost_race(const fm_node *a) { // another arm has won
  return a->word & FM__ARM && fm__winner(a->parent) &&
         fm__winner(a->parent) != a;
}
static inline fm__claim *fm__claim_of(const fm_node *s) {
  return (uintptr_t)s->winner & FM__HAS_CLAIM
             ? (fm__claim *)((uintptr_t)s->winner - FM__HAS_CLAIM)
             : NULL;
}

// ---- scopes and shields of an activity ----
static inline fm_node *fm__innermost(fm_node *a) {
  return a->word & FM__INNER ? (fm_node *)a->waiters : a;
}
static inline fm_node *fm__owner(fm_node *a) {
  return a->word & FM__REGION ? a->owner : a;
}
// Where the last activity of the ring that waits for a's end is noted.
static inline uintptr_t *fm__waiters(fm_node *a) {
  return a->word & FM__INNER ? &((fm_node *)a->waiters)->outer : &a->waiters;
}
// That last activity; the ring is closed by the call.
static inline fm_node *fm__last_waiter(fm_node *a) {
  uintptr_t last = *fm__waiters(a);
  fm_node *w = (fm_node *)(last & ~(uintptr_t)FM__SOLE);
  if (last & FM__SOLE)
    w->link = w;
  return w;
}
// A cancel marks all nodes below that are not shielded, so the innermost node decides.
static inline bool fm__to_unwind(fm_node *a) {
  return fm__innermost(a)->word & FM__CANCELLED;
}
static inline uintptr_t fm__arming(fm_node *a) {
  return fm__to_unwind(a) ? FM__ARMED : 0;
}

// ---- results: in the first frame of an ended activity ----
// The states of that frame if the activity failed: `parent` is its error then. READ: it was thrown
// in an activity that awaited.
enum { FM__READ_STATE = UINT16_MAX - 1, FM__FAILED_STATE };

static inline bool fm__has_failed(const fm_frame *f) {
  return f->state >= FM__READ_STATE;
}
static inline fm_error *fm__error_in(const fm_frame *f) {
  return (fm_error *)f->parent;
}
static inline fm_frame *fm__caller(const fm_frame *f) {
  return fm__has_failed(f) ? NULL : f->parent;
}
// The frame of the activity's first function, of which f is one of the frames.
static inline fm_frame *fm__outermost(fm_frame *f) {
  for (fm_frame *up; (up = fm__caller(f));)
    f = up;
  return f;
}
static inline void *fm__result_of(fm_frame *f) {
  return (char *)f + f->code->result;
}

#endif
