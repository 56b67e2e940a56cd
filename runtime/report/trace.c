// trace.c: the events of a trace, in Chrome's format: https://ui.perfetto.dev and chrome://tracing
// show them. A domain is a "process" there, an activity a "thread" whose number is
// the activity's own; number 0 is the domain's loop and plain code.
//
//     slices     each turn, named by the activity's function; between turns the event that the
//                activity waits for, or "ready"; of the loop "idle"
//     arrows     from the activity that made another one ready, or spawned it, to the turn that
//                follows
//     instants   cancel, pause, resume, throw, unhandled error, deadlock, end of slice, and the
//                program's marks
//     counters   how many activities are ready; the driver's clock, if it is not the real one
//
// All times are real time. While no trace is written, tracing costs nothing, because no code checks
// for it. With FM__TRACE in d->attention the loop's slow path takes the turns, between
// fm__trace_begin and fm__trace_end. d->asleep has FM__TRACED, which makes each activity that wakes
// another one call fm__made_ready, as it does while the ticker sleeps. Only rare events check
// fm__tracing(): cancels, errors, names.
//
// The slices of an activity follow each other, one ends where the next begins, so nothing has to be
// kept for activities that wait. Only arrows without an end yet are kept, in a small table: if two
// share an entry, the older one gets no end. A trace that begins while activities live first lists
// them and the events that they wait for. Records are put together here; trace-file.c gets them
// into the file.
#include "fm.h"
#include <fermata/trace.h>

#include <stdarg.h>
#include <string.h>

enum { RECORD = 4096, TEXT = 400, ARROWS = 1024, ODD = 64, ROOM = 256 };

typedef struct fm__tracer {
  fm__trace_piece file;
  uint64_t running; // number of the activity whose turn it is; 0: none
  // the activity that ran when the trace began: its turn's end will not be reported
  fm_activity midway;
  bool idle; // the loop's slice is open
  // turns since the ready ones were counted; at which number they will be again
  size_t turns, next_count;
  size_t ready;         // how many were ready
  uint64_t driver_time; // the driver's time that was recorded last
  // by generation: the activity that the arrow leads to; 0: none
  uint64_t arrows[ARROWS];
  uint64_t odd[ODD]; // by generation: activities that look new but are not
  char *at;          // the end of the record that is being made
  unsigned args;     // how many arguments it has
  char record[RECORD];
} tracer;

// ---- text ----
// Usually a literal, whose length is then known.
static inline __attribute__((always_inline)) void put(tracer *t,
                                                      const char *text) {
  size_t n = strlen(text);
  memcpy(t->at, text, n);
  t->at += n;
}

static void put_number(tracer *t, uint64_t n) {
  char digits[20], *at = digits + sizeof digits;
  do
    *--at = (char)('0' + n % 10);
  while (n /= 10);
  memcpy(t->at, at, (size_t)(digits + sizeof digits - at));
  t->at += digits + sizeof digits - at;
}

// In microseconds.
static void put_time(tracer *t, uint64_t ns) {
  put_number(t, ns / 1000);
  *t->at++ = '.';
  *t->at++ = (char)('0' + ns / 100 % 10);
  *t->at++ = (char)('0' + ns / 10 % 10);
  *t->at++ = (char)('0' + ns % 10);
}

// How many bytes the character at s has; 0: it is not UTF-8.
static int character(const unsigned char *s) {
  // by its first byte: how many bytes, and which second bytes are allowed (Unicode, table 3-7)
  static const struct {
    unsigned char last, n, low, high;
  } forms[] = {
    { 0x7f, 1, 0, 0xff },    { 0xc1, 0, 0, 0xff },    { 0xdf, 2, 0x80, 0xbf },
    { 0xe0, 3, 0xa0, 0xbf }, { 0xec, 3, 0x80, 0xbf }, { 0xed, 3, 0x80, 0x9f },
    { 0xef, 3, 0x80, 0xbf }, { 0xf0, 4, 0x90, 0xbf }, { 0xf3, 4, 0x80, 0xbf },
    { 0xf4, 4, 0x80, 0x8f }, { 0xff, 0, 0, 0xff },
  };
  size_t k = 0;
  while (*s > forms[k].last)
    k++;
  if (forms[k].n > 1 && (s[1] < forms[k].low || s[1] > forms[k].high))
    return 0;
  for (int i = 2; i < forms[k].n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  return forms[k].n;
}

static void put_escaped(tracer *t, unsigned char c) {
  static const char hex[] = "0123456789abcdef";
  put(t, "\\u00");
  *t->at++ = hex[c >> 4];
  *t->at++ = hex[c & 15];
}

// Returns how many bytes it has read.
static int put_special(tracer *t, const unsigned char *s) {
  int n = character(s);
  if (n == 0)
    put(t, "\\ufffd");
  else if (n == 1)
    put_escaped(t, *s);
  else
    memcpy(t->at, s, (size_t)n);
  t->at += n > 1 ? n : 0;
  return n ? n : 1;
}

// A string, without quotes; a long one is cut off.
static void put_text(tracer *t, const char *text) {
  char *most = t->at + TEXT;
  for (const unsigned char *s = (const unsigned char *)text;
       *s && t->at < most;) {
    if (fm__likely(*s >= ' ' && *s < 0x7f && *s != '"' && *s != '\\'))
      *t->at++ = (char)*s++;
    else
      s += put_special(t, s);
  }
}

// ---- records ----
static void begin_record(fm__runtime *d,
                         tracer *t,
                         const char *phase,
                         uint64_t track,
                         uint64_t now) {
  t->at = t->record;
  t->args = 0;
  put(t, "{\"ph\":\"");
  put(t, phase);
  put(t, "\",\"pid\":");
  put_number(t, d->life);
  put(t, ",\"tid\":");
  put_number(t, track);
  put(t, ",\"ts\":");
  put_time(t, now);
}

static void begin_named(fm__runtime *d,
                        tracer *t,
                        const char *phase,
                        uint64_t track,
                        uint64_t now,
                        const char *name,
                        const char *more) {
  begin_record(d, t, phase, track, now);
  put(t, ",\"name\":\"");
  put_text(t, name);
  put_text(t, more);
  put(t, "\"");
}

static void begin_arg(tracer *t, const char *key) {
  put(t, t->args++ ? ",\"" : ",\"args\":{\"");
  put(t, key);
  put(t, "\":");
}

static void arg(tracer *t, const char *key, const char *text) {
  begin_arg(t, key);
  put(t, "\"");
  put_text(t, text);
  put(t, "\"");
}

static void number_arg(tracer *t, const char *key, uint64_t n) {
  begin_arg(t, key);
  put_number(t, n);
}

static void at_arg(tracer *t, const char *file, uint64_t line) {
  begin_arg(t, "at");
  put(t, "\"");
  put_text(t, file);
  if (line) {
    put(t, ":");
    put_number(t, line);
  }
  put(t, "\"");
}

static void end_record(tracer *t) {
  put(t, t->args ? "}},\n" : "},\n");
  fm__trace_write(&t->file, t->record, (size_t)(t->at - t->record));
}

// ---- the simple ones ----
static void slice_begins(
    fm__runtime *d, tracer *t, uint64_t track, uint64_t now, const char *name) {
  begin_named(d, t, "B", track, now, name, "");
  end_record(t);
}

static void
slice_ends(fm__runtime *d, tracer *t, uint64_t track, uint64_t now) {
  begin_record(d, t, "E", track, now);
  end_record(t);
}

static void begin_instant(fm__runtime *d,
                          tracer *t,
                          uint64_t track,
                          const char *name,
                          const char *more) {
  begin_named(d, t, "i", track, fm__clock(), name, more);
  put(t, ",\"s\":\"t\"");
}

static void name_track(fm__runtime *d,
                       tracer *t,
                       const char *what,
                       uint64_t track,
                       const char *name) {
  begin_named(d, t, "M", track, 0, what, "");
  arg(t, "name", name);
  end_record(t);
}

static void counter(fm__runtime *d,
                    tracer *t,
                    uint64_t now,
                    const char *name,
                    const char *unit,
                    uint64_t n) {
  begin_named(d, t, "C", 0, now, name, "");
  number_arg(t, unit, n);
  end_record(t);
}

// Both ends are known by this number; it names the domain too.
static void arrow(fm__runtime *d,
                  tracer *t,
                  const char *phase,
                  uint64_t track,
                  uint64_t now,
                  uint64_t whose) {
  char id[64];
  snprintf(id,
           sizeof id,
           ",\"cat\":\"ready\",\"id\":\"0x%llx%010llx\"",
           (unsigned long long)d->life,
           (unsigned long long)whose);
  begin_named(d, t, phase, track, now, "ready", "");
  put(t, id);
  put(t, *phase == 'f' ? ",\"bp\":\"e\"" : "");
  end_record(t);
}

// ---- an activity that does not run ----
// Its first turn is still to come, so it has no slice before that. Or its slice ended right at the
// beginning of a function that it has tail-called, or the stack was low: see rests and was_new.
static bool is_new(const fm_node *a) {
  return a->leaf->state == 0 && !a->leaf->parent;
}

static void place_args(fm__runtime *d, tracer *t, const fm_node *a) {
  fm__place p = fm__place_of(d, a);
  if (p.file)
    at_arg(t, p.file, p.line);
  arg(t, "in", p.function);
}

static void rest_begins(fm__runtime *d,
                        tracer *t,
                        const fm_node *a,
                        uint64_t now,
                        const char *wanted) {
  begin_named(d,
              t,
              "B",
              fm__generation(a),
              now,
              wanted ? "waits for " : "ready",
              wanted ? wanted : "");
  place_args(d, t, a);
  end_record(t);
}

// ---- the beginning of a trace ----
static bool has_track(const tracer *t, const fm_node *a) {
  return fm__generation(a) == t->midway.generation ||
         (!(a->word & (FM__REGION | FM__BODY | FM__ENDED)) && !fm__proxy(a) &&
          !is_new(a));
}

static void tell_of(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  char room[ROOM];
  name_track(d, t, "thread_name", fm__generation(a), fm__name_of(d, a));
  if (fm__generation(a) == t->midway.generation)
    slice_begins(
        d, t, fm__generation(a), now, fm__outermost(a->leaf)->code->name);
  else
    rest_begins(d,
                t,
                a,
                now,
                fm__is_waiting(a) ? fm__wanted(d, a, room, sizeof room) : NULL);
}

static tracer *start(fm__runtime *d, unsigned which) {
  tracer *t = d->tracer;
  int depth = 0;
  if (!t && !(t = d->tracer = fm__alloc(sizeof *t)))
    return NULL;
  if (t->file.trace)
    fm__trace_close(&t->file);
  memset(t, 0, offsetof(tracer, record));
  t->file.trace = which;
  t->midway = fm_self();
  t->running = t->midway.generation;
  char name[40];
  snprintf(name, sizeof name, "domain %llu", (unsigned long long)d->life);
  name_track(d, t, "process_name", 0, name);
  name_track(d, t, "thread_name", 0, "loop");
  uint64_t now = fm__clock();
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));)
    if (has_track(t, a))
      tell_of(d, t, a, now);
  return t;
}

// NULL: no trace is written any more.
static tracer *tracer_of(fm__runtime *d) {
  unsigned which = atomic_load_explicit(&fm__trace_now, memory_order_relaxed);
  if (fm__likely(d->tracer && which && d->tracer->file.trace == which))
    return d->tracer;
  return which ? start(d, which) : NULL;
}

fm__trace_piece *fm__trace_stops(fm__runtime *d) {
  tracer *t = d->tracer;
  if (!t || t->file.trace != fm__trace_now) // it has recorded nothing
    return NULL;
  if (t->running)
    slice_ends(d, t, t->running, fm__clock());
  return &t->file;
}

void fm__tracer_free(fm__runtime *d) {
  tracer *t = d->tracer;
  if (!t)
    return;
  if (t->idle && t->file.trace == fm__trace_now)
    slice_ends(d, t, 0, fm__clock());
  fm__trace_close(&t->file);
  fm__free(t);
  d->tracer = NULL;
}

// ---- the loop ----
// Counting takes a walk over all ready activities. It is done when as many turns have been taken.
static void count_ready(fm__runtime *d, tracer *t, uint64_t now) {
  enum { FEW = 8 };
  size_t n = 0;
  if (t->turns++ < t->next_count)
    return;
  for (const fm_node *a = d->base.head; a;
       a = a == d->base.tail ? NULL : a->link)
    n++;
  t->turns = 0;
  t->next_count = n + FEW;
  if (n != t->ready)
    counter(d, t, now, "ready", "activities", n);
  t->ready = n;
}

// A driver with another clock: the virtual one, for example.
static void tell_time(fm__runtime *d, tracer *t, uint64_t now) {
  enum { FAR = 1000000000 };
  uint64_t theirs = d->driver ? d->driver->now(d->driver->ctx) : now;
  if (theirs == t->driver_time || (theirs - now < FAR || now - theirs < FAR))
    return;
  t->driver_time = theirs;
  counter(d, t, now, "driver's clock", "ms", theirs / 1000000);
}

static void idle_ends(fm__runtime *d, tracer *t, uint64_t now) {
  if (!t->idle)
    return;
  t->idle = false;
  slice_ends(d, t, 0, now);
  tell_time(d, t, now);
}

void fm__trace_idle(fm__runtime *d) {
  tracer *t = tracer_of(d);
  if (!t || t->idle || d->attention & FM__STOP_LOOP)
    return;
  uint64_t now = fm__clock();
  if (t->ready)
    counter(d, t, now, "ready", "activities", t->ready = 0);
  slice_begins(d, t, 0, now, "idle");
  t->idle = true;
}

// ---- turns ----
static void rests(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  char room[ROOM];
  const char *wanted =
      fm__is_waiting(a) ? fm__wanted(d, a, room, sizeof room) : NULL;
  begin_record(d, t, "E", fm__generation(a), now);
  place_args(d, t, a);
  if (wanted)
    arg(t, "waits for", wanted);
  end_record(t);
  uint64_t *odd = is_new(a) ? &t->odd[fm__generation(a) % ODD] : NULL;
  if (odd && *odd)
    return;
  if (odd)
    *odd = fm__generation(a);
  rest_begins(d, t, a, now, wanted);
}

// Before a turn.
static bool was_new(tracer *t, const fm_node *a) {
  uint64_t *odd = &t->odd[fm__generation(a) % ODD];
  if (!is_new(a))
    return false;
  if (*odd != fm__generation(a))
    return true;
  *odd = 0;
  return false;
}

static void turn_ends(fm__runtime *d,
                      tracer *t,
                      const fm_node *a,
                      uint64_t generation,
                      uint64_t now) {
  if (fm__generation(a) == generation && !(a->word & (FM__BODY | FM__ENDED)))
    rests(d, t, a, now);
  else
    slice_ends(d, t, generation, now);
}

static void midway_ends(fm__runtime *d, tracer *t, uint64_t now) {
  if (t->midway.generation)
    turn_ends(d, t, t->midway.node, t->midway.generation, now);
  t->midway = (fm_activity){ 0 };
  t->running = 0;
}

static void
arrow_ends(fm__runtime *d, tracer *t, uint64_t whose, uint64_t now) {
  uint64_t *slot = &t->arrows[whose % ARROWS];
  if (*slot != whose)
    return;
  *slot = 0;
  arrow(d, t, "f", whose, now, whose);
}

uint64_t fm__trace_begin(fm__runtime *d, fm_node *a, bool in_turn) {
  tracer *t = tracer_of(d);
  if (!t)
    return 0;
  uint64_t now = fm__clock(), me = fm__generation(a), before;
  if (!in_turn) {
    midway_ends(d, t, now);
    idle_ends(d, t, now);
    count_ready(d, t, now);
  }
  if (was_new(t, a))
    name_track(d, t, "thread_name", me, fm__name_of(d, a));
  else
    slice_ends(d, t, me, now);
  slice_begins(d, t, me, now, fm__outermost(a->leaf)->code->name);
  arrow_ends(d, t, me, now);
  before = t->running;
  t->running = me;
  return before;
}

void fm__trace_end(fm__runtime *d,
                   fm_node *a,
                   uint64_t generation,
                   uint64_t before,
                   unsigned how) {
  tracer *t = tracer_of(d);
  if (!t)
    return;
  if (how == FM__SLICED)
    fm__trace_event("end of slice", "");
  uint64_t now = fm__clock();
  turn_ends(d, t, a, generation, now);
  if (t->midway.generation == generation)
    t->midway = (fm_activity){ 0 };
  t->running = before;
}

// ---- arrows ----
static void arrow_begins(fm__runtime *d, tracer *t, const fm_node *a) {
  uint64_t whose = fm__generation(a), *slot = &t->arrows[whose % ARROWS];
  if (!t->running || *slot == whose)
    return;
  *slot = whose;
  arrow(d, t, "s", t->running, fm__clock(), whose);
}

// The activity is the last of the queue. In an atomic there are two queues: then only an activity
// that was just spawned is known for sure.
void fm__trace_ready(fm__runtime *d) {
  tracer *t = tracer_of(d);
  fm__set *top = fm__top_set(d);
  if (!t)
    return;
  if (d->base.head &&
      (top == &d->base || fm__generation(d->base.tail) == d->serial))
    arrow_begins(d, t, d->base.tail);
  else if (top->head && fm__generation(top->tail) == d->serial)
    arrow_begins(d, t, top->tail);
}

void fm__trace_spawned(fm__runtime *d, const fm_node *a) {
  tracer *t = tracer_of(d);
  if (t)
    arrow_begins(d, t, a);
}

// ---- instants ----
void fm__trace_event(const char *name, const char *more) {
  fm__runtime *d = fm__runtime_here();
  tracer *t = d ? tracer_of(d) : NULL;
  if (!t)
    return;
  begin_instant(d, t, t->running, name, more);
  end_record(t);
}

void fm__trace_throw(const char *type, const char *file, int line) {
  fm__runtime *d = fm__runtime_here();
  tracer *t = d ? tracer_of(d) : NULL;
  if (!t)
    return;
  begin_instant(d, t, t->running, "throw ", type);
  if (file)
    at_arg(t, file, (uint64_t)line);
  end_record(t);
}

// A scope counts as its owner.
static tracer *
begin_done_to(fm__runtime *d, const fm_node *a, const char *name) {
  tracer *t = tracer_of(d);
  bool region = a->word & FM__REGION;
  if (t)
    begin_instant(d,
                  t,
                  fm__generation(region ? a->owner : a),
                  name,
                  region ? " of its scope" : "");
  return t;
}

void fm__trace_on(fm__runtime *d, const fm_node *a, const char *name) {
  tracer *t = begin_done_to(d, a, name);
  if (t)
    end_record(t);
}

void fm__trace_cancel(fm__runtime *d,
                      const fm_node *a,
                      struct fm_cancelled value) {
  tracer *t = begin_done_to(d, a, "cancel");
  if (!t)
    return;
  if (value.by.node)
    number_arg(t, "by", value.by.generation);
  if (value.file)
    at_arg(t, value.file, (uint64_t)value.line);
  end_record(t);
}

void fm__trace_name(fm__runtime *d, const fm_node *a) {
  tracer *t = tracer_of(d);
  if (t)
    name_track(d, t, "thread_name", fm__generation(a), fm__name_of(d, a));
}

void fm_trace_mark(const char *format, ...) {
  char text[TEXT];
  va_list args;
  if (!fm__tracing())
    return;
  fm__runtime *d = fm__runtime_of(fm__here());
  tracer *t = tracer_of(d);
  if (!t)
    return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  begin_instant(d, t, t->running, text, "");
  put(t, ",\"cat\":\"mark\"");
  end_record(t);
}
