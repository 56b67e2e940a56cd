// trace.h: shared by the files that record a trace.
//
//     trace.c        the hooks: what happens, in one order for both forms
//     trace-json.c   Chrome's form, for files that are called *.json
//     trace-cells.c  the compact form, for all others
//     trace-file.c   the file, and how domains write into it
#ifndef FM_TRACE_H
#define FM_TRACE_H

#include "fm.h"

#include "report/trace-format.h"

typedef struct fm__tracer fm__tracer;

#define FM__SELF UINT64_MAX // fm__note.number: the activity that runs

// Something that happens to an activity, or in it.
typedef struct fm__note {
  unsigned kind;           // FM__N_…
  uint64_t number;         // of the activity; 0: plain code, or the loop
  const char *name, *more; // together its name
  const char *file;        // where; NULL: not known
  uint64_t line, by;       // by: the activity that has done it; 0: not known
} fm__note;

// ---- a form of a trace. All functions are called on d's thread ----
typedef struct fm__trace_form {
  void (*domain)(fm__runtime *d,
                 fm__tracer *t,
                 uint64_t now); // it begins to record
  // The trace begins while a lives, which does not run.
  void (*exists)(fm__runtime *d, fm__tracer *t, const fm_node *a, uint64_t now);
  // is_new: its first turn. nested: inside another activity's turn.
  void (*begins)(fm__runtime *d,
                 fm__tracer *t,
                 const fm_node *a,
                 uint64_t now,
                 bool is_new,
                 bool nested);
  void (*pauses)(fm__runtime *d,
                 fm__tracer *t,
                 const fm_node *a,
                 uint64_t now,
                 bool sliced);
  void (*ends)(fm__runtime *d,
               fm__tracer *t,
               uint64_t number,
               uint64_t now,
               unsigned how);
  // The running activity has made a ready, or (is_new) has made a itself.
  void (*ready)(fm__runtime *d, fm__tracer *t, const fm_node *a, bool is_new);
  void (*idle)(fm__runtime *d, fm__tracer *t, uint64_t now, bool begins);
  void (*count)(fm__runtime *d, fm__tracer *t, uint64_t now, uint64_t ready);
  void (*clock)(fm__runtime *d, fm__tracer *t, uint64_t now, uint64_t theirs);
  void (*note)(fm__runtime *d, fm__tracer *t, uint64_t now, const fm__note *n);
  void (*name)(fm__runtime *d, fm__tracer *t, const fm_node *a, uint64_t now);
  void (*atomic)(fm__runtime *d, fm__tracer *t, uint64_t now, bool begins);
  // In the gap before the running turn, `by` wrote what it uses.
  void (*written)(fm__runtime *d,
                  fm__tracer *t,
                  uint64_t number,
                  uint64_t now,
                  uint64_t by);
  // d's thread ends the trace, or (last false) d ends.
  void (*stops)(fm__runtime *d, fm__tracer *t, uint64_t now, bool last);
} fm__trace_form;
extern const fm__trace_form fm__trace_json;
extern const fm__trace_form fm__trace_cells;

enum {
  FM__RECORD = 4096,
  FM__ARROWS = 1024,
  FM__ODD = 64,
  FM__DESCRIBED = 2048
};

typedef struct fm__json {
  // by generation: the activity that the arrow leads to; 0: none
  uint64_t arrows[FM__ARROWS];
  char *at;      // the end of the record that is being made
  unsigned args; // how many arguments it has
  char record[FM__RECORD];
} fm__json;

// A text or place that has an id.
typedef struct fm__interned {
  const void *key; // NULL: free
  uint32_t state;  // of a function; see trace-cells.c
  uint32_t id;
  uint64_t piece; // in which it was written last; 0: in none
} fm__interned;

// Where activities are spawned: a return address. Its line takes long to find, so that is done when
// nothing is ready.
typedef struct fm__site {
  uintptr_t pc;
  uint32_t id;
  bool known;           // so the rest is valid, as far as it could be found
  const char *file;     // NULL: not found
  const char *function; // `length` bytes
  size_t length;
  uint32_t line;
} fm__site;

typedef struct fm__cells {
  uint64_t time; // of the last cell
  uint64_t
      epoch; // the piece that what is interned must be in; not of a ring: 1
  uint64_t
      described[FM__DESCRIBED]; // by generation: activities that epoch knows
  fm__interned *table;          // open addressing
  size_t room, used;            // room: a power of two
  fm__site *sites;
  size_t sites_room, sites_count, sites_known;
} fm__cells;

struct fm__tracer {
  fm__trace_piece file;
  const fm__trace_form *form;
  uint64_t running; // number of the activity whose turn it is; 0: none
  // the activity that ran when the trace began: its turn's end will not be reported
  fm_activity midway;
  bool idle; // nothing is ready, and that is recorded
  // turns since the ready ones were counted; at which number they will be again
  size_t turns, next_count;
  size_t ready;         // how many were ready
  uint64_t driver_time; // the driver's time that was recorded last
  uint64_t
      ended; // when the last turn ended, if the next one may begin then; else 0
  int left;  // d->turns_left then
  const fm_node
      *seen;     // the last of the ready queue that is recorded; NULL: none
  bool unlisted; // pauses(): no `begins` with is_new false will follow
  uintptr_t spawned_at; // return address of the spawn under way; 0: none
  unsigned how; // how the running activity ends, if not by returning: FM__E_…
  uint64_t odd[FM__ODD]; // by generation: activities that look new but are not
  fm__json json;
  fm__cells cells;
};

// ---- trace-file.c ----
bool fm__trace_is_json(void);
bool fm__trace_is_ring(void);
// Writes all of the text, in one piece.
void fm__trace_write(fm__trace_piece *c, const char *text, size_t n);
// c is given up.
void fm__trace_leave(fm__trace_piece *c);
// The next piece; c->at NULL: the trace is over. Returns its sequence number.
uint64_t fm__trace_next(fm__trace_piece *c);

// ---- trace-cells.c ----
void fm__trace_cells_free(fm__tracer *t);

#endif
