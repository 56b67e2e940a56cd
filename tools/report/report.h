// report.h: shared by the files of `fermata record` and `fermata report`.
//
//     record.c     `fermata record`: runs a program that writes a trace
//     report.c     `fermata report`: its options
//     read.c       the file: heads, pieces, cells
//     names.c      texts and places of all domains under one number each
//     model.c      cells become activities, turns, waits, gaps
//     finish.c     the order of turns; what the end of the trace leaves open
//     figures.c    the figures of a report, as histograms
//     tables.c     waits by place, longest turns, risky gaps
//     words.c      a report in sentences
//     text.c       --text
//     json.c       --json, and the data of the page
//     columns.c    columns of numbers in it
//     perfetto.c   --perfetto
//     page.c       the page
#ifndef REPORT_H
#define REPORT_H

#include "base/base.h"
#include "report/trace-format.h"

// ---- growing arrays: PUSH(list, value) ----
#define LIST(T)         \
  struct {              \
    T *at;              \
    size_t count, room; \
  }
void *list_more(void *at, size_t *room, size_t size);
#define PUSH(list, value)                                                    \
  do {                                                                       \
    if ((list)->count == (list)->room)                                       \
      (list)->at = list_more((list)->at, &(list)->room, sizeof *(list)->at); \
    (list)->at[(list)->count++] = (value);                                   \
  } while (0)

#define NONE UINT64_MAX
enum { UNKNOWN = -1 };

// ---- read.c ----
typedef struct Cell {
  uint32_t domain; // index
  uint64_t time;   // CLOCK_MONOTONIC
  uint8_t kind, info;
  uint16_t what;
  uint64_t body, number;
  uint32_t id;
  const char *text; // of STRING, NAME, NOTE: `size` bytes
  size_t size;
  uint32_t raw[4]; // of PLACE
  uint64_t parent; // of ACTIVITY, whose function is raw[2]
} Cell;

typedef struct Piece {
  const char *at; // its head
  size_t size;
  uint64_t domain, sequence, time, running;
  uint32_t index; // of the domain
} Piece;

typedef struct File {
  Buf data;
  fm__trace_head head;
  bool swap;              // written by a processor of the other byte order
  LIST(Piece) pieces;     // by sequence
  LIST(uint64_t) domains; // their numbers
} File;
// false: a message was printed.
bool file_read(File *f, const char *path);
void file_free(File *f);
typedef struct Cells { // a walk over a piece
  const File *file;
  const Piece *piece;
  size_t at;
  uint64_t time;
} Cells;
bool cells_next(Cells *c, Cell *to); // false: the piece ends

// ---- names.c ----
typedef struct Place {
  uint32_t file, line, function; // file, function: strings
} Place;
typedef struct Table { // from keys to numbers
  uint64_t *keys;
  uint32_t *values;
  size_t room, used;
} Table;
// The value of a key, which must not be NONE; UINT32_MAX: it is new, and has none yet.
uint32_t *table_at(Table *t, uint64_t key);
void table_free(Table *t);
typedef struct Texts {
  LIST(char *) strings;
  LIST(Place) places;
  Table by_text, by_place; // by hash; equal ones follow each other
} Texts;
uint32_t string_of(Texts *n, const char *text, size_t size);
uint32_t string_format(Texts *n, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int32_t place_of(Texts *n, Place p);
const char *string_at(const Texts *n, uint32_t i);
// "file.c:12", or "?".
void place_text(const Texts *n, int32_t place, Buf *to);
void names_free(Texts *n);

// ---- model.c: what a trace says ----
typedef enum Kind {
  K_READY,
  K_CHANNEL,
  K_SLEEP,
  K_DESCRIPTOR,
  K_ACTIVITY,
  K_LOCK,
  K_SEMAPHORE,
  K_MESSAGE,
  K_DOMAIN,
  K_OTHER,
  KINDS
} Kind;
extern const char *const kind_names[KINDS];

typedef struct Activity {
  uint64_t number;
  uint32_t domain;
  int32_t parent; // index; UNKNOWN: none
  uint32_t name, function;
  int32_t spawned;     // place
  uint64_t begin, end; // end NONE: it is alive
  uint32_t turns;
  uint64_t busy, longest;
  uint8_t how; // FM__E_…; 0: alive
  // ---- while the trace is read ----
  int32_t last;    // its last turn; UNKNOWN: none
  int32_t waker;   // turn that has made it ready, or spawned it
  uint64_t woken;  // when
  int32_t spawner; // turn that has spawned it
  bool
      rests; // these are valid: it has paused, when, and how many turns its domain had then
  bool shared; // another turn went on when it paused
  uint64_t since;
  size_t turns_then;
  int32_t place; // where it paused last
  int32_t wait;  // string
  uint8_t kind;
  int32_t target;   // activity that it waits for; UNKNOWN: none
  uint32_t section; // the atomic section in which it was counted last
} Activity;

enum {
  T_RECURRING = 1,
  T_NESTED = 2,
  T_SLICED = 4,
  T_GAP = 8,
  T_INTERRUPTED = 16,
  T_WRITTEN = 32,
  T_OPEN = 64
};
typedef struct Turn {
  uint32_t activity;
  uint64_t begin, length;
  int32_t from, place; // where it went on, where it paused
  int32_t wait;        // string; 0: ready; UNKNOWN: it ended, or the trace did
  int32_t target;
  int32_t waker, parent; // turns
  uint64_t woken;        // when the waker did so; NONE: not known
  uint32_t children;
  uint8_t kind, flags;
  uint64_t gap; // with T_GAP: time since its activity's last turn
  int32_t
      by; // with T_INTERRUPTED: string, the function that ran first in the gap
} Turn;

typedef struct Point {
  uint64_t time, n;
} Point;
typedef struct Domain {
  uint64_t number, turns, busy, idle, activities;
  uint64_t last;          // time of its last cell
  LIST(uint32_t) open;    // turns under way, the innermost last
  LIST(uint32_t) all;     // turns in the order of their beginnings
  LIST(uint32_t) strings; // by id of the file: string
  LIST(int32_t) places;   // by id: place
  uint64_t idle_since;    // NONE: not idle
  uint64_t burst, burst_end, burst_turns; // burst NONE: none
  uint64_t atomic, atomic_count;          // NONE: none
  LIST(Point) ready;
  LIST(Point) clock; // of the driver
  LIST(Point) idles; // when nothing was ready; n: for how long
  int32_t
      written; // the turn of the last cell, if that was FM__C_WRITTEN; UNKNOWN: none
  int32_t note; // the last mark, for FM__C_BY; UNKNOWN: none
  uint32_t
      paused; // plus 1: the activity of the last cell, if that was a pause; else 0
  bool stopped;
} Domain;

typedef struct Mark {
  uint64_t time;
  int32_t activity;
  uint32_t text;
  uint8_t kind;      // FM__N_…
  int32_t place, by; // by: activity
  uint32_t domain;
  uint32_t shown, category; // strings: all of it in words; its kind
} Mark;
enum { MOST_MARKS = 20000 }; // that a report shows

typedef struct
    Span { // of an atomic section: activities in it; of a burst: turns
  uint64_t length, n;
} Span;

typedef struct Wait { // one that has ended, or has not
  uint32_t activity;
  int32_t wait, place;
  uint8_t kind;
  uint64_t ns;
} Wait;

typedef struct Model {
  File file;
  Texts names;
  uint64_t base, duration; // base: the time of the first event
  uint64_t events;
  bool virtual;
  LIST(Activity) activities;
  LIST(Turn) turns;
  LIST(Domain) domains;
  LIST(Mark) marks;
  LIST(Wait) waits;
  LIST(Span) atomics;
  LIST(Span) bursts;
  Table by_number; // domain and number: activity
  Table resumed;   // activity and place
  uint32_t sections;
} Model;
bool model_read(Model *m, const char *path); // false: a message was printed
int32_t place_by_id(const Domain *d, uint32_t id);
void idle_ends(Domain *d, uint64_t now);
void model_free(Model *m);
bool model_is_complete(const Model *m);
bool model_knows_writes(const Model *m);

// ---- finish.c ----
void model_finish(Model *m);

// ---- figures.c ----
enum { DECADES = 11, EDGES = 4 * DECADES + 1, VALUES = 21, POWERS = 21 };
typedef struct Figures {
  uint64_t edges
      [EDGES]; // lower ends of bins; the last one is the upper end of the last bin
  uint64_t turns[EDGES], turns_once[EDGES];
  uint64_t values[VALUES]; // 0, 1 …: the last one stands for larger ones, too
  uint64_t children[VALUES], of_parents[VALUES];
  uint64_t uninterrupted[EDGES], interrupted[EDGES], written[EDGES],
      gaps_once[EDGES];
  uint64_t atomic_length[EDGES], atomic_activities[VALUES];
  uint64_t burst_length[EDGES];
  uint64_t powers[POWERS],
      burst_turns[POWERS]; // from powers[i] to below the next
} Figures;
void figures_make(Figures *f, const Model *m);

// ---- tables.c ----
typedef struct WaitRow {
  uint8_t kind;
  int32_t wait, place;
  uint64_t count, total, longest, median;
} WaitRow;
enum { MOST_WHO = 3 };
typedef struct RiskRow {
  int32_t before, after;
  uint64_t gaps, interrupted, written, shortest, median, longest;
  int32_t who[MOST_WHO]; // strings; UNKNOWN: none
} RiskRow;
enum { MOST_LONGEST = 50 };
typedef struct Tables {
  LIST(WaitRow) waits; // by total, the largest first
  LIST(RiskRow) risks;
  uint32_t longest[MOST_LONGEST];
  size_t longest_count;
} Tables;
void tables_make(Tables *t, const Model *m);
void tables_free(Tables *t);

typedef struct Report {
  Model model;
  Figures figures;
  Tables tables;
  LIST(char *) summary;
} Report;

// ---- words.c ----
void summary_make(Report *r);
void duration_print(Buf *to, uint64_t ns);   // "1.2 ms"
void clean_print(Buf *to, const char *text); // without control characters
void count_print(Buf *to, uint64_t n);       // "12,345"

// ---- text.c, json.c, columns.c, perfetto.c, page.c ----
void text_print(const Report *r, Buf *to);
void json_print(const Report *r, Buf *to);
void json_text(Buf *to, const char *text); // with quotes
void column_f64(Buf *to, const double *v, size_t n);
void column_u32(Buf *to, const uint32_t *v, size_t n);
void column_u8(Buf *to, const uint8_t *v, size_t n);
void perfetto_print(const Report *r, Buf *to);
// false: a message was printed.
bool page_write(const Report *r, const char *argv0, const char *path);

#endif
