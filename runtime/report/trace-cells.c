// trace-cells.c: a trace in the compact form (trace-format.h): an event is a cell of 16 bytes.
//
// Texts and places have ids, and are written where they are first used. A table of each domain
// knows them by their addresses: a place by its function and state, a text by its pointer. In a
// ring each piece has all that its cells name, because the pieces before it may be gone; so the
// table notes in which piece an entry was written last. The same holds for activities: a small
// table knows which of them have been described.
//
// Each event first makes sure that the piece has room for all that may go with it: so no event is
// torn. The word with a cell's kind is stored last: a process that is killed leaves whole cells.
#include "report/symbols.h"
#include "report/trace.h"

#include <string.h>

typedef fm__tracer tracer;

enum {
  ROOM = 2048,
  TABLE = 1024,
  TEXT_STATE = UINT32_MAX,
  UNKNOWN_STATE = UINT32_MAX - 1,
  SITE_STATE = UINT32_MAX - 2
};

// ---- pieces and cells ----
static FM_COLD void new_piece(fm__runtime *d, tracer *t, uint64_t now) {
  uint64_t sequence = fm__trace_next(&t->file);
  fm__piece_head *h = (fm__piece_head *)(void *)t->file.start;
  if (!t->file.at)
    return;
  *h = (fm__piece_head){
    .domain = d->life,
    .sequence = sequence,
    .time = now,
    .running = t->running,
  };
  __atomic_store_n(&h->magic, FM__PIECE_MAGIC, __ATOMIC_RELEASE);
  t->file.at += sizeof *h;
  t->cells.time = now;
  if (!fm__trace_is_ring()) {
    t->cells.epoch = 1;
    return;
  }
  t->cells.epoch = sequence + 1; // never 1
  memset(t->cells.described, 0, sizeof t->cells.described);
}

static inline void put(tracer *t, uint64_t head, uint64_t body) {
  fm__trace_cell *c = (fm__trace_cell *)(void *)t->file.at;
  c->body = body;
  __atomic_store_n(&c->head, head, __ATOMIC_RELEASE);
  t->file.at += sizeof *c;
}

// The time of the cells that follow. false: the trace is over.
static inline bool begin(fm__runtime *d, tracer *t, uint64_t now) {
  if (fm__unlikely((size_t)(t->file.end - t->file.at) < ROOM))
    new_piece(d, t, now);
  if (fm__unlikely(!t->file.at))
    return false;
  if (fm__unlikely(now - t->cells.time > UINT32_MAX)) {
    put(t, FM__CELL_HEAD(0, FM__C_TIME, 0, 0), now);
    t->cells.time = now;
  }
  return true;
}

// The first cell since `begin` has the time.
static inline void event(tracer *t,
                         uint64_t now,
                         unsigned kind,
                         unsigned info,
                         unsigned what,
                         uint64_t body) {
  uint64_t delta = now - t->cells.time;
  t->cells.time = now;
  put(t, FM__CELL_HEAD(delta, kind, info, what), body);
}

// After the cell that names its length: the kind of that cell must be stored last, so the text is
// copied first.
static void
text_cell(tracer *t, uint64_t head, uint64_t body, const char *text, size_t n) {
  char *to = t->file.at + sizeof(fm__trace_cell);
  size_t cells = (n + sizeof(fm__trace_cell) - 1) / sizeof(fm__trace_cell);
  memcpy(to, text, n);
  put(t, head, body);
  t->file.at += cells * sizeof(fm__trace_cell);
}

static void raw_cell(tracer *t, uint64_t head, uint64_t body, const void *raw) {
  memcpy(t->file.at + sizeof(fm__trace_cell), raw, sizeof(fm__trace_cell));
  put(t, head, body);
  t->file.at += sizeof(fm__trace_cell);
}

static size_t length(const char *text) {
  return strnlen(text, FM__TRACE_TEXT);
}

static uint64_t
timed(tracer *t, uint64_t now, unsigned kind, unsigned info, unsigned what) {
  uint64_t delta = now - t->cells.time;
  t->cells.time = now;
  return FM__CELL_HEAD(delta, kind, info, what);
}

// ---- texts and places ----
static fm__interned *find(fm__cells *c, const void *key, uint32_t state) {
  uint64_t hash = (((uintptr_t)key >> 3) + state * (uint64_t)31) *
                  (uint64_t)0x9e3779b97f4a7c15u;
  size_t i = (size_t)(hash >> 40);
  for (i &= c->room - 1;; i = (i + 1) & (c->room - 1)) {
    fm__interned *e = &c->table[i];
    if (!e->key || (e->key == key && e->state == state))
      return e;
  }
}

// false: no memory. Then what is new has no id.
static FM_COLD bool grow(fm__cells *c) {
  fm__cells old = *c;
  size_t room = old.room ? 2 * old.room : TABLE;
  fm__interned *table = fm__alloc(room * sizeof *table);
  if (!table)
    return false;
  memset(table, 0, room * sizeof *table);
  c->table = table;
  c->room = room;
  for (size_t i = 0; i < old.room; i++)
    if (old.table[i].key)
      *find(c, old.table[i].key, old.table[i].state) = old.table[i];
  fm__free(old.table);
  return true;
}

enum { MOST_IDS = (1 << 24) - 1 };

// NULL: no memory, or too many.
static FM_COLD fm__interned *
intern(fm__cells *c, const void *key, uint32_t state) {
  if (2 * c->used >= c->room && !grow(c))
    return NULL;
  fm__interned *e = find(c, key, state);
  if (!e->key) {
    if (c->used >= MOST_IDS)
      return NULL;
    *e =
        (fm__interned){ .key = key, .state = state, .id = (uint32_t)++c->used };
  }
  return e;
}

static FM_COLD uint32_t write_text(tracer *t, const char *text, size_t n) {
  fm__interned *e = intern(&t->cells, text, TEXT_STATE);
  if (!e)
    return 0;
  if (e->piece == t->cells.epoch)
    return e->id;
  e->piece = t->cells.epoch;
  text_cell(t,
            FM__CELL_HEAD(0, FM__C_STRING, 0, 0),
            FM__CELL_BODY(n, e->id),
            text,
            n);
  return e->id;
}

// The id of a text that never changes; 0: none.
static inline uint32_t text_id(tracer *t, const char *text) {
  fm__cells *c = &t->cells;
  if (!text)
    return 0;
  fm__interned *e = c->room ? find(c, text, TEXT_STATE) : NULL;
  return fm__likely(e && e->key && e->piece == c->epoch)
             ? e->id
             : write_text(t, text, length(text));
}

static FM_COLD uint32_t write_place(tracer *t,
                                    const void *key,
                                    uint32_t state,
                                    const char *file,
                                    const char *function,
                                    uint32_t line) {
  uint32_t raw[4] = { text_id(t, file), text_id(t, function), line, 0 };
  fm__interned *e = intern(&t->cells, key, state);
  if (!e)
    return 0;
  if (e->piece == t->cells.epoch)
    return e->id;
  e->piece = t->cells.epoch;
  raw_cell(t,
           FM__CELL_HEAD(0, FM__C_PLACE, 0, 0),
           FM__CELL_BODY(0, e->id),
           raw);
  return e->id;
}

// Where a has paused.
static inline uint32_t place_id(fm__runtime *d, tracer *t, const fm_node *a) {
  fm__cells *c = &t->cells;
  const fm_frame *f = fm__of_program(a->leaf);
  uint32_t state = f->state;
  if (fm__unlikely(d->nested) && !fm__place_of(d, a).line)
    state = UNKNOWN_STATE;
  fm__interned *e = c->room ? find(c, f->code, state) : NULL;
  if (fm__likely(e && e->key && e->piece == c->epoch))
    return e->id;
  fm__place p = fm__place_of(d, a);
  return write_place(t, f->code, state, p.file, p.function, p.line);
}

// A place that the program names itself.
static uint32_t named_place(tracer *t, const char *file, uint64_t line) {
  return file ? write_place(t, file, (uint32_t)line, file, NULL, (uint32_t)line)
              : 0;
}

// ---- where activities are spawned ----
static void place_cell(tracer *t, const fm__site *s) {
  uint32_t raw[4] = {
    text_id(t, s->file),
    s->function ? write_text(t, s->function, s->length) : 0,
    s->line,
    0,
  };
  raw_cell(t,
           FM__CELL_HEAD(0, FM__C_PLACE, 0, 0),
           FM__CELL_BODY(0, s->id),
           raw);
}

static bool more_sites(fm__cells *c) {
  size_t room = c->sites_room ? 2 * c->sites_room : 16;
  fm__site *s = fm__realloc(c->sites, room * sizeof *s);
  if (!s)
    return false;
  c->sites = s;
  c->sites_room = room;
  return true;
}

static FM_COLD void new_site(tracer *t, uintptr_t pc, uint32_t id) {
  fm__cells *c = &t->cells;
  for (size_t i = 0; i < c->sites_count; i++)
    if (c->sites[i].pc == pc) {
      if (c->sites[i].known)
        place_cell(t, &c->sites[i]);
      return;
    }
  if (c->sites_count < c->sites_room || more_sites(c))
    c->sites[c->sites_count++] = (fm__site){ .pc = pc, .id = id };
}

static uint32_t site_id(tracer *t, uintptr_t pc) {
  fm__interned *e = pc ? intern(&t->cells, (const void *)pc, SITE_STATE) : NULL;
  if (!e)
    return 0;
  if (e->piece != t->cells.epoch) {
    e->piece = t->cells.epoch;
    new_site(t, pc, e->id);
  }
  return e->id;
}

static void find_site(fm__symbols *all, fm__site *s) {
  fm__function f;
  fm__source_line l;
  s->known = true;
  if (fm__function_at(all, s->pc - 1, &f)) {
    s->file = f.code ? f.code->file : NULL;
    s->function = f.name;
    s->length = f.length < FM__TRACE_TEXT ? f.length : FM__TRACE_TEXT;
  }
  if (!fm__line_at(all, s->pc - 1, &l) || fm__line_is_generated(&l))
    return;
  s->line = (uint32_t)l.line;
  if (!s->file)
    s->file = l.file;
}

// Another thread may use the symbols: then later.
static void find_sites(fm__runtime *d, tracer *t, uint64_t now) {
  fm__cells *c = &t->cells;
  fm__symbols *all;
  if (c->sites_known == c->sites_count || !(all = fm__symbols_take()))
    return;
  for (; c->sites_known < c->sites_count; c->sites_known++) {
    fm__site *s = &c->sites[c->sites_known];
    find_site(all, s);
    if (begin(d, t, now))
      place_cell(t, s);
  }
  fm__symbols_release();
}

// ---- activities ----
static uint64_t number_of(const fm_node *a) {
  return fm__generation(a);
}

static void
name_cell(tracer *t, const fm_node *a, const char *name, uint64_t now) {
  size_t n = length(name);
  text_cell(t,
            timed(t, now, FM__C_NAME, 0, 0),
            FM__CELL_BODY(number_of(a), n),
            name,
            n);
}

static uint64_t parent_of(fm__runtime *d, const fm_node *a) {
  const fm_node *p = a->parent ? fm__owner(a->parent) : NULL;
  return p && p != &d->host ? number_of(p) : 0;
}

static void describe(
    fm__runtime *d, tracer *t, const fm_node *a, uint64_t now, unsigned info) {
  const char *function = fm__outermost(a->leaf)->code->name;
  const char *name = fm__name_of(d, a);
  uint32_t site = info & FM__A_SPAWNED ? site_id(t, t->spawned_at) : 0;
  t->spawned_at = 0;
  struct {
    uint64_t parent;
    uint32_t function, unused;
  } raw = { parent_of(d, a), text_id(t, function), 0 };
  raw_cell(t,
           timed(t, now, FM__C_ACTIVITY, info, 0),
           FM__CELL_BODY(number_of(a), site),
           &raw);
  t->cells.described[number_of(a) % FM__DESCRIBED] = number_of(a);
  if (name != function)
    name_cell(t, a, name, now);
}

static void name(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  if (begin(d, t, now))
    name_cell(t, a, fm__name_of(d, a), now);
}

static inline bool is_described(const tracer *t, const fm_node *a) {
  return t->cells.described[number_of(a) % FM__DESCRIBED] == number_of(a);
}

// ---- turns ----
static void begins(fm__runtime *d,
                   tracer *t,
                   const fm_node *a,
                   uint64_t now,
                   bool is_new,
                   bool nested) {
  if (!begin(d, t, now))
    return;
  if (fm__unlikely(is_new || t->cells.epoch != 1) && !is_described(t, a))
    describe(d, t, a, now, 0);
  event(t,
        now,
        FM__C_BEGIN,
        nested ? FM__T_NESTED : 0,
        0,
        FM__CELL_BODY(number_of(a), 0));
}

static void rests(
    fm__runtime *d, tracer *t, const fm_node *a, uint64_t now, unsigned info) {
  const fm_node *other = NULL;
  uint32_t what = 0;
  if (fm__is_waiting(a)) {
    other = fm__wanted_activity(a);
    if (other && fm__proxy(other))
      other = NULL;
    what =
        text_id(t,
                other ? "the end of an activity" : fm__wanted(d, a, NULL, 0));
    if (fm__unlikely(!what || what > FM__W_UNKNOWN))
      what = FM__W_UNKNOWN;
  }
  event(t,
        now,
        FM__C_PAUSE,
        info,
        what,
        FM__CELL_BODY(number_of(a), place_id(d, t, a)));
  if (other)
    put(t,
        FM__CELL_HEAD(0, FM__C_FOR, 0, 0),
        FM__CELL_BODY(number_of(other), 0));
}

static void
pauses(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now, bool sliced) {
  if (begin(d, t, now))
    rests(d, t, a, now, sliced ? FM__T_SLICED : 0);
}

static void exists(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  if (!begin(d, t, now))
    return;
  describe(d, t, a, now, 0);
  rests(d, t, a, now, FM__T_LISTED);
}

static void
ends(fm__runtime *d, tracer *t, uint64_t number, uint64_t now, unsigned how) {
  if (begin(d, t, now))
    event(t, now, FM__C_END, how, 0, FM__CELL_BODY(number, 0));
}

// A wake has the time of the cell before it: a reading of the clock would be a quarter of a switch.
static void ready(fm__runtime *d, tracer *t, const fm_node *a, bool is_new) {
  uint64_t now = is_new ? fm__clock() : t->cells.time;
  if (!begin(d, t, now))
    return;
  if (is_new && !is_described(t, a))
    describe(d, t, a, now, FM__A_SPAWNED);
  else
    event(t, now, FM__C_WAKE, 0, 0, FM__CELL_BODY(number_of(a), 0));
}

// ---- the rest ----
static void
simple(fm__runtime *d, tracer *t, uint64_t now, unsigned kind, uint64_t body) {
  if (begin(d, t, now))
    event(t, now, kind, 0, 0, body);
}

static void domain(fm__runtime *d, tracer *t, uint64_t now) {
  begin(d, t, now);
}

static void idle(fm__runtime *d, tracer *t, uint64_t now, bool begins) {
  if (!begins)
    return;
  simple(d, t, now, FM__C_IDLE, 0);
  find_sites(d, t, now);
}

static void count(fm__runtime *d, tracer *t, uint64_t now, uint64_t ready) {
  simple(d, t, now, FM__C_READY, ready);
}

static void
driver_clock(fm__runtime *d, tracer *t, uint64_t now, uint64_t theirs) {
  simple(d, t, now, FM__C_CLOCK, theirs);
}

static void note(fm__runtime *d, tracer *t, uint64_t now, const fm__note *n) {
  char text[FM__TRACE_TEXT];
  if (!begin(d, t, now))
    return;
  int size = snprintf(text, sizeof text, "%s%s", n->name, n->more);
  uint32_t place = named_place(t, n->file, n->line);
  size_t bytes = size < (int)sizeof text ? (size_t)size : sizeof text - 1;
  text_cell(t,
            timed(t, now, FM__C_NOTE, n->kind, (unsigned)bytes),
            FM__CELL_BODY(n->number, place),
            text,
            bytes);
  if (n->by)
    put(t, FM__CELL_HEAD(0, FM__C_BY, 0, 0), FM__CELL_BODY(n->by, 0));
}

static void atomic(fm__runtime *d, tracer *t, uint64_t now, bool begins) {
  if (begin(d, t, now))
    event(t, now, FM__C_ATOMIC, begins, 0, FM__CELL_BODY(t->running, 0));
}

static void stops(fm__runtime *d, tracer *t, uint64_t now, bool last) {
  find_sites(d, t, now);
  simple(d, t, now, FM__C_STOP, last);
}

void fm__trace_cells_free(tracer *t) {
  fm__free(t->cells.table);
  t->cells.table = NULL;
  t->cells.room = t->cells.used = 0;
  fm__free(t->cells.sites);
  t->cells.sites = NULL;
}

static void
written(fm__runtime *d, tracer *t, uint64_t number, uint64_t now, uint64_t by) {
  if (!begin(d, t, now))
    return;
  event(t, now, FM__C_WRITTEN, 0, 0, FM__CELL_BODY(number, 0));
  put(t, FM__CELL_HEAD(0, FM__C_BY, 0, 0), FM__CELL_BODY(by, 0));
}

const fm__trace_form fm__trace_cells = {
  domain, exists,       begins, pauses, ends,   ready,   idle,
  count,  driver_clock, note,   name,   atomic, written, stops,
};
