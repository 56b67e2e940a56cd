// top.h: what the files of this folder share, and what the rest of the runtime calls. `fermata top`
// watches a program through a Unix socket (top-path.h); docs/top.md has the protocol.
//
//     open.c      the socket: FERMATA_TOP, SIGUSR2; the list of domains
//     serve.c     the server, a thread of its own: viewers, their requests, the answers
//     ask.c       what the server asks of a domain, and what the domain then does
//     shot.c      a domain copies its tree, between two turns
//     count.c     turns and time of each activity, while somebody watches
//     queues.c    what follows from a copy: subtrees, lengths of queues
//     view.c      which rows of a copy a viewer sees: order, filter, folded nodes
//     text.c      JSON
//
// The server never touches an activity. It posts a message to each domain (domains/inbox.c), which
// its loop answers between two turns: then the tree is consistent. The answer is a copy, a *shot*;
// the server sorts it and makes text of it while the domain goes on. A domain that does not answer
// in time is reported as busy, with what can be known from outside: its last shot, which activity
// runs, whether its thread computes or is blocked.
#ifndef FM_TOP_H
#define FM_TOP_H

#include "fm.h"

#include <stdarg.h>

// ---- shot.c ----
enum { // fm__top_row.state; in the order of fm_state
  FM__TOP_READY,
  FM__TOP_WAITS,
  FM__TOP_PAUSED, // it could go on, but fm_pause holds it
  FM__TOP_ATOMIC, // it is in an atomic
  FM__TOP_ENDING, // its body has ended, its children have not
  FM__TOP_ENDED,  // its task is held
  FM__TOP_OPEN,   // a scope, race or shield
  FM__TOP_STATES
};

typedef struct fm__top_row {
  uint64_t number;   // the activity's
  uint32_t parent;   // index of its row; FM__TOP_NONE: plain code
  uint32_t depth;    // 1: below plain code
  uint32_t below;    // how many rows follow that are below it
  uint32_t children; // how many of these are its own children
  uint8_t state;
  bool cancelled, held, stopped; // held: by a pause, its own or one above
  uint32_t line;                 // 0: not known
  // in static memory, or in the shot's
  const char *name, *kind;
  const char *function, *file; // NULL: not known
  const char *wants;           // NULL: it does not wait
  // its place in a queue: the node itself and the next one, or the end of the queue; NULL: none
  const fm_node *node, *link;
  uint32_t queue; // how many wait in the same queue; 0: none
  uint32_t filled,
      cap;    // of a channel: values in it, its capacity; cap 0: not known
  bool fills; // filled and cap are known
  double rate, load; // turns a second; part of the time in which it runs
  double turns, ns;  // since the viewers came
} fm__top_row;
#define FM__TOP_NONE UINT32_MAX

typedef struct fm__top_shot {
  int references;  // of the server's
  uint64_t domain; // its number
  uint64_t at;     // when it was taken, by fm__clock
  uint64_t cost;   // nanoseconds that it took
  bool complete;   // false: there was no memory for the rest
  fm__top_row *rows;
  size_t count, room;
  struct fm__top_chunk *text; // names that the program may change
  double rate, load, turns, ns;
  double counted; // the part of the time in which turns were counted
  uint32_t states[FM__TOP_STATES]; // how many rows have each
  bool service;  // its thread is the library's: of a pool, for example
  size_t starts; // activities of its pool that wait to begin there
} fm__top_shot;
fm__top_shot *fm__top_shot_take(fm__runtime *d); // NULL: out of memory
void fm__top_shot_free(fm__top_shot *s);

// ---- count.c ----
typedef struct fm__top_rates {
  double rate, load, turns, ns;
} fm__top_rates;
// On d's thread. A viewer has come; all have left.
void fm__counts_begin(fm__runtime *d);
void fm__counts_free(fm__runtime *d);
// Before and after the tree is walked; in between each activity's rates are read.
void fm__counts_collect(fm__runtime *d, uint64_t now, fm__top_shot *s);
void fm__counts_of(fm__runtime *d, uint64_t number, fm__top_rates *r);
void fm__counts_collected(fm__runtime *d, size_t rows);
enum { FM__COUNT_EVERY = 50 }; // milliseconds between two grants, about
// From the server: d, which does not end meanwhile, may count for some more time.
void fm__counts_grant(fm__runtime *d);

// ---- ask.c ----
enum fm__top_what { // what is asked of a domain
  FM__ASK_SHOT,
  FM__ASK_CANCEL,
  FM__ASK_PAUSE,
  FM__ASK_RESUME,
  FM__ASK_DETAIL,
  FM__ASK_FORGET // no viewer is left
};
enum fm__top_outcome { FM__TOP_DONE, FM__TOP_GONE, FM__TOP_WITHOUT_EFFECT };

typedef struct fm__top_ask {
  fm__msg msg;
  _Atomic int references;
  _Atomic bool answered;
  enum fm__top_what what;
  uint64_t number; // of the node
  // the answer
  enum fm__top_outcome outcome;
  fm__top_shot
      *shot;  // of FM__ASK_SHOT; NULL: out of memory, or the domain ends
  char *text; // of FM__ASK_DETAIL; NULL: none
} fm__top_ask;
// NULL: out of memory, or the domain has ended.
fm__top_ask *
fm__top_asks(uint64_t domain, enum fm__top_what what, uint64_t number);
void fm__top_ask_unref(fm__top_ask *q);
// Waits for the answer, at most until then.
bool fm__top_answered(fm__top_ask *q, uint64_t until);

// ---- open.c ----
// What the server sees of a domain from outside.
typedef struct fm__top_outside {
  uint64_t domain;
  int thread;       // its number for the kernel
  bool sleeping;    // it waits for events
  uint64_t running; // the activity that runs; 0: none
} fm__top_outside;
// The domains, oldest first, at most n. Returns how many.
size_t fm__top_domains(fm__top_outside *to, size_t n);
// Grants turns to all domains; or (false) takes back what was granted.
void fm__top_grant(bool on);
// Calls fn with the domain of that number, which does not end meanwhile; false: there is none.
bool fm__top_with(uint64_t domain, bool (*fn)(fm__runtime *, void *), void *x);

// ---- serve.c ----
_Noreturn void fm__top_serve(int listening);

// ---- queues.c ----
// On the server: what follows from the rows of a new shot.
void fm__top_shot_finish(fm__top_shot *s);

// ---- view.c ----
typedef enum fm__top_key {
  FM__BY_TREE,
  FM__BY_NUMBER,
  FM__BY_NAME,
  FM__BY_STATE,
  FM__BY_PLACE,
  FM__BY_WAIT,
  FM__BY_TURNS,
  FM__BY_LOAD,
  FM__BY_TIME,
  FM__BY_QUEUE,
  FM__BY_BELOW,
  FM__TOP_KEYS
} fm__top_key;
extern const char *const fm__top_key_names[FM__TOP_KEYS];
extern const char *const fm__top_state_names[FM__TOP_STATES];

typedef struct fm__top_id {
  uint64_t domain, number;
} fm__top_id;
typedef struct
    fm__top_folds { // which nodes are folded: all but these, or only these
  bool all;
  fm__top_id *list;
  size_t count, room;
} fm__top_folds;
void fm__top_fold(fm__top_folds *f, fm__top_id which, bool folded);
void fm__top_fold_all(fm__top_folds *f, bool folded);

typedef struct fm__top_seen { // a row that the viewer sees
  const fm__top_shot *shot;
  uint32_t row;
  bool folded;
  bool matches; // the filter; false: it is shown for rows below it
  // of the row and all below it
  double rate, load, ns;
} fm__top_seen;
typedef struct fm__top_view {
  fm__top_seen *seen;
  size_t count, room;
} fm__top_view;
typedef struct fm__top_wish {
  fm__top_key key;
  bool upwards; // the smallest first
  bool flat;    // not as a tree
  const char *filter;
} fm__top_wish;
// false: out of memory.
bool fm__top_look(fm__top_view *v,
                  fm__top_shot *const *shots,
                  size_t n,
                  const fm__top_wish *wish,
                  const fm__top_folds *folds);

// ---- text.c ----
typedef struct fm__top_text {
  char *at;
  size_t used, room;
  bool failed; // out of memory: the text is not whole
} fm__top_text;
void fm__text_add(fm__top_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// As a string of JSON, with quotes; NULL: null. A long one is cut.
void fm__text_string(fm__top_text *t, const char *s);

#endif
