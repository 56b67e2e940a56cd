// json.c: a report as one object in JSON, which the page reads as well. docs/report.md lists its
// members. Long tables are columns (columns.c). No text has a `<`, so that the object can stand in
// a page.
#include "report.h"

#include <stdlib.h>
#include <time.h>

// ---- texts ----
// How many bytes the character at s has; 0: it is not UTF-8.
static size_t character(const unsigned char *s) {
  size_t n = *s < 0x80   ? 1
             : *s < 0xc2 ? 0
             : *s < 0xe0 ? 2
             : *s < 0xf0 ? 3
             : *s < 0xf5 ? 4
                         : 0;
  if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
      (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xc0) != 0x80)
      return 0;
  return n;
}

void json_text(Buf *to, const char *text) {
  buf_putc(to, '"');
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    size_t n = character(s);
    if (n == 0)
      buf_puts(to, "\\ufffd");
    else if (n == 1 &&
             (*s < ' ' || *s == '"' || *s == '\\' || *s == '<' || *s == 0x7f))
      buf_printf(to, "\\u%04x", *s);
    else
      buf_add(to, (const char *)s, n);
    s += n ? n : 1;
  }
  buf_putc(to, '"');
}

static void key(Buf *to, const char *name) {
  buf_printf(to, ",\n\"%s\":", name);
}

static void number(Buf *to, const char *name, uint64_t n) {
  key(to, name);
  buf_printf(to, "%llu", (unsigned long long)n);
}

static void truth(Buf *to, const char *name, bool v) {
  key(to, name);
  buf_puts(to, v ? "true" : "false");
}

static void comma(Buf *to, size_t i) {
  if (i)
    buf_putc(to, ',');
}

static void texts(Buf *to, char *const *at, size_t n) {
  buf_putc(to, '[');
  for (size_t i = 0; i < n; i++) {
    comma(to, i);
    json_text(to, at[i]);
  }
  buf_putc(to, ']');
}

static void numbers(Buf *to, const uint64_t *at, size_t n) {
  buf_putc(to, '[');
  for (size_t i = 0; i < n; i++) {
    comma(to, i);
    buf_printf(to, "%llu", (unsigned long long)at[i]);
  }
  buf_putc(to, ']');
}

// ---- the run ----
static void print_words(const Model *m, Buf *to) {
  const char *at = m->file.data.data + sizeof(fm__trace_head);
  size_t left = m->file.head.words_size;
  if (m->file.data.len < sizeof(fm__trace_head) + left)
    left = 0;
  for (size_t i = 0; left; i++) {
    size_t n = strnlen(at, left);
    char *word = xstrndup(at, n);
    if (i == 0)
      key(to, "program");
    else if (i == 1)
      buf_puts(to, ",\n\"arguments\":[");
    comma(to, i > 1);
    json_text(to, word);
    free(word);
    at += n < left ? n + 1 : n;
    left -= n < left ? n + 1 : n;
    if (!left && i)
      buf_putc(to, ']');
  }
}

static void print_run(const Report *r, Buf *to) {
  const Model *m = &r->model;
  char when[40] = "";
  time_t seconds = (time_t)(m->file.head.calendar / 1000000000u);
  struct tm parts;
  buf_puts(to, "{\"version\":1");
  print_words(m, to);
  number(to, "pid", m->file.head.process);
  if (gmtime_r(&seconds, &parts) &&
      strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts)) {
    key(to, "recorded");
    json_text(to, when);
  }
  number(to, "duration", m->duration);
  truth(to, "virtual", m->virtual);
  truth(to, "complete", model_is_complete(m));
  number(to, "lost", m->file.head.lost);
  number(to, "events", m->events);
  key(to, "summary");
  texts(to, r->summary.at, r->summary.count);
}

static void print_names(const Texts *n, Buf *to) {
  key(to, "strings");
  texts(to, n->strings.at, n->strings.count);
  key(to, "places");
  buf_putc(to, '[');
  for (size_t i = 0; i < n->places.count; i++) {
    const Place *p = &n->places.at[i];
    comma(to, i);
    buf_printf(to, "[%u,%u,%u]", p->file, p->line, p->function);
  }
  buf_putc(to, ']');
}

static void print_domains(const Model *m, Buf *to) {
  key(to, "domains");
  buf_putc(to, '[');
  for (size_t i = 0; i < m->domains.count; i++) {
    const Domain *d = &m->domains.at[i];
    comma(to, i);
    buf_printf(to,
               "{\"number\":%llu,\"turns\":%llu,\"busy\":%llu,\"idle\":%llu,"
               "\"activities\":%llu}",
               (unsigned long long)d->number,
               (unsigned long long)d->turns,
               (unsigned long long)d->busy,
               (unsigned long long)d->idle,
               (unsigned long long)d->activities);
  }
  buf_putc(to, ']');
}

// ---- columns: a member of each element of a list ----
typedef struct Column {
  const char *name;
  enum { F64, U32, U8 } type;
  double (*value)(const void *element);
} Column;

static void
print_column(Buf *to, const Column *c, const char *at, size_t n, size_t size) {
  double *f = c->type == F64 ? xmalloc((n + 1) * sizeof *f) : NULL;
  uint32_t *u = c->type == U32 ? xmalloc((n + 1) * sizeof *u) : NULL;
  uint8_t *b = c->type == U8 ? xmalloc(n + 1) : NULL;
  for (size_t i = 0; i < n; i++, at += size) {
    double v = c->value(at);
    if (f)
      f[i] = v;
    else if (u)
      u[i] = v < 0            ? (uint32_t)(int32_t)v
             : v > UINT32_MAX ? UINT32_MAX
                              : (uint32_t)v;
    else
      b[i] = (uint8_t)v;
  }
  key(to, c->name);
  if (f)
    column_f64(to, f, n);
  else if (u)
    column_u32(to, u, n);
  else
    column_u8(to, b, n);
  free(f);
  free(u);
  free(b);
}

static void print_columns(Buf *to,
                          const Column *c,
                          size_t columns,
                          const void *at,
                          size_t n,
                          size_t size) {
  buf_printf(to, "{\"count\":%zu", n);
  for (size_t i = 0; i < columns; i++)
    print_column(to, &c[i], at, n, size);
  buf_putc(to, '}');
}

#define VALUE(T, name, expression)           \
  static double T##_##name(const void *at) { \
    const T *x = at;                         \
    return (double)(expression);             \
  }
VALUE(Activity, number, x->number)
VALUE(Activity, parent, x->parent)
VALUE(Activity, name, x->name)
VALUE(Activity, function, x->function)
VALUE(Activity, domain, x->domain)
VALUE(Activity, spawned, x->spawned)
VALUE(Activity, begin, x->begin)
VALUE(Activity, end, x->end == NONE ? -1.0 : (double)x->end)
VALUE(Activity, turns, x->turns)
VALUE(Activity, busy, x->busy)
VALUE(Activity, longest, x->longest)
VALUE(Activity, how, x->how)
VALUE(Turn, activity, x->activity)
VALUE(Turn, begin, x->begin)
VALUE(Turn, length, x->length)
VALUE(Turn, place, x->place)
VALUE(Turn, wait, x->wait)
VALUE(Turn, kind, x->kind)
VALUE(Turn, waker, x->waker)
VALUE(Turn, flags, x->flags &(T_RECURRING | T_NESTED | T_SLICED))

static void print_activities(const Model *m, Buf *to) {
  static const Column columns[] = {
    { "number", F64, Activity_number },
    { "parent", U32, Activity_parent },
    { "name", U32, Activity_name },
    { "function", U32, Activity_function },
    { "domain", U32, Activity_domain },
    { "spawned", U32, Activity_spawned },
    { "begin", F64, Activity_begin },
    { "end", F64, Activity_end },
    { "turns", U32, Activity_turns },
    { "busy", F64, Activity_busy },
    { "longest", F64, Activity_longest },
    { "how", U8, Activity_how },
  };
  key(to, "activities");
  print_columns(to,
                columns,
                COUNT(columns),
                m->activities.at,
                m->activities.count,
                sizeof *m->activities.at);
}

static void print_turns(const Model *m, Buf *to) {
  static const Column columns[] = {
    { "activity", U32, Turn_activity }, { "begin", F64, Turn_begin },
    { "length", U32, Turn_length },     { "place", U32, Turn_place },
    { "wait", U32, Turn_wait },         { "kind", U8, Turn_kind },
    { "waker", U32, Turn_waker },       { "flags", U8, Turn_flags },
  };
  key(to, "turns");
  print_columns(to,
                columns,
                COUNT(columns),
                m->turns.at,
                m->turns.count,
                sizeof *m->turns.at);
  key(to, "kinds");
  texts(to, (char *const *)kind_names, KINDS);
}

// ---- marks and queues ----
enum { MOST_POINTS = 5000 };

static void print_mark(Buf *to, const Mark *k) {
  buf_printf(to,
             "[%llu,%d,%u,%u]",
             (unsigned long long)k->time,
             k->activity,
             k->shown,
             k->category);
}

static void print_marks(const Model *m, Buf *to) {
  key(to, "marks");
  buf_putc(to, '[');
  for (size_t i = 0; i < m->marks.count && i < MOST_MARKS; i++) {
    comma(to, i);
    print_mark(to, &m->marks.at[i]);
  }
  buf_putc(to, ']');
}

// Of many points that would share one, the highest is kept.
static size_t thin_out(const Domain *d, Point *to) {
  size_t step = d->ready.count / MOST_POINTS + 1;
  size_t n = 0;
  for (size_t i = 0; i < d->ready.count; i++) {
    if (i % step == 0)
      to[n++] = d->ready.at[i];
    else if (d->ready.at[i].n > to[n - 1].n)
      to[n - 1] = d->ready.at[i];
  }
  return n;
}

static void print_ready_of(const Domain *d, size_t index, Buf *to) {
  Point *points = xmalloc((MOST_POINTS + 1) * sizeof *points);
  size_t n = thin_out(d, points);
  comma(to, index);
  buf_printf(to, "[%zu,[", index);
  for (size_t i = 0; i < n; i++) {
    comma(to, i);
    buf_printf(to, "%llu", (unsigned long long)points[i].time);
  }
  buf_puts(to, "],[");
  for (size_t i = 0; i < n; i++) {
    comma(to, i);
    buf_printf(to, "%llu", (unsigned long long)points[i].n);
  }
  buf_puts(to, "]]");
  free(points);
}

static void print_queues(const Model *m, Buf *to) {
  key(to, "ready");
  buf_putc(to, '[');
  for (size_t i = 0; i < m->domains.count; i++)
    print_ready_of(&m->domains.at[i], i, to);
  buf_putc(to, ']');
  key(to, "queues");
  buf_puts(to, "[]");
}

// ---- figures ----
// A member of a figure; the first one is its scale.
typedef struct Member {
  const char *name;
  const uint64_t *at; // NULL: not known
  size_t n;
} Member;

static void
print_figure(Buf *to, const char *name, const Member *members, size_t n) {
  buf_printf(to, "\n\"%s\":{", name);
  for (size_t i = 0; i < n; i++) {
    comma(to, i);
    buf_printf(to, "\"%s\":", members[i].name);
    if (members[i].at)
      numbers(to, members[i].at, members[i].n);
    else
      buf_puts(to, "null");
  }
  buf_putc(to, '}');
}

static void print_figures(const Report *r, Buf *to) {
  const Figures *f = &r->figures;
  enum { BINS = EDGES - 1 };
  const Member turns[] = {
    { "edges", f->edges, EDGES },
    { "all", f->turns, BINS },
    { "once", f->turns_once, BINS },
  };
  const Member branching[] = {
    { "values", f->values, VALUES },
    { "turns", f->children, VALUES },
    { "parents", f->of_parents, VALUES },
  };
  const Member gaps[] = {
    { "edges", f->edges, EDGES },
    { "uninterrupted", f->uninterrupted, BINS },
    { "interrupted", f->interrupted, BINS },
    { "written", model_knows_writes(&r->model) ? f->written : NULL, BINS },
    { "once", f->gaps_once, BINS },
  };
  const Member atomic[] = {
    { "edges", f->edges, EDGES },
    { "length", f->atomic_length, BINS },
    { "counts", f->values + 1, VALUES - 1 },
    { "activities", f->atomic_activities + 1, VALUES - 1 },
  };
  const Member bursts[] = {
    { "edges", f->edges, EDGES },
    { "length", f->burst_length, BINS },
    { "counts", f->powers, POWERS },
    { "turns", f->burst_turns, POWERS },
  };
  key(to, "figures");
  buf_putc(to, '{');
  print_figure(to, "turns", turns, COUNT(turns));
  buf_putc(to, ',');
  print_figure(to, "branching", branching, COUNT(branching));
  buf_putc(to, ',');
  print_figure(to, "gaps", gaps, COUNT(gaps));
  buf_putc(to, ',');
  print_figure(to, "atomic", atomic, COUNT(atomic));
  buf_putc(to, ',');
  print_figure(to, "bursts", bursts, COUNT(bursts));
  buf_putc(to, '}');
}

// ---- tables ----
static void print_waits(const Tables *t, Buf *to) {
  key(to, "waits");
  buf_putc(to, '[');
  for (size_t i = 0; i < t->waits.count; i++) {
    const WaitRow *w = &t->waits.at[i];
    comma(to, i);
    buf_printf(to, "[%u,%d,%d,", w->kind, w->wait, w->place);
    buf_printf(to,
               "%llu,%llu,%llu,%llu]",
               (unsigned long long)w->count,
               (unsigned long long)w->total,
               (unsigned long long)w->longest,
               (unsigned long long)w->median);
  }
  buf_putc(to, ']');
}

static void print_longest(const Report *r, Buf *to) {
  key(to, "longest");
  buf_putc(to, '[');
  for (size_t i = 0; i < r->tables.longest_count; i++) {
    const Turn *t = &r->model.turns.at[r->tables.longest[i]];
    comma(to, i);
    buf_printf(to,
               "[%u,%u,%llu,%llu,%d,%d]",
               r->tables.longest[i],
               t->activity,
               (unsigned long long)t->begin,
               (unsigned long long)t->length,
               t->from,
               t->place);
  }
  buf_putc(to, ']');
}

static void print_risk(const RiskRow *x, bool knows_writes, Buf *to) {
  buf_printf(to,
             "[%d,%d,%llu,%llu,",
             x->before,
             x->after,
             (unsigned long long)x->gaps,
             (unsigned long long)x->interrupted);
  buf_printf(to,
             "%lld,%llu,%llu,%llu,[",
             knows_writes ? (long long)x->written : -1,
             (unsigned long long)x->shortest,
             (unsigned long long)x->median,
             (unsigned long long)x->longest);
  for (size_t i = 0; i < MOST_WHO && x->who[i] != UNKNOWN; i++) {
    comma(to, i);
    buf_printf(to, "%d", x->who[i]);
  }
  buf_puts(to, "]]");
}

static void print_risks(const Report *r, Buf *to) {
  key(to, "risky");
  buf_putc(to, '[');
  for (size_t i = 0; i < r->tables.risks.count; i++) {
    comma(to, i);
    print_risk(&r->tables.risks.at[i], model_knows_writes(&r->model), to);
  }
  buf_putc(to, ']');
}

// clang-format off
static const char *const glossary[][2] = {
  { "activity", "One thread of control; activities of one domain never run at the same time." },
  { "atomic", "A stretch of code during which no other activity of the domain runs." },
  { "branching", "How many turns follow from a turn: the next one of its activity, and the first "
    "ones of activities that it spawned." },
  { "burst", "The turns that a domain takes from one idle time to the next." },
  { "domain", "A ready queue and a loop; one thread at a time runs it." },
  { "gap", "The time between two turns of one activity." },
  { "interrupted", "Of a gap: another activity of the domain ran in it." },
  { "place", "Where an activity paused: the innermost function of the program, not of a library." },
  { "ready", "Of an activity: it can run, and stands in the ready queue." },
  { "recurring", "Of a turn: its activity went on from the same place before, as in a loop." },
  { "slice", "The time that an activity may run before an automatic yield switches (10 ms)." },
  { "turn", "The time from the moment an activity is resumed until it pauses or ends." },
  { "wait", "To pause until an event comes: a value, a time, a descriptor, the end of an "
    "activity." },
  { "wake", "To make an activity that waits ready." },
  { "written", "Of a gap: an activity that ran in it wrote what this one had used before the gap "
    "and used after it." },
};
// clang-format on

static void print_glossary(Buf *to) {
  key(to, "glossary");
  buf_putc(to, '{');
  for (size_t i = 0; i < COUNT(glossary); i++) {
    comma(to, i);
    json_text(to, glossary[i][0]);
    buf_putc(to, ':');
    json_text(to, glossary[i][1]);
  }
  buf_puts(to, "}}\n");
}

void json_print(const Report *r, Buf *to) {
  const Model *m = &r->model;
  print_run(r, to);
  print_names(&m->names, to);
  print_domains(m, to);
  print_activities(m, to);
  print_turns(m, to);
  print_marks(m, to);
  print_queues(m, to);
  print_figures(r, to);
  print_waits(&r->tables, to);
  print_longest(r, to);
  print_risks(r, to);
  print_glossary(to);
}
