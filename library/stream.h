// stream.h: the inside of streams: descriptions, cursors (streams that are being consumed), and
// hubs (sources that run by themselves).
#ifndef LIBRARY_STREAM_H
#define LIBRARY_STREAM_H

#include "library.h"

#include "../runtime/wait/stream-support.h"

void fm__stream_throw(fm_error *e) throws(fm_error);       // takes e over
void fm__stream_throw_kept(fm_error **e) throws(fm_error); // if there is one

// now + ms, in nanoseconds; a time that is too late is never.
static inline uint64_t fm__moment_after(uint64_t now, uint64_t ms) {
  return ms < (UINT64_MAX - now) / 1000000 ? now + ms * 1000000 : UINT64_MAX;
}

// From now until `when`, which is later; rounded up.
static inline uint64_t fm__ms_until(uint64_t when, uint64_t now) {
  return (when - now - 1) / 1000000 + 1;
}

typedef struct fm__cursor fm__cursor;

typedef struct fm__kind { // one for each operator
  const char *name;
  size_t state;                // bytes of a cursor's own state, zeroed at first
  bool opens;                  // its inputs are opened with it
  void (*open)(fm__cursor *c); // may be NULL; the inputs are open
  // false: there are no more values
  async bool (*next)(fm__cursor *c, void *out) throws(fm_error);
  // may be NULL; the same where that takes no wait and no function of the program's. false: ask
  // `next`
  bool (*ready)(fm__cursor *c, void *out);
  bool never_waits; // nor does `next` throw
  // may be NULL; the channel from which `next` would take the next value, and nothing else; NULL:
  // there is none yet
  fm__chan *(*ring)(fm__cursor *c);
  // may be NULL; the inputs are closed afterwards
  async void (*close)(fm__cursor *c);
} fm__kind;

struct fm__stream { // in memory of the domain, as everything here
  const fm__kind *kind;
  unsigned references;
  size_t size; // of an element
  // arguments of the operator: how many, milliseconds …
  uint64_t number;
  uint64_t ms;
  void *object; // the channel or event; the program's
  char *data;   // the stream's own: the elements of an array, the seed
  // elements of the array; inputs of merge and concat
  size_t count;
  // of a batch: offset of its count (`number`) and of its elements; room for how many. Of a pair
  // (a stamp, a key, and a value): offset of the first (`number`) and of the value.
  size_t at, room;
  fm__user user, show; // apply NULL: there is none
  char *name;          // given by the program, or NULL
  size_t inputs;
  fm__stream *in[];
};

// The data of a line in a listing: part of a cursor, or the record of a subscription that has
// ended.
typedef struct fm__seen {
  struct fm__seen *up; // the consumer; NULL: it is a subscription
  // other inputs of the same consumer, or other subscriptions
  struct fm__seen *next, *prev;
  struct fm__seen_list {
    struct fm__seen *first, *last;
  } down;         // its inputs
  fm__stream *of; // one reference
  fm_activity activity;
  uint64_t events;
  // the last events, as many as `room`; NULL: not kept
  char *ring;
  size_t room;
  size_t at;                  // where the next one goes
  enum fm_stream_state state; // RUNNING: see the state of its activity
  bool ended; // it is the record of a subscription that has ended
} fm__seen;

struct fm__cursor {
  fm__seen seen;
  fm_activity region; // the parent of activities that run for it
  // an error that came in an arm of a race that had lost: for the next call
  fm_error *error;
  char *kept; // the same for a value
  size_t inputs;
  fm__cursor **in; // NULL: that input is not open
  _Alignas(16) char state[];
};

// ---- stream.c ----
// With one reference.
fm__stream *fm__stream_new(const fm__kind *kind, size_t size, size_t inputs);
// Returns s; the program ends if s is not a description.
fm__stream *fm__stream_owned(fm__stream *s);
// With one input, which it takes over.
fm__stream *fm__stream_on(const fm__kind *kind, size_t size, fm__stream *in);
// With elements of the same size.
fm__stream *fm__stream_like(const fm__kind *kind, fm__stream *in);
void fm__user_copy(fm__user *to, const fm__user *from);
fm__stream *fm__with(fm__stream *s, const fm__user *f); // s, with a copy of f
// Takes s over; in the region of `up`.
fm__cursor *fm__cursor_open(fm__stream *s, fm__cursor *up);
// In the current region; up may be NULL.
fm__cursor *fm__cursor_open_here(fm__stream *s, fm__cursor *up);
// does not take s over
fm__cursor *fm__cursor_again(fm__stream *s, fm__cursor *up);
async bool fm__cursor_next(fm__cursor *c, void *out) throws(fm_error);
// A value that is there, as fm__kind.ready has it. false: ask fm__cursor_next.
bool fm__cursor_ready(fm__cursor *c, void *out);
// NULL is allowed; waits until all of it has unwound.
async void fm__cursor_close(fm__cursor *c);
async void fm__cursor_end(fm__cursor *c, size_t i); // closes an input
static inline void fm__value_copy(void *to, const void *from, size_t size) {
  if (size == 4)
    __builtin_memcpy(to, from, 4);
  else if (size == 8)
    __builtin_memcpy(to, from, 8);
  else
    __builtin_memcpy(to, from, size);
}
static inline void *fm__stream_copy(const void *from, size_t size) {
  return __builtin_memcpy(fm__stream_memory(size), from, size);
}
// Calls the program's function.
async void fm__use(const fm__stream *s, const void *a, const void *b, void *out)
    throws(fm_error);
async bool fm__asks(const fm__stream *s, const void *a, const void *b)
    throws(fm_error);
// ins: an array of n streams of elements of this size, which it takes over.
fm__stream *fm__stream_several(const fm__kind *kind,
                               size_t size,
                               const void *ins,
                               size_t n);

// ---- stream-table.c: values of one size, each with its number, found by their bytes ----
typedef struct fm__table {
  size_t size; // of a value
  char *row;   // the values, in the order of their numbers
  size_t n;
  size_t room;
  size_t *slots; // numbers + 1, half of them empty
  size_t nslots;
} fm__table;
// The number of v; fm__table.n: v is not there.
size_t fm__table_find(const fm__table *t, const void *v);
void fm__table_add(fm__table *t, const void *v); // v is not there
void fm__table_free(fm__table *t);

// ---- stream-list.c ----
void fm__seen_open(fm__seen *x, fm__seen *up);
void fm__seen_event(fm__seen *x, const void *v);
void fm__seen_close(fm__seen *x); // takes it out of the tree
// A subscription is about to be closed: makes its record.
fm__seen *fm__seen_left(fm__seen *x);
// it is closed: adds the record to those that have ended
void fm__seen_keep(fm__seen *left);
size_t fm__seen_past(const fm__seen *x, void *to, size_t n);

// ---- stream-hub.c: sources that run in activities of their own ----
typedef struct fm__hub fm__hub;
enum { FM__PUMP_RUNS, FM__PUMP_FULL, FM__PUMP_ENDED, FM__PUMP_FAILED };
// Pulls a stream, and waits with each value until that is taken.
typedef struct fm__pump {
  fm__hub *hub;
  fm__stream *of;               // the stream that it pulls; one reference
  fm__cursor *from;             // the same, open already; the pump's own
  struct fm__pump *next, *prev; // in fm__hub.pumps
  // the next one in the line of pumps that have news
  struct fm__pump *after;
  bool told; // it is in that line
  int state;
  fm_activity id;
  fm_sem taken;
  fm_error *error;             // FAILED: one reference; NULL: it was cancelled
  uint64_t at;                 // if the hub is timed: when it joined the line
  unsigned tag;                // the operator's
  const fm__stream *generator; // in place of `of`: the function that emits
  // it does not wait: a newer value replaces one that nobody took
  bool loose;
  bool fresh; // loose: there is a value that nobody took
  // values go there, and only its end goes to the line; NULL: there is none
  fm__chan *ring;
  int full; // FM_WAIT …: what to do when the ring is full
  // takes each value in the pump's own activity, in place of the line; NULL: there is none
  async void (*give)(struct fm__pump *p) throws(fm_error);
  size_t size;
  char *value;
} fm__pump;
struct fm__hub {
  fm__cursor *owner;
  fm_sem ready;           // counts the pumps in the line
  fm__pump *first, *last; // the line
  fm__pump *pumps;
  bool timed; // the operator reads fm__pump.at
};
void fm__hub_init(fm__hub *h, fm__cursor *owner);
// Takes `of` over.
fm__pump *fm__pump_new(fm__hub *h, fm__stream *of, unsigned tag);
async void fm__pump_start(fm__pump *p);
// The first pump of the line: FULL or ENDED; a failure is thrown.
async fm__pump *fm__hub_wait(fm__hub *h) throws(fm_error);
// The same if there is one, and it is FULL; otherwise NULL.
fm__pump *fm__hub_ready(fm__hub *h);
// NULL: that moment (fm_now) came first.
async fm__pump *fm__hub_wait_until(fm__hub *h, uint64_t when) throws(fm_error);
void fm__pump_taken(fm__pump *p);           // it may go on
void fm__pump_take(fm__pump *p, void *out); // its value; it may go on
async void fm__pump_close(fm__pump *p);
async void fm__hub_close(fm__hub *h);

#endif
