// atomicity.h: what the files of -fsanitize=atomicity share. docs/atomicity.md describes the rules.
//
// The C compiler instruments the program as for ThreadSanitizer: each function reports that it is
// entered and left, each access its address. This folder has the functions that are called, in
// place of libtsan; the runtime of this variant (-DFM_ATOMICITY) reports turns, frames and joins.
//
//     hooks.c        what the runtime calls: turns, frames, ends of waits
//     quick.h        the usual accesses, inline
//     access.c       what instrumented code calls: reads, writes, functions
//     atomics.c      the same for atomic operations
//     memory.c       malloc and free
//     strings.c      functions of the C library that read and write memory
//     invocations.c  functions that have been entered, as a tree that outlives pauses
//     shadow.c       for each 8 bytes of memory: the last reads and writes
//     rules.c        which histories are mistakes
//     gaps.c         which gaps between turns others used to write, for traces
//     members.c      names of members of structures
//     places.c       addresses of code as lines of the source
//     warnings.c     reports
//     settings.c     FERMATA_ATOMICITY
//
// One lock guards all of it, and is taken only while the process has several threads.
#ifndef FM_ATOMICITY_H
#define FM_ATOMICITY_H

#ifndef FM_ATOMICITY
#  define FM_ATOMICITY 1
#endif
#include "fm.h"

#include <sys/single_threaded.h>

typedef struct fm__invocation fm__invocation;
typedef struct fm__actor fm__actor;
typedef struct fm__record fm__record;
typedef struct fm__page fm__page;

// ---- an activity, as far as histories need it; it outlives the activity ----
struct fm__actor {
  const fm__runtime *domain; // only to be compared: it may have ended
  fm_node *node;
  uint64_t generation; // of the node; the activity's number
  // What it was spawned in; a new generation there: that has ended, and has waited for it.
  fm_node *parent;
  uint64_t parent_generation;
  fm__actor *owner;  // the activity of `parent`; NULL: plain code
  fm__actor *joiner; // the activity that has waited for its end; NULL: none yet
  uint32_t refs;
  char name[44];
  // For traces, see gaps.c: numbers of turns. ended: its last one; its gap lies between the others.
  uint64_t ended, gap_from, gap_to;
  uint64_t
      gap_by; // number of the activity that wrote in the gap; 0: none so far
};

// ---- invocations.c ----
// One entry of a function. It lives until the function returns, across pauses.
struct fm__invocation {
  fm__invocation *up; // the caller; NULL: the activity's first function
  uintptr_t call;     // the return address in the caller; 0: none
  uintptr_t stack;    // where it stands on the C stack; 0: it is paused
  fm_frame *frame;    // while it has one that is known
  uint32_t refs, depth;
  bool live;
};

// ---- the calling thread ----
enum { FM__PENDING = 8, FM__RECENT = 256, FM__NEAR_PAGES = 16 };
typedef struct
    fm__suspect { // a report that a later read in the same turn withdraws
  uintptr_t x, y; // addresses of the granules
  unsigned x_mask, y_mask;
  fm__record *read, *write;
  uintptr_t pc;
  fm__invocation *at;
  int rule;
} fm__suspect;

typedef struct fm__self {
  fm__runtime *domain; // NULL: no activity runs
  fm__actor *actor;    // the activity that runs; NULL: none
  uint64_t turn;
  fm__invocation *now; // the innermost function; NULL: none yet
  fm__invocation
      *bottom; // what the scheduler has resumed; NULL: not entered yet
  fm_frame
      *resumes; // the frame that the scheduler resumes now, until it is entered
  uintptr_t stack_low, stack_size;
  uintptr_t error; // the address of errno
  union {
    struct {
      bool busy;    // in this folder: accesses are not of the program
      bool more;    // there are more rules
      bool pending; // there are suspects
      bool several; // other domains have had turns
    };
    uint32_t special; // 0: none of these
  };
  // Pages of the shadow that were used last: the address divided by the size, 0: none.
  struct {
    uintptr_t number;
    fm__page *page;
  } near[FM__NEAR_PAGES];
  size_t suspects;
  fm__suspect suspect[FM__PENDING];
  // With more rules: the granules that were read last, and by which activity. The activities are
  // only compared.
  size_t recents;
  struct {
    const fm__actor *by;
    uintptr_t granule;
  } recent[FM__RECENT];
} fm__self;
extern __thread fm__self fm__self_now;
extern _Atomic unsigned fm__ato_domains; // how many have had turns

// One lock, which is taken only while the process has several threads.
void fm__ato_lock_taken(void);
void fm__ato_lock_given(void);
static inline void fm__ato_lock(void) {
  if (fm__unlikely(!__libc_single_threaded))
    fm__ato_lock_taken();
}
// The process may have got its second thread meanwhile, but not in this folder.
static inline void fm__ato_unlock(void) {
  if (fm__unlikely(!__libc_single_threaded))
    fm__ato_lock_given();
}
// Memory that is never given back. Zeroed.
void *fm__ato_pages(size_t bytes);
// A list of free objects of one size, linked by their first words. What is taken has any content.
typedef struct fm__free {
  struct fm__free *next;
} fm__free_list;
void *fm__ato_take(fm__free_list **list, size_t size);
void fm__ato_give(fm__free_list **list, void *object);

fm__invocation *fm__invocation_new(fm__invocation *up, uintptr_t call);
void fm__invocation_drop(fm__invocation *i); // one reference less
void fm__invocation_bind(fm_frame *f, fm__invocation *i);
void fm__invocation_unbind(
    const fm_frame *f); // the frame is free: the invocation has ended
fm__invocation *fm__invocation_of(const fm_frame *f);
// The nearest caller of a frame that is known, or the frame's own; NULL: none.
fm__invocation *fm__invocation_around(const fm_frame *f);
void fm__invocation_enter(fm__self *s,
                          uintptr_t caller,
                          uintptr_t here,
                          uintptr_t stack);
void fm__invocation_leave(fm__self *s, uintptr_t here, uintptr_t stack);

fm__actor *fm__actor_new(void); // not initialised
void fm__actor_drop(fm__actor *a);
// Whether the activity has ended and w has waited for it, directly or through others.
bool fm__actor_joined(const fm__actor *a, const fm__actor *w);
bool fm__actor_ended(const fm__actor *a);

// ---- shadow.c ----
enum { FM__GRANULE = 8, FM__SHADOW_PAGE = 4096 };
enum {
  FM__FREED = 1, // the write was a free
  FM__UNSURE =
      2, // of a read: `value` is not known, and is taken before another activity writes
};
struct fm__record {
  fm__record *next;
  fm__actor *actor;
  fm__invocation *at;
  uintptr_t pc; // the return address of the hook
  uint64_t turn;
  union {
    uint64_t value; // of a read: the granule
    uint64_t over;  // of a write: the activity whose write it replaced; 0: none
  };
  fm__record
      *old; // of a read, with more rules: the read before, in an earlier turn
  uint8_t mask; // bytes of the granule
  uint8_t flags;
  uint8_t
      wrote; // of a read: bytes that the reader has written as well, in the turn of the read
};
typedef struct fm__cell {
  fm__record *reads;  // the latest first
  fm__record *writes; // their masks are disjoint
} fm__cell;
enum { FM__CELLS = FM__SHADOW_PAGE / FM__GRANULE };
struct fm__page {
  fm__cell cells[FM__CELLS];
  uint64_t starts[FM__CELLS / 64]; // an object begins at the granule
  uint64_t frames[FM__CELLS / 64]; // the object that begins there is a frame
  bool skip;                       // never looked at
};

void fm__shadow_read(fm__self *s,
                     uintptr_t granule,
                     unsigned mask,
                     uintptr_t pc);
void fm__shadow_write(fm__self *s,
                      uintptr_t granule,
                      unsigned mask,
                      uintptr_t pc,
                      unsigned flags);
// New memory: what was known of it is forgotten, and it is an object of its own.
void fm__shadow_new(uintptr_t low, size_t bytes, bool frame);
void fm__shadow_forget(uintptr_t low, size_t bytes);
void fm__shadow_skip(uintptr_t low,
                     size_t bytes);           // never looked at from now on
fm__cell *fm__shadow_find(uintptr_t granule); // NULL: nothing is known
// The object that the granule is in, at most FM__NEAR granules on either side.
enum { FM__NEAR = 64 };
typedef struct fm__extent {
  uintptr_t low, high;
  bool frame;
} fm__extent;
fm__extent fm__shadow_object(uintptr_t granule);
fm__record *fm__record_copy(const fm__record *r);
void fm__record_free(fm__record *r);

// ---- rules.c ----
typedef enum fm__rule {
  FM__LOST_UPDATE, // RWW
  FM__TORN,        // MIXO
  FM__STALE,       // memory that was freed meanwhile
  FM__STALE_CHECK, // more: checked, then incremented
  FM__HALF_DONE,   // more: a half-done update was seen
} fm__rule;
// Before the shadow is changed by an access of the current activity.
void fm__rules_write(fm__self *s,
                     fm__cell *c,
                     uintptr_t granule,
                     unsigned mask,
                     uintptr_t pc,
                     unsigned flags);
void fm__rules_touch(
    fm__self *s, fm__cell *c, uintptr_t granule, unsigned mask, uintptr_t pc);
void fm__rules_read_again(fm__self *s, uintptr_t granule, unsigned mask);
void fm__rules_turn_ends(fm__self *s);

// Whether w is a write of another activity that s has not waited for.
bool fm__is_foreign(const fm__self *s, const fm__record *w);

// ---- gaps.c ----
// A turn of s->actor begins, or ends.
void fm__gap_begins(fm__self *s);
void fm__gap_ends(fm__self *s);
// Before the shadow is changed by an access of the current activity.
void fm__gap_look(fm__self *s, const fm__cell *c, unsigned mask);
static inline void
fm__gap_touch(fm__self *s, const fm__cell *c, unsigned mask) {
  if (fm__tracing() && s->actor->gap_to && !s->actor->gap_by)
    fm__gap_look(s, c, mask);
}

// ---- places.c ----
typedef struct fm__code_place {
  uintptr_t pc;
  const char *directory, *file; // file NULL: not known
  unsigned line;
  const char *function; // NULL: not known
  size_t length;        // of the function's name
  const fm_code *code;  // of an async function; NULL: none
  bool library;         // Fermata's own code
} fm__code_place;
// pc: a return address.
const fm__code_place *fm__place_at(uintptr_t pc);
// Whether two addresses are in the same variable with a fixed place, or in none.
bool fm__same_variable(uintptr_t x, uintptr_t y);
const char *fm__variable_at(uintptr_t address, size_t *offset, size_t *size);
// Which part of that variable, or of that block, the address is in; "": not known.
const char *fm__part_of_variable(uintptr_t address);
struct fm__block_info;
const char *fm__part_of_block(uintptr_t address,
                              const struct fm__block_info *b);
// The line of the source, without its first blanks; NULL: the file cannot be read.
const char *fm__source_at(uintptr_t pc);
void fm__places_variables(void); // finds where variables are, once
// The variable, block or frame that the address is in, as far as it is near.
fm__extent fm__object_around(uintptr_t address);

// ---- members.c ----
struct fm__symbols;
// The part of an object at the offset: of the variable that begins at low, `.count` or `[2].count`;
// of a block of this size, `queue.count`, if the source line of its allocation mentions a structure
// `queue` of the same size. false: not known.
bool fm__member_of_variable(struct fm__symbols *all,
                            uintptr_t low,
                            size_t offset,
                            char *to,
                            size_t room);
bool fm__member_of_block(struct fm__symbols *all,
                         const char *line,
                         size_t size,
                         size_t offset,
                         char *to,
                         size_t room);

// ---- memory.c ----
typedef struct fm__block_info {
  uintptr_t low;
  size_t size;
  uintptr_t pc; // where it was allocated
} fm__block_info;
bool fm__block_at(uintptr_t address, fm__block_info *b);

// ---- warnings.c ----
typedef struct fm__finding {
  fm__rule rule;
  uintptr_t x, y; // addresses; y: of the second variable, or 0
  size_t x_size, y_size;
  const fm__record *read, *write;
  uintptr_t pc; // of the last access
  fm__invocation *at;
  fm__actor *actor;
  bool writes; // the last access is a write
} fm__finding;
void fm__warn(const fm__finding *f);
void fm__ato_at_end(int status, void *unused); // for on_exit

// ---- settings.c ----
typedef struct fm__ato_settings {
  bool ready;
  bool more;
  bool halt;
  int status;
  const char *log;
  const char *suppressions; // the text of the file; NULL: none
} fm__ato_settings;
const fm__ato_settings *fm__ato_settings_now(void);
bool fm__suppressed(const char *text);

#endif
