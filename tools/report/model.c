// model.c: the cells of a trace become activities, turns, waits and gaps.
//
// Cells come in the order of each domain's time. A domain has a stack of turns that are under way:
// an activity of an atomic, or of `spawn now`, has its turn inside another one. What a ring has
// lost, or a cut file lacks, leaves turns without an end or an end without a turn: the former end
// where the next event says so, the latter are passed over.
#include "report.h"

#include <stdlib.h>

// clang-format off
const char *const kind_names[KINDS] = {
  "ready", "channel", "sleep", "descriptor", "activity", "lock", "semaphore", "message", "domain",
  "other",
};
// The first text that the wait's contains.
static const struct {
  const char *text;
  Kind kind;
} kind_texts[] = {
  { "domain", K_DOMAIN },       { "timer", K_SLEEP },        { "rate limiter", K_SLEEP },
  { "descriptor", K_DESCRIPTOR }, { "mutex", K_LOCK },       { "MVar", K_CHANNEL },
  { "channel", K_CHANNEL },     { "broadcast", K_CHANNEL },  { "newer value", K_CHANNEL },
  { "one-shot", K_CHANNEL },    { "semaphore", K_SEMAPHORE }, { "message", K_MESSAGE },
  { "reply", K_MESSAGE },       { "activit", K_ACTIVITY },   { "task", K_ACTIVITY },
  { "the arms of", K_ACTIVITY }, { "wait group", K_ACTIVITY }, { "the end of", K_ACTIVITY },
  { "condition", K_LOCK },
};
// clang-format on

static uint8_t kind_of(const char *text) {
  for (size_t i = 0; i < COUNT(kind_texts); i++)
    if (strstr(text, kind_texts[i].text))
      return kind_texts[i].kind;
  return K_OTHER;
}

// ---- looking up ----
static Domain *domain_of(Model *m, const Cell *c) {
  return &m->domains.at[c->domain];
}

static uint64_t rel(const Model *m, uint64_t time) {
  return time > m->base ? time - m->base : 0;
}

static uint32_t
activity_index(Model *m, uint32_t domain, uint64_t number, uint64_t time) {
  uint32_t *v = table_at(&m->by_number, (uint64_t)domain << 40 | number);
  if (*v != UINT32_MAX)
    return *v;
  *v = (uint32_t)m->activities.count;
  Activity a = {
    .number = number,
    .domain = domain,
    .parent = UNKNOWN,
    .spawned = UNKNOWN,
    .begin = time,
    .end = NONE,
    .last = UNKNOWN,
    .waker = UNKNOWN,
    .spawner = UNKNOWN,
    .place = UNKNOWN,
    .wait = UNKNOWN,
    .target = UNKNOWN,
  };
  PUSH(&m->activities, a);
  m->domains.at[domain].activities++;
  return *v;
}

static uint32_t whose(Model *m, const Cell *c) {
  return activity_index(m, c->domain, c->number, rel(m, c->time));
}

int32_t place_by_id(const Domain *d, uint32_t id) {
  return id < d->places.count ? d->places.at[id] : UNKNOWN;
}

static uint32_t string_by_id(const Domain *d, uint32_t id) {
  return id < d->strings.count ? d->strings.at[id] : 0;
}

// The turn under way; UNKNOWN: none.
static int32_t running(const Domain *d) {
  return d->open.count ? (int32_t)d->open.at[d->open.count - 1] : UNKNOWN;
}

// ---- texts, places, activities ----
static void read_string(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint32_t s = string_of(&m->names, c->text, c->size);
  while (d->strings.count <= c->id)
    PUSH(&d->strings, 0);
  d->strings.at[c->id] = s;
}

static void read_place(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  Place p = { string_by_id(d, c->raw[0]),
              c->raw[2],
              string_by_id(d, c->raw[1]) };
  int32_t place = place_of(&m->names, p);
  while (d->places.count <= c->id)
    PUSH(&d->places, UNKNOWN);
  d->places.at[c->id] = place;
}

static void read_activity(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint32_t i = whose(m, c);
  uint32_t parent = c->parent && c->parent >> 40 == 0
                        ? activity_index(m, c->domain, c->parent, 0)
                        : UINT32_MAX;
  Activity *a = &m->activities.at[i];
  a->function = string_by_id(d, c->raw[2]);
  if (!a->name)
    a->name = a->function;
  a->parent = parent == i ? UNKNOWN : (int32_t)parent;
  if (c->id)
    a->spawned = (int32_t)c->id; // its line may come later
  if (!(c->info & FM__A_SPAWNED))
    return;
  a->begin = rel(m, c->time);
  a->woken = a->begin;
  a->spawner = a->waker = running(d);
  if (a->spawner != UNKNOWN)
    m->turns.at[a->spawner].children++;
}

static void read_name(Model *m, const Cell *c) {
  uint32_t name = string_of(&m->names, c->text, c->size);
  uint32_t i = whose(m, c); // which may move the activities
  m->activities.at[i].name = name;
}

// ---- turns ----
static void close_turn(Model *m, Domain *d, uint64_t now) {
  Turn *t = &m->turns.at[d->open.at[--d->open.count]];
  Activity *a = &m->activities.at[t->activity];
  t->length = now > t->begin ? now - t->begin : 0;
  t->flags &= (uint8_t)~T_OPEN;
  a->busy += t->length;
  if (t->length > a->longest)
    a->longest = t->length;
  if (d->open.count == 0) {
    d->busy += t->length;
    d->burst_end = now;
  }
}

static void note_wait(Model *m, uint32_t i, uint64_t now) {
  const Activity *a = &m->activities.at[i];
  Wait w = {
    i, a->wait, a->place, a->kind, now > a->since ? now - a->since : 0
  };
  PUSH(&m->waits, w);
}

// The gap before the turn, which is the newest one.
static void read_gap(Model *m, Domain *d, Turn *t, const Activity *a) {
  t->flags |= T_GAP;
  t->gap = t->begin > a->since ? t->begin - a->since : 0;
  if (d->all.count > a->turns_then) {
    const Turn *first = &m->turns.at[d->all.at[a->turns_then]];
    t->flags |= T_INTERRUPTED;
    t->by = (int32_t)m->activities.at[first->activity].function;
  } else if (a->shared) {
    t->flags |= T_INTERRUPTED;
  }
}

// Whether the activity went on from this place before.
static bool is_recurring(Model *m, uint32_t activity, int32_t place) {
  uint32_t *v =
      table_at(&m->resumed, (uint64_t)activity << 31 | (uint32_t)(place + 1));
  bool before = *v != UINT32_MAX;
  *v = 0;
  return before;
}

static void count_in_atomic(Model *m, Domain *d, Activity *a) {
  if (d->atomic == NONE || a->section == m->sections)
    return;
  a->section = m->sections;
  d->atomic_count++;
}

static void burst_ends(Model *m, Domain *d) {
  Span s = { d->burst_end - d->burst, d->burst_turns };
  if (d->burst != NONE && d->burst_turns && d->burst_end >= d->burst)
    PUSH(&m->bursts, s);
  d->burst = NONE;
  d->burst_turns = 0;
}

void idle_ends(Domain *d, uint64_t now) {
  if (d->idle_since == NONE)
    return;
  Point p = { d->idle_since, now > d->idle_since ? now - d->idle_since : 0 };
  d->idle += p.n;
  d->idle_since = NONE;
  PUSH(&d->idles, p);
}

// A turn that is not inside another one.
static void outer_begins(Model *m, Domain *d, uint64_t now) {
  while (d->open.count)
    close_turn(m, d, now);
  idle_ends(d, now);
  if (d->burst == NONE)
    d->burst = now;
  d->burst_turns++;
}

static void read_begin(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint32_t i = whose(m, c);
  uint64_t now = rel(m, c->time);
  if (d->open.count && m->turns.at[running(d)].activity == i)
    return; // of a ring whose first turn is known from the piece's head
  if (!(c->info & FM__T_NESTED))
    outer_begins(m, d, now);
  Activity *a = &m->activities.at[i];
  Turn t = {
    .activity = i,
    .begin = now,
    .from = a->place,
    .place = UNKNOWN,
    .wait = UNKNOWN,
    .target = UNKNOWN,
    .waker = a->waker,
    .woken = a->woken,
    .parent = a->last != UNKNOWN ? a->last : a->spawner,
    .by = UNKNOWN,
    .flags = T_OPEN | (d->open.count ? T_NESTED : 0),
  };
  if (a->last != UNKNOWN)
    m->turns.at[a->last].children++;
  if (a->rests) {
    note_wait(m, i, now);
    read_gap(m, d, &t, a);
  }
  if (a->place != UNKNOWN && is_recurring(m, i, a->place))
    t.flags |= T_RECURRING;
  count_in_atomic(m, d, a);
  a->last = (int32_t)m->turns.count;
  a->waker = UNKNOWN;
  a->rests = false;
  a->turns++;
  d->turns++;
  PUSH(&d->open, (uint32_t)m->turns.count);
  PUSH(&d->all, (uint32_t)m->turns.count);
  PUSH(&m->turns, t);
}

// Closes turns up to that of the activity. false: it has none under way.
static bool close_of(Model *m, Domain *d, uint32_t i, uint64_t now) {
  size_t k = d->open.count;
  while (k && m->turns.at[d->open.at[k - 1]].activity != i)
    k--;
  if (!k)
    return false;
  while (d->open.count >= k)
    close_turn(m, d, now);
  return true;
}

static void read_pause(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint32_t i = whose(m, c);
  uint64_t now = rel(m, c->time);
  Activity *a = &m->activities.at[i];
  a->place = place_by_id(d, c->id);
  a->wait = c->what == FM__W_UNKNOWN ? (int32_t)string_of(&m->names, "?", 1)
                                     : (int32_t)string_by_id(d, c->what);
  a->kind =
      c->what ? kind_of(string_at(&m->names, (uint32_t)a->wait)) : K_READY;
  if (!c->what)
    a->wait = 0;
  a->target = UNKNOWN;
  a->rests = true;
  a->since = now;
  a->waker = UNKNOWN;
  if (!(c->info & FM__T_LISTED) && close_of(m, d, i, now)) {
    Turn *t = &m->turns.at[a->last];
    t->place = a->place;
    t->wait = a->wait;
    t->kind = a->kind;
    t->flags |= c->info & FM__T_SLICED ? T_SLICED : 0;
  }
  a->shared = d->open.count > 0;
  a->turns_then = d->all.count;
}

// The wait that was read last is for the end of an activity.
static void read_for(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint32_t target = whose(m, c);
  if (!d->paused || d->paused > m->activities.count)
    return;
  Activity *a = &m->activities.at[d->paused - 1];
  const Activity *b = &m->activities.at[target];
  a->target = (int32_t)target;
  a->wait = (int32_t)string_format(&m->names,
                                   "the end of %s",
                                   string_at(&m->names, b->function));
  a->kind = K_ACTIVITY;
  if (a->last == UNKNOWN || m->turns.at[a->last].flags & T_OPEN)
    return;
  Turn *t = &m->turns.at[a->last];
  t->target = a->target;
  t->wait = a->wait;
  t->kind = a->kind;
}

static void read_end(Model *m, const Cell *c) {
  uint32_t i = whose(m, c);
  uint64_t now = rel(m, c->time);
  Activity *a = &m->activities.at[i];
  close_of(m, domain_of(m, c), i, now);
  a->end = now;
  a->how = c->info <= FM__E_CANCELLED ? c->info : FM__E_UNKNOWN;
  if (a->how == FM__E_UNKNOWN)
    a->how = FM__E_RETURNED;
  a->rests = false;
}

static void read_wake(Model *m, const Cell *c) {
  int32_t by = running(domain_of(m, c));
  uint32_t i = whose(m, c);
  m->activities.at[i].waker = by;
  m->activities.at[i].woken = rel(m, c->time);
}

// ---- the rest ----
static void read_idle(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint64_t now = rel(m, c->time);
  while (d->open.count)
    close_turn(m, d, now);
  d->idle_since = now;
  burst_ends(m, d);
}

static void read_note(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  Mark k = {
    .time = rel(m, c->time),
    .activity = c->number ? (int32_t)whose(m, c) : UNKNOWN,
    .text = string_of(&m->names, c->text, c->size),
    .kind = c->info,
    .place = place_by_id(d, c->id),
    .by = UNKNOWN,
    .domain = c->domain,
  };
  d->note = (int32_t)m->marks.count;
  PUSH(&m->marks, k);
}

static void read_by(Model *m, const Cell *c) {
  const Domain *d = domain_of(m, c);
  uint32_t i = whose(m, c);
  if (d->note != UNKNOWN)
    m->marks.at[d->note].by = (int32_t)i;
  else if (d->written != UNKNOWN)
    m->turns.at[d->written].by = (int32_t)m->activities.at[i].function;
}

static void enter_section(Model *m, uint32_t activity) {
  m->activities.at[activity].section = m->sections;
}

static void read_atomic(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint64_t now = rel(m, c->time);
  if (c->info) {
    d->atomic = now;
    d->atomic_count = 1;
    m->sections++;
    if (c->number)
      enter_section(m, whose(m, c));
  } else if (d->atomic != NONE) {
    Span s = { now > d->atomic ? now - d->atomic : 0, d->atomic_count };
    PUSH(&m->atomics, s);
    d->atomic = NONE;
  }
}

// In the turn that is under way.
static void read_written(Model *m, const Cell *c) {
  int32_t t = running(domain_of(m, c));
  if (t == UNKNOWN || m->turns.at[t].activity != whose(m, c) ||
      !(m->turns.at[t].flags & T_GAP))
    return;
  m->turns.at[t].flags |= T_WRITTEN | T_INTERRUPTED;
  domain_of(m, c)->written = t;
}

static void read_point(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  Point p = { rel(m, c->time), c->body };
  if (c->kind == FM__C_READY)
    PUSH(&d->ready, p);
  else
    PUSH(&d->clock, p);
  m->virtual |= c->kind == FM__C_CLOCK;
}

static void read_stop(Model *m, const Cell *c) {
  domain_of(m, c)->stopped = true;
}

static void (*const readers[])(Model *, const Cell *) = {
  [FM__C_STRING] = read_string,     [FM__C_PLACE] = read_place,
  [FM__C_ACTIVITY] = read_activity, [FM__C_NAME] = read_name,
  [FM__C_BEGIN] = read_begin,       [FM__C_PAUSE] = read_pause,
  [FM__C_FOR] = read_for,           [FM__C_END] = read_end,
  [FM__C_WAKE] = read_wake,         [FM__C_IDLE] = read_idle,
  [FM__C_READY] = read_point,       [FM__C_CLOCK] = read_point,
  [FM__C_NOTE] = read_note,         [FM__C_BY] = read_by,
  [FM__C_ATOMIC] = read_atomic,     [FM__C_WRITTEN] = read_written,
  [FM__C_STOP] = read_stop,
};

static void read_cell(Model *m, const Cell *c) {
  Domain *d = domain_of(m, c);
  uint64_t now = rel(m, c->time);
  if (c->kind < COUNT(readers) && readers[c->kind])
    readers[c->kind](m, c);
  d = domain_of(m, c);
  d->paused = c->kind == FM__C_PAUSE ? whose(m, c) + 1 : 0;
  if (c->kind != FM__C_NOTE)
    d->note = UNKNOWN;
  if (c->kind != FM__C_WRITTEN)
    d->written = UNKNOWN;
  if (now > d->last)
    d->last = now;
  if (now > m->duration)
    m->duration = now;
  m->events++;
}

// In a ring, the turn that was under way when the first piece that is left began.
static void open_piece(Model *m, const Piece *p) {
  Domain *d = &m->domains.at[p->index];
  if (d->turns || !p->running || p->running >> 40 ||
      !(m->file.head.flags & FM__TRACE_RING))
    return;
  Cell c = { .domain = p->index,
             .time = p->time,
             .kind = FM__C_BEGIN,
             .number = p->running };
  read_begin(m, &c);
}

static void read_piece(Model *m, const Piece *p) {
  Cells walk = { &m->file, p, sizeof(fm__piece_head), p->time };
  Cell c;
  open_piece(m, p);
  while (cells_next(&walk, &c))
    read_cell(m, &c);
}

bool model_read(Model *m, const char *path) {
  if (!file_read(&m->file, path))
    return false;
  const File *f = &m->file;
  string_of(&m->names, "", 0); // number 0
  m->base = NONE;
  for (size_t i = 0; i < f->pieces.count; i++)
    if (f->pieces.at[i].time < m->base)
      m->base = f->pieces.at[i].time;
  for (size_t i = 0; i < f->domains.count; i++) {
    Domain d = {
      .number = f->domains.at[i],
      .idle_since = NONE,
      .burst = NONE,
      .atomic = NONE,
      .note = UNKNOWN,
      .written = UNKNOWN,
    };
    PUSH(&m->domains, d);
  }
  for (size_t i = 0; i < f->pieces.count; i++)
    read_piece(m, &f->pieces.at[i]);
  for (size_t i = 0; i < m->domains.count; i++) {
    Domain *d = &m->domains.at[i];
    if (d->open.count)
      d->burst_end = m->duration;
    burst_ends(m, d);
  }
  model_finish(m);
  return true;
}

bool model_is_complete(const Model *m) {
  return m->file.head.flags & FM__TRACE_CLOSED && !m->file.head.lost;
}

bool model_knows_writes(const Model *m) {
  return m->file.head.flags & FM__TRACE_ATOMICITY;
}

void model_free(Model *m) {
  for (size_t i = 0; i < m->domains.count; i++) {
    Domain *d = &m->domains.at[i];
    free(d->open.at);
    free(d->all.at);
    free(d->strings.at);
    free(d->places.at);
    free(d->ready.at);
    free(d->clock.at);
    free(d->idles.at);
  }
  free(m->activities.at);
  free(m->turns.at);
  free(m->domains.at);
  free(m->marks.at);
  free(m->waits.at);
  free(m->atomics.at);
  free(m->bursts.at);
  table_free(&m->by_number);
  table_free(&m->resumed);
  names_free(&m->names);
  file_free(&m->file);
}
