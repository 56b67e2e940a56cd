// completion.c: completions: how something outside the scheduler ends the wait of an activity
// (asyncdirect, awaitables).
//
//     k = fm__direct_begin(c, code);     a slot, and a frame of `code` for the value
//     the user's function(…, k);         gives k away: to a callback, another thread, a table
//     v = fm__direct_end(c, k);          waits, unless k has been completed already
//
// k is not an address: it names a slot and the number of its use. Slots are never freed, so any
// thread can look k up at any time, and a late or second completion is recognised. `word` of a slot
// holds the number of its use and the state of that use. The thread that changes the state from
// OPEN, by a compare-and-swap, decides the wait:
//
//     OPEN     the wait may be completed
//     TAKEN    a thread is completing it; another thread than the domain's then sends a message
//     DONE     the value is in the frame, and the activity does not wait yet
//     IDLE     no such wait; k is dead
//
// The fields of a slot belong to the domain's thread, except that the thread that has taken it may
// write into its frame. The activity gets a frame with a value just as it gets the result of a
// task.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "fm.h"
#include "core/forked.h"

#include <pthread.h>
#include <string.h>

// ---- slots ----
typedef struct fm__slot {
  // aligned as nodes and frames are, for the low bits of fm_node.waits
  _Alignas(16) fm__wait wait;
  _Atomic uint64_t word; // use << 2 | state
  fm__runtime *domain;
  fm_node *node;          // the activity that waits, or is about to
  fm_frame *frame;        // for the value
  void (*cancel)(void *); // NULL: the wait cannot be cancelled
  void *arg;
  fm__msg msg;           // from the thread that has taken it
  struct fm__slot *next; // in a list of free slots
  uint64_t index;
} slot;

enum { IDLE, OPEN, TAKEN, DONE, STATE = 3 };
// Bits of k for the slot; the rest is the number of its use.
enum { INDEX = sizeof(void *) == 8 ? 26 : 14 };
// Slots of the first chunk; each chunk has twice as many as the one before.
enum { FIRST = 64, CHUNKS = INDEX - 6 };

#define LAST_USE (UINTPTR_MAX >> INDEX)

static struct {
  // guards all that follow; chunks may be read without it
  pthread_mutex_t lock;
  slot *_Atomic chunks[CHUNKS];
  size_t nchunks;
  slot *idle; // free slots that no domain has
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static inline int chunk_of(uint64_t index) {
  return 63 - __builtin_clzll(index + FIRST) - __builtin_ctz(FIRST);
}

// NULL: fm__direct_begin never made k.
static slot *slot_of(uintptr_t k) {
  uint64_t index = k & (((uintptr_t)1 << INDEX) - 1);
  int i = chunk_of(index);
  slot *chunk =
      i < CHUNKS ? atomic_load_explicit(&table.chunks[i], memory_order_acquire)
                 : NULL;
  return chunk ? &chunk[index + FIRST - ((uint64_t)FIRST << i)] : NULL;
}

static bool withdraw(fm__runtime *d, fm_node *a);
static void drop(fm__runtime *d, fm_node *a);
static const fm__wait_kind kind = {
  .what = "a completion",
  .withdraw = withdraw,
  .drop = drop,
};

// The lock is held.
static slot *chunk_new(void) {
  size_t i = table.nchunks;
  size_t n = (size_t)FIRST << i;
  slot *chunk = i < CHUNKS ? fm__alloc(n * sizeof *chunk) : NULL;
  if (!chunk)
    fm__out_of_memory("completions", "", n * sizeof *chunk);
  for (size_t j = 0; j < n; j++) {
    chunk[j] = (slot){ .wait = { &kind },
                       .next = j + 1 < n ? &chunk[j + 1] : NULL,
                       .index = n - FIRST + j };
    atomic_init(&chunk[j].word, (uint64_t)1 << 2 | IDLE);
  }
  atomic_store_explicit(&table.chunks[i], chunk, memory_order_release);
  table.nchunks++;
  return chunk;
}

// A domain takes some at a time, and keeps them until it ends.
static FM_COLD void slots_more(fm__runtime *d) {
  enum { SOME = 64 };
  slot *last;
  fm__pthread_lock(&table.lock);
  if (!table.idle)
    table.idle = chunk_new();
  d->slots = last = table.idle;
  for (int i = 1; i < SOME && last->next; i++)
    last = last->next;
  table.idle = last->next;
  last->next = NULL;
  pthread_mutex_unlock(&table.lock);
}

void fm__slots_free(fm__runtime *d) {
  slot *last = d->slots;
  if (!last)
    return;
  while (last->next)
    last = last->next;
  fm__pthread_lock(&table.lock);
  last->next = table.idle;
  table.idle = d->slots;
  pthread_mutex_unlock(&table.lock);
  d->slots = NULL;
}

// ---- the word ----
static inline uint64_t use_of(uint64_t word) {
  return word >> 2;
}

static inline bool change(slot *s, uint64_t from, uint64_t to) {
  return atomic_compare_exchange_strong_explicit(
      &s->word, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

static inline uint64_t word_of(slot *s) {
  return atomic_load_explicit(&s->word, memory_order_acquire);
}

static inline void set_state(slot *s, unsigned state) {
  atomic_store_explicit(&s->word,
                        (word_of(s) & ~(uint64_t)STATE) | state,
                        memory_order_release);
}

// The word of the next use, which has not begun.
static inline uint64_t next_use(uint64_t word) {
  uint64_t use = use_of(word) + 1;
  return (use > LAST_USE ? 1 : use) << 2 | IDLE;
}

static inline void give_back(fm__runtime *d, slot *s) {
  s->next = d->slots;
  d->slots = s;
}

static void close_slot(fm__runtime *d, slot *s) {
  atomic_store_explicit(&s->word, next_use(word_of(s)), memory_order_release);
  give_back(d, s);
}

// ---- a wait ----
fm_completion *fm__direct_begin(fm_domain *c, const fm_code *code) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__unlikely(!d->slots))
    slots_more(d);
  slot *s = d->slots;
  d->slots = s->next;
  s->domain = d;
  s->node = d->current;
  s->frame = fm__frame_new(c, code);
  s->cancel = NULL;
  set_state(s, OPEN);
  return (fm_completion *)((uintptr_t)use_of(word_of(s)) << INDEX |
                           (uintptr_t)s->index);
}

// An activity that is to unwind does so at once, if the wait can be cancelled.
static void wait_for(fm__runtime *d, slot *s) {
  bool armed = fm__is_armed(d);
  fm__wait_begin(d, &s->wait);
  if (!armed || !fm__wait_cancel(d, d->current))
    return;
  fm__rearm(d->current);
  fm__throw_cancel(d);
}

void *fm__direct_end(fm_domain *c, fm_completion *k) {
  fm__runtime *d = fm__runtime_of(c);
  slot *s = slot_of((uintptr_t)k);
  if ((word_of(s) & STATE) != DONE) {
    wait_for(d, s);
    return NULL;
  }
  fm_frame *f = s->frame;
  close_slot(d, s);
  f->spare = 1;
  fm__read_result(d, f);
  return c->result;
}

static inline bool waits_for(const fm_node *a, const slot *s) {
  return a->waits == ((uintptr_t)s | FM__WOBJECT);
}

// The value is in the frame, and this is the domain's thread.
static void deliver(fm__runtime *d, slot *s) {
  fm_node *a = s->node;
  fm_frame *f = s->frame;
  if (!waits_for(a, s)) {
    set_state(s, DONE);
    return;
  }
  close_slot(d, s);
  f->spare = 1;
  fm__wait_over(d,
                a,
                (uintptr_t)f | FM__WRESULT |
                    (fm__has_failed(f) ? FM__ARMED : fm__arming(a)));
}

static void message(fm__runtime *d, fm__msg *m) {
  deliver(d, (slot *)(void *)((char *)m - offsetof(slot, msg)));
}

// ---- completing, from any thread ----
// true: the caller alone may write into s->frame, and must then call hand_over.
static bool take(slot *s, uintptr_t k) {
  uint64_t open = (uint64_t)(k >> INDEX) << 2 | OPEN;
  return s && change(s, open, (open & ~(uint64_t)STATE) | TAKEN);
}

static void hand_over(slot *s) {
  fm__runtime *d = s->domain;
  if (d == fm__runtime_here()) {
    deliver(d, s);
    return;
  }
  s->msg.fn = message;
  fm__inbox_post(d, &s->msg);
}

bool fm__complete(fm_completion *k, const void *value, size_t size) {
  slot *s = slot_of((uintptr_t)k);
  if (!take(s, (uintptr_t)k))
    return 0;
  if (size)
    memcpy(fm__result_of(s->frame), value, size);
  hand_over(s);
  return 1;
}

bool fm__fail(fm_completion *k,
              const void *value,
              size_t size,
              const char *type,
              const char *file,
              int line) {
  slot *s = slot_of((uintptr_t)k);
  if (!take(s, (uintptr_t)k))
    return 0;
  fm__fail_with(s->frame, fm__error_new(value, size, type, file, line));
  hand_over(s);
  return 1;
}

bool fm_resume_action(fm_action *action) {
  return fm__complete((fm_completion *)action, NULL, 0);
}

// ---- cancelling, on the domain's thread ----
void fm__on_cancel(fm_completion *k, void (*fn)(void *), void *arg) {
  slot *s = slot_of((uintptr_t)k);
  // it was completed, and perhaps serves another wait now
  if (!s || word_of(s) != ((uint64_t)((uintptr_t)k >> INDEX) << 2 | OPEN))
    return;
  s->cancel = fn;
  s->arg = arg;
}

// The wait ends here, unless it has been completed.
static bool undo(fm__runtime *d, slot *s) {
  uint64_t word = word_of(s);
  fm_node *a = s->node;
  fm_frame *f = s->frame;
  if ((word & STATE) != OPEN || !change(s, word, next_use(word)))
    return false;
  give_back(d, s);
  fm__frame_free(&d->c, f);
  a->waits = 0;
  return true;
}

// fn may complete the wait itself: then a does not wait for this slot any more. Or fn refuses, by
// fm_on_cancel.
static bool withdraw(fm__runtime *d, fm_node *a) {
  slot *s = fm__waited_for(a);
  void (*fn)(void *) = s->cancel;
  if (!fn || (word_of(s) & STATE) != OPEN)
    return false;
  s->cancel = NULL;
  fn(s->arg);
  return waits_for(a, s) && !s->cancel && undo(d, s);
}

// A thread that has taken it needs the frame until its message has come.
static void drop(fm__runtime *d, fm_node *a) {
  slot *s = fm__waited_for(a);
  while (waits_for(a, s) && !undo(d, s)) {
    fm__inbox_drain(d);
    fm__spin(d);
  }
}

// ---- awaitables ----
// Its frame only stands for a value that does not exist: it is never resumed.
static void action_resume(fm_domain *c, fm_frame *f) {
  (void)c;
  (void)f;
}

const fm_code fm__action_code = {
  .resume = action_resume,
  .name = "await",
  .file = "fermata",
  .size = sizeof(fm_frame),
  .lands = FM_OF_LIBRARY,
};
