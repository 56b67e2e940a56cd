// trace.c: what a trace records: the hooks that the runtime calls while one is written, and what
// both forms of a trace need to know. trace-json.c and trace-cells.c write the events down.
//
// All times are real time. While no trace is written, tracing costs next to nothing. With FM__TRACE
// in d->attention the loop's slow path takes the turns, between fm__trace_begin and fm__trace_end.
// d->asleep has FM__TRACED, which makes each activity that wakes another one call fm__made_ready,
// as it does while the ticker sleeps. Only rare events check fm__tracing(): cancels, errors, names,
// outermost atomics.
//
// A trace that begins while activities live first lists them and the events that they wait for.
#include "report/trace.h"
#include <fermata/trace.h>

#include <stdarg.h>
#include <string.h>

typedef fm__tracer tracer;

// ---- an activity that does not run ----
// Its first turn is still to come, so it has not rested before. Or its turn ended right at the
// beginning of a function that it has tail-called, or the stack was low: see rests and was_new.
static bool is_new(const fm_node *a) {
  return a->leaf->state == 0 && !a->leaf->parent;
}

static uint64_t *odd(tracer *t, const fm_node *a) {
  return &t->odd[fm__generation(a) % FM__ODD];
}

// ---- the beginning of a trace ----
static bool has_track(const fm_node *a) {
  return !(a->word & (FM__REGION | FM__BODY | FM__ENDED)) && !fm__proxy(a) &&
         !is_new(a);
}

static void list(fm__runtime *d, tracer *t, uint64_t now) {
  const bool nested = false;
  int depth = 0;
  for (fm_node *a = &d->host; (a = fm__tree_next(&d->host, a, &depth));)
    if (fm__generation(a) == t->midway.generation)
      t->form->begins(d, t, a, now, true, nested);
    else if (has_track(a))
      t->form->exists(d, t, a, now);
}

static void forget(tracer *t) {
  fm__trace_leave(&t->file);
  fm__trace_cells_free(t);
}

static tracer *start(fm__runtime *d, unsigned which) {
  tracer *t = d->tracer;
  if (t)
    forget(t);
  else if (!(t = d->tracer = fm__alloc(sizeof *t)))
    return NULL;
  memset(t, 0, sizeof *t);
  t->file.trace = which;
  t->form = fm__trace_is_json() ? &fm__trace_json : &fm__trace_cells;
  t->midway = fm_self();
  t->running = t->midway.generation;
  t->seen = d->base.head ? d->base.tail : NULL;
  uint64_t now = fm__clock();
  t->form->domain(d, t, now);
  list(d, t, now);
  return t;
}

// NULL: no trace is written any more.
static tracer *tracer_of(fm__runtime *d) {
  unsigned which = atomic_load_explicit(&fm__trace_now, memory_order_relaxed);
  if (fm__likely(d->tracer && which && d->tracer->file.trace == which))
    return d->tracer;
  return which ? start(d, which) : NULL;
}

// ---- the end of a trace ----
fm__trace_piece *fm__trace_stops(fm__runtime *d) {
  const bool last = true;
  tracer *t = d->tracer;
  if (!t || t->file.trace != fm__trace_now) // it has recorded nothing
    return NULL;
  t->form->stops(d, t, fm__clock(), last);
  return &t->file;
}

void fm__tracer_free(fm__runtime *d) {
  const bool last = false;
  tracer *t = d->tracer;
  if (!t)
    return;
  if (t->file.trace == fm__trace_now)
    t->form->stops(d, t, fm__clock(), last);
  forget(t);
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
    t->form->count(d, t, now, n);
  t->ready = n;
}

// A driver with another clock: the virtual one, for example.
static void tell_time(fm__runtime *d, tracer *t, uint64_t now) {
  enum { FAR = 1000000000 };
  uint64_t theirs = d->driver ? d->driver->now(d->driver->ctx) : now;
  if (theirs == t->driver_time || (theirs - now < FAR || now - theirs < FAR))
    return;
  t->driver_time = theirs;
  t->form->clock(d, t, now, theirs);
}

static FM_COLD void idle_ends(fm__runtime *d, tracer *t, uint64_t now) {
  const bool begins = false;
  t->idle = false;
  t->form->idle(d, t, now, begins);
  tell_time(d, t, now);
}

void fm__trace_idle(fm__runtime *d) {
  const bool begins = true;
  tracer *t = tracer_of(d);
  if (!t || t->idle || d->attention & FM__STOP_LOOP)
    return;
  uint64_t now = t->ended ? t->ended : fm__clock();
  t->ended = 0;
  if (t->ready)
    t->form->count(d, t, now, t->ready = 0);
  t->form->idle(d, t, now, begins);
  t->idle = true;
}

// ---- turns ----
// Before a turn.
static bool was_new(tracer *t, const fm_node *a) {
  uint64_t *slot = odd(t, a);
  if (!is_new(a))
    return false;
  if (*slot != fm__generation(a))
    return true;
  *slot = 0;
  return false;
}

// The end of a turn of a. If it looks new, the table has an entry for it, or no room.
static void
rests(fm__runtime *d, tracer *t, const fm_node *a, uint64_t now, bool sliced) {
  uint64_t *slot = is_new(a) ? odd(t, a) : NULL;
  t->unlisted = slot && *slot;
  if (slot && !*slot)
    *slot = fm__generation(a);
  t->form->pauses(d, t, a, now, sliced);
}

static void turn_ends(fm__runtime *d,
                      tracer *t,
                      const fm_node *a,
                      uint64_t generation,
                      uint64_t now,
                      bool sliced) {
  uint64_t by = fm__ato_gap();
  if (by)
    t->form->written(d, t, generation, now, by);
  if (fm__generation(a) == generation && !(a->word & (FM__BODY | FM__ENDED)))
    rests(d, t, a, now, sliced);
  else
    t->form->ends(d, t, generation, now, t->how ? t->how : FM__E_RETURNED);
  t->how = FM__E_UNKNOWN;
}

static FM_COLD void midway_ends(fm__runtime *d, tracer *t, uint64_t now) {
  const bool sliced = false;
  turn_ends(d, t, t->midway.node, t->midway.generation, now, sliced);
  t->midway = (fm_activity){ 0 };
  t->running = 0;
}

// The end of the last turn is near enough, unless the loop has looked at the driver meanwhile.
static uint64_t begins_at(fm__runtime *d, tracer *t) {
  uint64_t now = t->ended;
  bool looked = d->attention & (FM__INBOX | FM__STARTS) ||
                (d->attention & FM__LOOKS && d->turns_left != t->left - 1);
  t->ended = 0;
  return now && !looked ? now : fm__clock();
}

uint64_t fm__trace_begin(fm__runtime *d, fm_node *a, bool in_turn) {
  tracer *t = tracer_of(d);
  if (!t)
    return 0;
  uint64_t now = begins_at(d, t);
  uint64_t before;
  if (!in_turn) {
    if (t->midway.generation)
      midway_ends(d, t, now);
    if (t->idle)
      idle_ends(d, t, now);
    count_ready(d, t, now);
    t->seen = d->base.head ? d->base.tail : NULL;
  }
  t->form->begins(d, t, a, now, was_new(t, a), in_turn);
  before = t->running;
  t->running = fm__generation(a);
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
  uint64_t now = fm__clock();
  turn_ends(d, t, a, generation, now, how == FM__SLICED);
  if (t->midway.generation == generation)
    t->midway = (fm_activity){ 0 };
  t->running = before;
  // A yield has put the activity into the queue itself. An atomic may take delayed activities out
  // of it again.
  if (before && !fm__in_atomic(d))
    t->seen = d->base.head ? d->base.tail : NULL;
  t->ended = before ? 0 : now;
  t->left = d->turns_left;
}

// ---- activities that become ready ----
static void becomes_ready(fm__runtime *d, tracer *t, const fm_node *a) {
  bool new = is_new(a) && *odd(t, a) != fm__generation(a);
  t->form->ready(d, t, a, new);
}

// Those at the end of the queue. In an atomic there are two queues: then only an activity that was
// just spawned is known for sure.
void fm__trace_ready(fm__runtime *d) {
  tracer *t = tracer_of(d);
  fm__set *top = fm__top_set(d);
  if (!t || !t->running)
    return;
  if (top == &d->base) {
    const fm_node *a = t->seen;
    const fm_node *last = d->base.head ? d->base.tail : NULL;
    while (a != last) {
      a = a ? a->link : d->base.head;
      becomes_ready(d, t, a);
    }
    t->seen = last;
  } else if (d->base.head && fm__generation(d->base.tail) == d->serial) {
    becomes_ready(d, t, d->base.tail);
  } else if (top->head && fm__generation(top->tail) == d->serial) {
    becomes_ready(d, t, top->tail);
  }
}

void fm__trace_spawns(fm__runtime *d, void *from) {
  tracer *t = tracer_of(d);
  if (t)
    t->spawned_at = (uintptr_t)from;
}

void fm__trace_spawned(fm__runtime *d, const fm_node *a) {
  tracer *t = tracer_of(d);
  if (t && t->running)
    becomes_ready(d, t, a);
}

// ---- atomics and errors ----
void fm__trace_atomic(fm__runtime *d, bool begins) {
  tracer *t = tracer_of(d);
  if (t)
    t->form->atomic(d, t, fm__clock(), begins);
}

void fm__trace_failed(fm__runtime *d, bool cancelled) {
  tracer *t = tracer_of(d);
  if (t)
    t->how = cancelled ? FM__E_CANCELLED : FM__E_ERROR;
}

// ---- instants ----
static void note(fm__runtime *d, fm__note n) {
  tracer *t = d ? tracer_of(d) : NULL;
  if (t && n.number == FM__SELF)
    n.number = t->running;
  if (t)
    t->form->note(d, t, fm__clock(), &n);
}

void fm__trace_event(unsigned kind, const char *name, const char *more) {
  note(fm__runtime_here(),
       (fm__note){
           .kind = kind, .number = FM__SELF, .name = name, .more = more });
}

void fm__trace_throw(const char *type, const char *file, int line) {
  note(fm__runtime_here(),
       (fm__note){
           .kind = FM__N_THROW,
           .number = FM__SELF,
           .name = "throw ",
           .more = type,
           .file = file,
           .line = (uint64_t)line,
       });
}

// A scope counts as its owner.
static fm__note done_to(const fm_node *a, unsigned kind, const char *name) {
  bool region = a->word & FM__REGION;
  return (fm__note){
    .kind = kind,
    .number = fm__generation(region ? a->owner : a),
    .name = name,
    .more = region ? " of its scope" : "",
  };
}

void fm__trace_on(fm__runtime *d,
                  const fm_node *a,
                  unsigned kind,
                  const char *name) {
  note(d, done_to(a, kind, name));
}

void fm__trace_cancel(fm__runtime *d,
                      const fm_node *a,
                      struct fm_cancelled value) {
  fm__note n = done_to(a, FM__N_CANCEL, "cancel");
  n.by = value.by.node ? value.by.generation : 0;
  n.file = value.file;
  n.line = (uint64_t)value.line;
  note(d, n);
}

void fm__trace_name(fm__runtime *d, const fm_node *a) {
  tracer *t = tracer_of(d);
  if (t)
    t->form->name(d, t, a, fm__clock());
}

void fm_trace_mark(const char *format, ...) {
  char text[FM__TRACE_TEXT];
  va_list args;
  if (!fm__tracing())
    return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  note(fm__runtime_of(fm__here()),
       (fm__note){
           .kind = FM__N_MARK, .number = FM__SELF, .name = text, .more = "" });
}
