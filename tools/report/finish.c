// finish.c: what remains to be done when all cells have been read: turns and waits that the end of
// the trace cuts off, and the order of turns of several domains.
#include "report.h"

#include <stdlib.h>

// A turn without an end lasts to the end of the trace.
static void close_turns(Model *m) {
  for (size_t i = 0; i < m->turns.count; i++) {
    Turn *t = &m->turns.at[i];
    Activity *a = &m->activities.at[t->activity];
    if (!(t->flags & T_OPEN))
      continue;
    t->flags &= (uint8_t)~T_OPEN;
    t->length = m->duration > t->begin ? m->duration - t->begin : 0;
    a->busy += t->length;
    if (t->length > a->longest)
      a->longest = t->length;
    if (!(t->flags & T_NESTED))
      m->domains.at[a->domain].busy += t->length;
  }
}

static void close_waits(Model *m) {
  for (size_t i = 0; i < m->activities.count; i++) {
    const Activity *a = &m->activities.at[i];
    if (!a->rests || a->kind == K_READY)
      continue;
    Wait w = {
      (uint32_t)i, a->wait, a->place, a->kind, m->duration - a->since
    };
    PUSH(&m->waits, w);
  }
}

static void close_idle(Model *m) {
  for (size_t i = 0; i < m->domains.count; i++) {
    Domain *d = &m->domains.at[i];
    idle_ends(d, d->stopped ? d->last : m->duration);
  }
}

// ---- the order of turns ----
typedef struct Rank {
  uint64_t begin;
  uint32_t turn;
} Rank;

static int by_begin(const void *a, const void *b) {
  const Rank *p = a;
  const Rank *q = b;
  if (p->begin != q->begin)
    return p->begin < q->begin ? -1 : 1;
  return p->turn < q->turn ? -1 : p->turn > q->turn;
}

static int32_t moved(const uint32_t *to, int32_t turn) {
  return turn < 0 ? turn : (int32_t)to[turn];
}

static void renumber(Model *m, const uint32_t *to) {
  for (size_t i = 0; i < m->turns.count; i++) {
    m->turns.at[i].waker = moved(to, m->turns.at[i].waker);
    m->turns.at[i].parent = moved(to, m->turns.at[i].parent);
  }
  for (size_t i = 0; i < m->activities.count; i++) {
    m->activities.at[i].last = moved(to, m->activities.at[i].last);
    m->activities.at[i].waker = moved(to, m->activities.at[i].waker);
    m->activities.at[i].spawner = moved(to, m->activities.at[i].spawner);
  }
}

static void sort_turns(Model *m) {
  size_t n = m->turns.count;
  Rank *ranks = xmalloc((n + 1) * sizeof *ranks);
  Turn *turns = xmalloc((n + 1) * sizeof *turns);
  uint32_t *to = xmalloc((n + 1) * sizeof *to);
  for (size_t i = 0; i < n; i++)
    ranks[i] = (Rank){ m->turns.at[i].begin, (uint32_t)i };
  qsort(ranks, n, sizeof *ranks, by_begin);
  for (size_t i = 0; i < n; i++) {
    turns[i] = m->turns.at[ranks[i].turn];
    to[ranks[i].turn] = (uint32_t)i;
  }
  free(m->turns.at);
  m->turns.at = turns;
  m->turns.room = n + 1;
  renumber(m, to);
  free(ranks);
  free(to);
}

static bool is_sorted(const Model *m) {
  for (size_t i = 1; i < m->turns.count; i++)
    if (m->turns.at[i].begin < m->turns.at[i - 1].begin)
      return false;
  return true;
}

static int by_time(const void *a, const void *b) {
  const Mark *p = a;
  const Mark *q = b;
  return p->time < q->time ? -1 : p->time > q->time;
}

static void finish_mark(Model *m, Mark *k) {
  static const char *const kinds[] = {
    "mark", "throw", "cancel", "pause", "resume", "unhandled error", "deadlock",
  };
  const char *kind = k->kind < COUNT(kinds) ? kinds[k->kind] : "other";
  Buf text = { 0 };
  buf_puts(&text, string_at(&m->names, k->text));
  if (k->by != UNKNOWN) {
    const Activity *by = &m->activities.at[k->by];
    buf_printf(&text,
               " by #%llu %s",
               (unsigned long long)by->number,
               string_at(&m->names, by->name));
  }
  if (k->place != UNKNOWN) {
    buf_puts(&text, " at ");
    place_text(&m->names, k->place, &text);
  }
  k->shown = string_of(&m->names, text.data ? text.data : "", text.len);
  k->category = string_of(&m->names, kind, strlen(kind));
  buf_free(&text);
}

// Of an activity that a ring has lost the beginning of, the function where it paused is known.
static void finish_activity(Model *m, Activity *a) {
  const Domain *d = &m->domains.at[a->domain];
  if (a->spawned != UNKNOWN)
    a->spawned = place_by_id(d, (uint32_t)a->spawned);
  if (!a->function && a->place != UNKNOWN)
    a->function = m->names.places.at[a->place].function;
  if (!a->name)
    a->name = a->function;
}

void model_finish(Model *m) {
  for (size_t i = 0; i < m->activities.count; i++)
    finish_activity(m, &m->activities.at[i]);
  close_turns(m);
  close_waits(m);
  close_idle(m);
  if (!is_sorted(m))
    sort_turns(m);
  if (m->domains.count > 1 && m->marks.count)
    qsort(m->marks.at, m->marks.count, sizeof *m->marks.at, by_time);
  for (size_t i = 0; i < m->marks.count && i < MOST_MARKS; i++)
    finish_mark(m, &m->marks.at[i]);
}
