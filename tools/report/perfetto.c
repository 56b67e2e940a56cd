// perfetto.c: `fermata report --perfetto`: a trace in Chrome's form, with the same content as
// FERMATA_TRACE=FILE.json writes (runtime/report/trace-json.c): a domain is a "process", an
// activity a "thread"; number 0 is the domain's loop and plain code. Times are in microseconds
// since the first event. Events stand in the order of tables here, not of time; viewers sort them.
#include "report.h"

#include <stdlib.h>

typedef struct Out {
  const Model *m;
  Buf *to;
} Out;

static void begin(Out *o,
                  const char *phase,
                  uint32_t domain,
                  uint64_t number,
                  uint64_t time) {
  buf_printf(o->to,
             "{\"ph\":\"%s\",\"pid\":%llu,\"tid\":%llu,\"ts\":%llu.%03u",
             phase,
             (unsigned long long)o->m->domains.at[domain].number,
             (unsigned long long)number,
             (unsigned long long)(time / 1000),
             (unsigned)(time % 1000));
}

static void name(Out *o, const char *text) {
  buf_puts(o->to, ",\"name\":");
  json_text(o->to, text);
}

static void end(Out *o) {
  buf_puts(o->to, "},\n");
}

static void name_track(Out *o,
                       const char *what,
                       uint32_t domain,
                       uint64_t number,
                       const char *text) {
  begin(o, "M", domain, number, 0);
  name(o, what);
  buf_puts(o->to, ",\"args\":{\"name\":");
  json_text(o->to, text);
  buf_puts(o->to, "}");
  end(o);
}

// `,"at":"a.c:3","in":"f"`.
static void place(Out *o, int32_t at, const char *before) {
  const Texts *n = &o->m->names;
  Buf text = { 0 };
  if (at == UNKNOWN)
    return;
  const Place *p = &n->places.at[at];
  place_text(n, at, &text);
  buf_printf(o->to, "%s\"at\":", before);
  json_text(o->to, text.data);
  if (*string_at(n, p->function)) {
    buf_puts(o->to, ",\"in\":");
    json_text(o->to, string_at(n, p->function));
  }
  buf_free(&text);
}

// ---- turns and what is between them ----
static void wait_text(const Model *m, const Turn *t, Buf *to) {
  to->len = 0;
  if (t->target != UNKNOWN) {
    const Activity *a = &m->activities.at[t->target];
    buf_printf(to,
               "#%llu %s",
               (unsigned long long)a->number,
               string_at(&m->names, a->name));
  } else if (t->wait > 0) {
    buf_puts(to, string_at(&m->names, (uint32_t)t->wait));
  } else {
    buf_puts(to, "");
  }
}

static void slice(Out *o,
                  const Activity *a,
                  uint64_t from,
                  uint64_t length,
                  const char *what,
                  const char *more) {
  begin(o, "X", a->domain, a->number, from);
  buf_printf(o->to,
             ",\"dur\":%llu.%03u,\"name\":",
             (unsigned long long)(length / 1000),
             (unsigned)(length % 1000));
  Buf text = { 0 };
  buf_printf(&text, "%s%s", what, more);
  json_text(o->to, text.data);
  buf_free(&text);
}

static void print_turn(Out *o, const Turn *t, Buf *wait) {
  const Model *m = o->m;
  const Activity *a = &m->activities.at[t->activity];
  wait_text(m, t, wait);
  slice(o, a, t->begin, t->length, string_at(&m->names, a->function), "");
  buf_puts(o->to, ",\"args\":{\"turn\":");
  buf_printf(o->to, "%zu", (size_t)(t - m->turns.at));
  place(o, t->place, ",");
  if (wait->len) {
    buf_puts(o->to, ",\"waits for\":");
    json_text(o->to, wait->data);
  }
  buf_puts(o->to, "}");
  end(o);
}

// Until the next turn, or the end of the trace.
static void print_rest(Out *o, const Turn *t, uint64_t until, Buf *wait) {
  const Activity *a = &o->m->activities.at[t->activity];
  uint64_t from = t->begin + t->length;
  if (t->wait == UNKNOWN || until < from)
    return;
  wait_text(o->m, t, wait);
  slice(
      o, a, from, until - from, wait->len ? "waits for " : "ready", wait->data);
  if (t->place != UNKNOWN) {
    buf_puts(o->to, ",\"args\":{");
    place(o, t->place, "");
    buf_puts(o->to, "}");
  }
  end(o);
}

static void print_arrow(
    Out *o, size_t id, const Turn *from, uint64_t time, const Turn *to) {
  const Model *m = o->m;
  const Activity *a = &m->activities.at[from->activity];
  const Activity *b = &m->activities.at[to->activity];
  begin(o, "s", a->domain, a->number, time);
  buf_printf(o->to, ",\"name\":\"ready\",\"cat\":\"ready\",\"id\":\"%zu\"", id);
  end(o);
  begin(o, "f", b->domain, b->number, to->begin);
  buf_printf(
      o->to,
      ",\"name\":\"ready\",\"cat\":\"ready\",\"id\":\"%zu\",\"bp\":\"e\"",
      id);
  end(o);
}

static void print_turns(Out *o) {
  const Model *m = o->m;
  Buf wait = { 0 };
  uint64_t *next = xmalloc((m->activities.count + 1) * sizeof *next);
  for (size_t i = 0; i < m->activities.count; i++)
    next[i] = m->duration;
  for (size_t i = m->turns.count; i-- > 0;) {
    const Turn *t = &m->turns.at[i];
    print_turn(o, t, &wait);
    print_rest(o, t, next[t->activity], &wait);
    next[t->activity] = t->begin;
    if (t->waker != UNKNOWN) {
      const Turn *w = &m->turns.at[t->waker];
      uint64_t at = t->woken != NONE ? t->woken : w->begin + w->length;
      print_arrow(o, i, w, at, t);
    }
  }
  free(next);
  buf_free(&wait);
}

// ---- the rest ----
static void print_marks(Out *o) {
  const Model *m = o->m;
  for (size_t i = 0; i < m->marks.count; i++) {
    const Mark *k = &m->marks.at[i];
    begin(o,
          "i",
          k->domain,
          k->activity == UNKNOWN ? 0 : m->activities.at[k->activity].number,
          k->time);
    name(o, string_at(&m->names, k->text));
    buf_puts(o->to, ",\"s\":\"t\"");
    buf_puts(o->to, k->kind == FM__N_MARK ? ",\"cat\":\"mark\"" : "");
    if (k->by != UNKNOWN || k->place != UNKNOWN)
      buf_puts(o->to, ",\"args\":{");
    if (k->by != UNKNOWN)
      buf_printf(o->to,
                 "\"by\":%llu",
                 (unsigned long long)m->activities.at[k->by].number);
    place(o, k->place, k->by != UNKNOWN ? "," : "");
    buf_puts(o->to, k->by != UNKNOWN || k->place != UNKNOWN ? "}" : "");
    end(o);
  }
}

static void print_counter(Out *o,
                          uint32_t domain,
                          const char *what,
                          const char *unit,
                          uint64_t time,
                          uint64_t n) {
  begin(o, "C", domain, 0, time);
  name(o, what);
  buf_printf(o->to, ",\"args\":{\"%s\":%llu}", unit, (unsigned long long)n);
  end(o);
}

static void print_domain(Out *o, uint32_t index) {
  const Domain *d = &o->m->domains.at[index];
  char text[40];
  snprintf(text, sizeof text, "domain %llu", (unsigned long long)d->number);
  name_track(o, "process_name", index, 0, text);
  name_track(o, "thread_name", index, 0, "loop");
  for (size_t i = 0; i < d->ready.count; i++)
    print_counter(
        o, index, "ready", "activities", d->ready.at[i].time, d->ready.at[i].n);
  for (size_t i = 0; i < d->clock.count; i++)
    print_counter(o,
                  index,
                  "driver's clock",
                  "ms",
                  d->clock.at[i].time,
                  d->clock.at[i].n / 1000000);
  for (size_t i = 0; i < d->idles.count; i++) {
    uint64_t length = d->idles.at[i].n;
    begin(o, "X", index, 0, d->idles.at[i].time);
    buf_printf(o->to,
               ",\"dur\":%llu.%03u",
               (unsigned long long)(length / 1000),
               (unsigned)(length % 1000));
    name(o, "idle");
    end(o);
  }
}

void perfetto_print(const Report *r, Buf *to) {
  Out o = { &r->model, to };
  buf_puts(to, "[\n");
  for (size_t i = 0; i < r->model.domains.count; i++)
    print_domain(&o, (uint32_t)i);
  for (size_t i = 0; i < r->model.activities.count; i++) {
    const Activity *a = &r->model.activities.at[i];
    name_track(&o,
               "thread_name",
               a->domain,
               a->number,
               string_at(&r->model.names, a->name));
  }
  print_turns(&o);
  print_marks(&o);
  name_track(&o, "fermata", 0, 0, FM_VERSION);
  to->len -= 2; // the last comma
  buf_puts(to, "\n]\n");
}
