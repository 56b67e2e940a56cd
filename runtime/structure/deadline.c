// deadline.c: fm_cancel_after, fm_deadline: alarms that cancel an activity or scope.
//
// A scope knows its deadlines, and they end with it: usually a scope exists to have one. It has no
// room for a pointer, so `handles`, which a scope does not use otherwise, is an index into a table.
// The first deadline of a scope stays in the table when the scope has ended; the next scope that
// wants one takes it. The entry also has the clauses `catch each` of the scope (each.c).
//
// An activity does not know its deadlines, so that its end costs no more. Deadlines of ended
// activities are found and dropped now and then.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "fm.h"

typedef struct fm__deadline {
  fm_frame h; // only because frames are pooled
  fm__alarm timer;
  fm_activity target;
  union {
    struct {                            // a deadline of an activity
      struct fm__deadline *next, *prev; // in the list of all of these
    };
    struct {                      // a deadline of a scope
      struct fm__deadline *other; // the next one of the same scope
      // In the table, without a scope: the next such entry plus 1, or 0.
      uint32_t idle;
      bool past;   // it has come, or no scope has it
      bool is_own; // fm_deadline set it, and can move it
    };
  };
  // in the table: of the scope; without `start`: it has none
  fm__clauses clauses;
} deadline;

static const uint32_t no_lines[] = { 0 };
static const fm_code code = {
  .name = "fm_cancel_after",
  .file = "fermata",
  .lines = no_lines,
  .nstates = 1,
  .size = sizeof(deadline),
};

// ---- deadlines of scopes ----
static void table_grow(fm__runtime *d) {
  uint32_t more = d->scoped_room ? 2 * d->scoped_room : 64;
  deadline **table = fm__realloc(d->scoped, more * sizeof *table);
  if (!table)
    fm__out_of_memory("deadlines", "", more * sizeof *table);
  d->scoped = table;
  d->scoped_room = more;
}

static FM_COLD void make_idle_one(fm__runtime *d) {
  if (d->scoped_count == d->scoped_room)
    table_grow(d);
  deadline *dl = (deadline *)fm__frame_new(&d->c, &code);
  dl->idle = 0;
  dl->past = true;
  dl->other = NULL;
  dl->clauses.start = NULL;
  d->scoped[d->scoped_count++] = dl;
  d->scoped_idle = d->scoped_count;
}

static inline deadline *first_of(fm__runtime *d, const fm_node *s) {
  return d->scoped[s->handles - 1];
}

static FM_COLD deadline *one_more(fm__runtime *d, fm_node *s) {
  deadline *first = first_of(d, s);
  deadline *dl = (deadline *)fm__frame_new(&d->c, &code);
  dl->other = first->other;
  dl->past = dl->is_own = false;
  return first->other = dl;
}

static inline deadline *add_to_scope(fm__runtime *d, fm_node *s) {
  d->in_scopes++;
  if (fm__unlikely(s->handles))
    return one_more(d, s);
  if (fm__unlikely(!d->scoped_idle))
    make_idle_one(d);
  s->handles = d->scoped_idle;
  deadline *dl = first_of(d, s);
  d->scoped_idle = dl->idle;
  dl->past = dl->is_own = false;
  return dl;
}

static inline void end_one(fm__runtime *d, deadline *dl) {
  if (dl->past)
    return;
  fm__alarm_unset(d, &dl->timer);
  d->in_scopes--;
  dl->past = true;
}

static FM_COLD void end_others(fm__runtime *d, deadline *first) {
  for (deadline *dl; (dl = first->other);) {
    first->other = dl->other;
    end_one(d, dl);
    fm__frame_free(&d->c, &dl->h);
  }
}

void fm__deadlines_end(fm__runtime *d, fm_node *s) {
  deadline *dl = first_of(d, s);
  end_one(d, dl);
  if (fm__unlikely(dl->other))
    end_others(d, dl);
  dl->clauses.start = NULL;
  dl->idle = d->scoped_idle;
  d->scoped_idle = s->handles;
  s->handles = 0;
}

fm__clauses *fm__clauses_new(fm__runtime *d, fm_node *s) {
  deadline *dl = add_to_scope(d, s);
  dl->past = true; // it is none
  d->in_scopes--;
  return &dl->clauses;
}

const fm__clauses *fm__clauses_of(fm__runtime *d, const fm_node *s) {
  if (fm__likely(!s->handles) || s->word & FM__RACE)
    return NULL;
  const fm__clauses *k = &first_of(d, s)->clauses;
  return k->start ? k : NULL;
}

static void expire_scope(fm__runtime *d, fm__alarm *t) {
  deadline *dl = (deadline *)(void *)((char *)t - offsetof(deadline, timer));
  dl->past = true;
  d->in_scopes--;
  (fm_cancel)(dl->target);
}

static void drop_scoped(fm__runtime *d) {
  for (uint32_t i = 0; i < d->scoped_count; i++) {
    deadline *dl = d->scoped[i];
    end_one(d, dl);
    end_others(d, dl);
    fm__frame_free(&d->c, &dl->h);
  }
  fm__free(d->scoped);
  d->scoped = NULL;
  d->scoped_room = d->scoped_count = d->scoped_idle = 0;
}

// ---- deadlines of activities ----
static void remember(fm__runtime *d, deadline *dl) {
  dl->prev = NULL;
  if ((dl->next = d->loose_deadlines))
    dl->next->prev = dl;
  d->loose_deadlines = dl;
  d->loose++;
}

static void forget(fm__runtime *d, deadline *dl) {
  *(dl->prev ? &dl->prev->next : &d->loose_deadlines) = dl->next;
  if (dl->next)
    dl->next->prev = dl->prev;
  d->loose--;
  fm__frame_free(&d->c, &dl->h);
}

static void expire(fm__runtime *d, fm__alarm *t) {
  deadline *dl = (deadline *)(void *)((char *)t - offsetof(deadline, timer));
  fm_activity target = dl->target;
  forget(d, dl);
  (fm_cancel)(target);
}

static void prune(fm__runtime *d) {
  for (deadline *dl = d->loose_deadlines, *next; dl; dl = next) {
    next = dl->next;
    if (fm_alive(dl->target))
      continue;
    fm__alarm_unset(d, &dl->timer);
    forget(d, dl);
  }
}

// When their number has doubled, those of ended activities are dropped: constant time for each.
static deadline *add_loose(fm__runtime *d) {
  enum { FEW = 64 };
  deadline *dl = (deadline *)fm__frame_new(&d->c, &code);
  if (d->loose >= FEW && d->loose >= d->prune_at) {
    prune(d);
    d->prune_at = d->loose * 2;
  }
  remember(d, dl);
  return dl;
}

// Called only when there is nothing else to wait for.
bool fm__has_deadlines(fm__runtime *d) {
  prune(d);
  return d->in_scopes || d->loose;
}

// The scopes do not exist any more.
void fm__deadlines_drop(fm__runtime *d) {
  drop_scoped(d);
  while (d->loose_deadlines) {
    fm__alarm_unset(d, &d->loose_deadlines->timer);
    forget(d, d->loose_deadlines);
  }
  d->prune_at = 0;
}

// ---- both ----
void fm_cancel_after(fm_activity a, uint64_t ms) {
  fm__runtime *d = fm__runtime_of(fm__here());
  bool here = a.node && fm__runtime_of_node(a.node) == d;
  if (here ? !fm__is_valid(a.node, a.generation) || a.node->word & FM__ENDED
           : !fm_alive(a))
    return;
  bool scoped = here && a.node->word & FM__SCOPE;
  deadline *dl = scoped ? add_to_scope(d, a.node) : add_loose(d);
  dl->target = a;
  dl->timer.fire = scoped ? expire_scope : expire;
  fm__alarm_set_after(d, &dl->timer, fm__nanoseconds(ms));
}

// ---- the deadline of a scope, which can be moved ----
static fm_node *scope_named(fm_activity a) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (a.node && fm__runtime_of_node(a.node) != d)
    fm__fatal(d, "fm_deadline of a scope of another domain");
  if (!fm__is_valid(a.node, a.generation) || a.node->word & FM__ENDED)
    return NULL;
  if (!(a.node->word & FM__SCOPE))
    fm__fatal(d,
              "fm_deadline of an activity: only a scope has a deadline that "
              "can be moved; fm_cancel_after takes activities, too");
  return a.node;
}

static deadline *own_deadline(fm__runtime *d, const fm_node *s) {
  deadline *dl = s->handles ? first_of(d, s) : NULL;
  while (dl && !dl->is_own)
    dl = dl->other;
  return dl;
}

static void set_own(fm__runtime *d, fm_node *s, uint64_t ms) {
  deadline *dl = own_deadline(d, s);
  if (!dl)
    dl = add_to_scope(d, s);
  else if (dl->past)
    d->in_scopes++;
  else
    fm__alarm_unset(d, &dl->timer);
  dl->past = false;
  dl->is_own = true;
  dl->target = (fm_activity){ s, fm__generation(s) };
  dl->timer.fire = expire_scope;
  fm__alarm_set_after(d, &dl->timer, fm__nanoseconds(ms));
}

void fm_deadline(fm_activity scope, uint64_t ms) {
  fm_node *s = scope_named(scope);
  if (s)
    set_own(fm__runtime_of(fm__here()), s, ms);
}

void fm__scope_limit(fm_domain *c, uint64_t ms) {
  fm__runtime *d = fm__runtime_of(c);
  set_own(d, fm__innermost(d->current ? d->current : &d->host), ms);
}

void fm_no_deadline(fm_activity scope) {
  fm_node *s = scope_named(scope);
  fm__runtime *d = fm__runtime_of(fm__here());
  deadline *dl = s ? own_deadline(d, s) : NULL;
  if (dl)
    end_one(d, dl);
}

// ---- how much time is left ----
static uint64_t nearest_of_scope(fm__runtime *d, const fm_node *s) {
  uint64_t nearest = FM_FOREVER;
  for (deadline *dl = first_of(d, s); dl; dl = dl->other)
    if (!dl->past && dl->timer.deadline < nearest)
      nearest = dl->timer.deadline;
  return nearest;
}

static uint64_t nearest_of_activity(fm__runtime *d, const fm_node *a) {
  uint64_t nearest = FM_FOREVER;
  for (deadline *dl = d->loose_deadlines; dl; dl = dl->next)
    if (dl->target.node == a && fm__is_valid(a, dl->target.generation) &&
        dl->timer.deadline < nearest)
      nearest = dl->timer.deadline;
  return nearest;
}

uint64_t fm_time_left(fm_activity a) {
  fm__runtime *d = fm__runtime_of(fm__here());
  uint64_t nearest = FM_FOREVER;
  uint64_t now = fm__time(d);
  bool here = a.node && fm__runtime_of_node(a.node) == d;
  fm__alarms_settle(d, now);
  if (!here || !fm__is_valid(a.node, a.generation))
    return UINT64_MAX;
  for (const fm_node *n = a.node; n; n = n->parent) {
    uint64_t at = FM_FOREVER;
    if (n->word & FM__SCOPE && !(n->word & FM__RACE) && n->handles)
      at = nearest_of_scope(d, n);
    else if (!(n->word & FM__REGION) && d->loose_deadlines)
      at = nearest_of_activity(d, n);
    nearest = at < nearest ? at : nearest;
  }
  if (nearest == FM_FOREVER)
    return UINT64_MAX;
  enum { MS = 1000000 };
  return nearest <= now ? 0 : (nearest - now + MS - 1) / MS;
}
