// trace-json.c: a trace in Chrome's form: https://ui.perfetto.dev and chrome://tracing show it. A
// domain is a "process" there, an activity a "thread" whose number is the activity's own; number 0
// is the domain's loop and plain code.
//
//     slices     each turn, named by the activity's function; between turns the event that the
//                activity waits for, or "ready"; of the loop "idle"
//     arrows     from the activity that made another one ready, or spawned it, to the turn that
//                follows
//     instants   cancel, pause, resume, throw, unhandled error, deadlock, end of slice, and the
//                program's marks
//     counters   how many activities are ready; the driver's clock, if it is not the real one
//
// The slices of an activity follow each other, one ends where the next begins, so nothing has to be
// kept for activities that wait. Only arrows without an end yet are kept, in a small table: if two
// share an entry, the older one gets no end.
#include "report/trace.h"

#include <string.h>

enum { TEXT = FM__TRACE_TEXT, ARROWS = FM__ARROWS, ROOM = 256 };

typedef fm__tracer tracer;

// ---- text ----
// Usually a literal, whose length is then known.
static inline __attribute__((always_inline)) void put(tracer *t,
                                                      const char *text) {
  size_t n = strlen(text);
  memcpy(t->json.at, text, n);
  t->json.at += n;
}

static void put_number(tracer *t, uint64_t n) {
  char digits[20], *at = digits + sizeof digits;
  do
    *--at = (char)('0' + n % 10);
  while (n /= 10);
  memcpy(t->json.at, at, (size_t)(digits + sizeof digits - at));
  t->json.at += digits + sizeof digits - at;
}

// In microseconds.
static void put_time(tracer *t, uint64_t ns) {
  put_number(t, ns / 1000);
  *t->json.at++ = '.';
  *t->json.at++ = (char)('0' + ns / 100 % 10);
  *t->json.at++ = (char)('0' + ns / 10 % 10);
  *t->json.at++ = (char)('0' + ns % 10);
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
  *t->json.at++ = hex[c >> 4];
  *t->json.at++ = hex[c & 15];
}

// Returns how many bytes it has read.
static int put_special(tracer *t, const unsigned char *s) {
  int n = character(s);
  if (n == 0)
    put(t, "\\ufffd");
  else if (n == 1)
    put_escaped(t, *s);
  else
    memcpy(t->json.at, s, (size_t)n);
  t->json.at += n > 1 ? n : 0;
  return n ? n : 1;
}

// A string, without quotes; a long one is cut off.
static void put_text(tracer *t, const char *text) {
  char *most = t->json.at + TEXT;
  for (const unsigned char *s = (const unsigned char *)text;
       *s && t->json.at < most;) {
    if (fm__likely(*s >= ' ' && *s < 0x7f && *s != '"' && *s != '\\'))
      *t->json.at++ = (char)*s++;
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
  t->json.at = t->json.record;
  t->json.args = 0;
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
  put(t, t->json.args++ ? ",\"" : ",\"args\":{\"");
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
  put(t, t->json.args ? "}},\n" : "},\n");
  fm__trace_write(&t->file,
                  t->json.record,
                  (size_t)(t->json.at - t->json.record));
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
                          uint64_t now,
                          const char *name,
                          const char *more) {
  begin_named(d, t, "i", track, now, name, more);
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

static void name(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  (void)now;
  name_track(d, t, "thread_name", fm__generation(a), fm__name_of(d, a));
}

// ---- the beginning and the end of a trace ----
static void domain(fm__runtime *d, tracer *t, uint64_t now) {
  char text[40];
  (void)now;
  snprintf(text, sizeof text, "domain %llu", (unsigned long long)d->life);
  name_track(d, t, "process_name", 0, text);
  name_track(d, t, "thread_name", 0, "loop");
}

static const char *wanted(fm__runtime *d, const fm_node *a, char *room) {
  return fm__is_waiting(a) ? fm__wanted(d, a, room, ROOM) : NULL;
}

static void exists(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now) {
  char room[ROOM];
  name(d, t, a, now);
  rest_begins(d, t, a, now, wanted(d, a, room));
}

static void stops(fm__runtime *d, tracer *t, uint64_t now, bool last) {
  if (last && t->running)
    slice_ends(d, t, t->running, now);
  else if (!last && t->idle)
    slice_ends(d, t, 0, now);
}

// ---- the loop ----
static void idle(fm__runtime *d, tracer *t, uint64_t now, bool begins) {
  if (begins)
    slice_begins(d, t, 0, now, "idle");
  else
    slice_ends(d, t, 0, now);
}

static void count(fm__runtime *d, tracer *t, uint64_t now, uint64_t ready) {
  counter(d, t, now, "ready", "activities", ready);
}

static void
driver_clock(fm__runtime *d, tracer *t, uint64_t now, uint64_t theirs) {
  counter(d, t, now, "driver's clock", "ms", theirs / 1000000);
}

// ---- turns ----
static void
arrow_ends(fm__runtime *d, tracer *t, uint64_t whose, uint64_t now) {
  uint64_t *slot = &t->json.arrows[whose % ARROWS];
  if (*slot != whose)
    return;
  *slot = 0;
  arrow(d, t, "f", whose, now, whose);
}

static void begins(fm__runtime *d,
                   tracer *t,
                   const fm_node *a,
                   uint64_t now,
                   bool is_new,
                   bool nested) {
  uint64_t me = fm__generation(a);
  (void)nested;
  if (is_new)
    name(d, t, a, now);
  else
    slice_ends(d, t, me, now);
  slice_begins(d, t, me, now, fm__outermost(a->leaf)->code->name);
  arrow_ends(d, t, me, now);
}

static void
pauses(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now, bool sliced) {
  char room[ROOM];
  const char *what = wanted(d, a, room);
  if (sliced) {
    begin_instant(d, t, t->running, now, "end of slice", "");
    end_record(t);
  }
  begin_record(d, t, "E", fm__generation(a), now);
  place_args(d, t, a);
  if (what)
    arg(t, "waits for", what);
  end_record(t);
  if (!t->unlisted)
    rest_begins(d, t, a, now, what);
}

static void
ends(fm__runtime *d, tracer *t, uint64_t number, uint64_t now, unsigned how) {
  (void)how;
  slice_ends(d, t, number, now);
}

static void ready(fm__runtime *d, tracer *t, const fm_node *a, bool is_new) {
  uint64_t whose = fm__generation(a);
  uint64_t *slot = &t->json.arrows[whose % ARROWS];
  (void)is_new;
  if (!t->running || *slot == whose)
    return;
  *slot = whose;
  arrow(d, t, "s", t->running, fm__clock(), whose);
}

static void atomic(fm__runtime *d, tracer *t, uint64_t now, bool begins) {
  (void)d;
  (void)t;
  (void)now;
  (void)begins;
}

// ---- instants ----
static void note(fm__runtime *d, tracer *t, uint64_t now, const fm__note *n) {
  begin_instant(d, t, n->number, now, n->name, n->more);
  if (n->kind == FM__N_MARK)
    put(t, ",\"cat\":\"mark\"");
  if (n->by)
    number_arg(t, "by", n->by);
  if (n->file)
    at_arg(t, n->file, n->line);
  end_record(t);
}

// JSON has no such event.
static void
written(fm__runtime *d, tracer *t, uint64_t number, uint64_t now, uint64_t by) {
  (void)d;
  (void)t;
  (void)number;
  (void)now;
  (void)by;
}

const fm__trace_form fm__trace_json = {
  domain, exists,       begins, pauses, ends,   ready,   idle,
  count,  driver_clock, note,   name,   atomic, written, stops,
};
