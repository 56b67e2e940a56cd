// search.c: the traces of a program: the one of the order of the queue; the set of all of them; and
// whether a trace is one of them, or which of them is the closest.
#include "search.h"

#include <stdlib.h>
#include <string.h>

bool search_fifo(const Program *p, State *m) {
  machine.tick = false;
  machine_start(m, p);
  machine_advance(m, false);
  return machine.trouble == FINE;
}

// ---- states that were seen ----
typedef struct Seen {
  uint64_t *slot;
  size_t size, count;
} Seen;

static bool seen_add(Seen *s, uint64_t h) {
  size_t at;
  h |= !h;
  for (at = h & (s->size - 1); s->slot[at]; at = (at + 1) & (s->size - 1))
    if (s->slot[at] == h)
      return false;
  s->slot[at] = h;
  s->count++;
  return true;
}

enum { MAX_CHOICES = 2000 };
typedef struct Search {
  Seen seen;
  size_t limit;
  const Trace *wanted; // only states whose trace is a beginning of this one
  bool found;
  void (*outcome)(const State *m, void *arg);
  void *arg;
  bool gave_up;
  Closest *closest; // NULL: it is not wanted
  int choice[MAX_CHOICES + 1], choices; // those that led there
  int path[MAX_CHOICES + 1];
} Search;

static bool fits(const State *m, const Trace *t) {
  if (m->traced > t->count)
    return false;
  for (int i = 0; i < m->traced; i++)
    if (m->trace[i].place != t->token[i].place || m->trace[i].value != t->token[i].value)
      return false;
  return true;
}

int agreement(const State *m, const Trace *t) {
  int i = 0;
  while (i < m->traced && i < t->count && m->trace[i].place == t->token[i].place &&
         m->trace[i].value == t->token[i].value)
    i++;
  return i;
}

static void note_next(Closest *c, int place, int value) {
  for (int i = 0; i < c->nexts; i++)
    if (c->next[i].place == place && c->next[i].value == value)
      return;
  if (c->nexts == MAX_NEXT)
    return;
  c->next[c->nexts].place = place;
  c->next[c->nexts++].value = value;
}

static void note_closest(Search *s, const State *m, int depth) {
  Closest *c = s->closest;
  int n = agreement(m, s->wanted);
  if (!c || n < c->agrees)
    return;
  if (n > c->agrees || !s->choices)
    memcpy(s->choice, s->path, sizeof *s->path * (size_t)(s->choices = depth));
  if (n > c->agrees)
    c->nexts = 0;
  c->agrees = n;
  if (n < m->traced)
    note_next(c, m->trace[n].place, m->trace[n].value);
}

static void explore(Search *s, State *m, int depth) {
  int n = machine_advance(m, true);
  if (machine.trouble || s->found)
    return;
  if (s->wanted)
    note_closest(s, m, depth);
  if (s->wanted && !fits(m, s->wanted))
    return;
  if (!n) {
    if (s->wanted)
      s->found = m->traced == s->wanted->count;
    else
      s->outcome(m, s->arg);
    return;
  }
  if (!seen_add(&s->seen, machine_hash(m)))
    return;
  if (s->seen.count >= s->limit || depth == MAX_CHOICES) {
    s->gave_up = true;
    return;
  }
  State *copy = malloc(sizeof *copy);
  if (!copy)
    abort();
  for (int i = 0; i < n && !s->found && !s->gave_up && !machine.trouble; i++) {
    *copy = *m;
    machine_choose(copy, i);
    s->path[depth] = i;
    explore(s, copy, depth + 1);
  }
  free(copy);
}

static Search search_new(size_t limit) {
  Search s = { .limit = limit };
  for (s.seen.size = 1024; s.seen.size < 2 * limit; s.seen.size *= 2)
    ;
  s.seen.slot = calloc(s.seen.size, sizeof *s.seen.slot);
  if (!s.seen.slot)
    abort();
  return s;
}

static void run(Search *s, const Program *p, bool tick) {
  State *m = malloc(sizeof *m);
  if (!m)
    abort();
  machine.tick = tick;
  machine_start(m, p);
  explore(s, m, 0);
  free(m);
  free(s->seen.slot);
}

Answer search_member(const Program *p, const Trace *t, bool tick, size_t limit) {
  Search s = search_new(limit);
  s.wanted = t;
  run(&s, p, tick);
  if (s.found)
    return YES;
  return s.gave_up || machine.trouble == TOO_LARGE ? UNKNOWN : NO;
}

Closest search_closest(const Program *p, const Trace *t, bool tick, size_t limit, State *m) {
  Closest c = { 0 };
  Search s = search_new(limit);
  s.wanted = t;
  s.closest = &c;
  bool log = machine.log;
  machine.log = false;
  run(&s, p, tick);
  machine.log = log;
  machine_start(m, p);
  for (int i = 0; i < s.choices; i++) {
    machine_advance(m, true);
    machine_choose(m, s.choice[i]);
  }
  machine_advance(m, true);
  return c;
}

bool search_all(const Program *p,
                bool tick,
                size_t limit,
                void (*outcome)(const State *m, void *arg),
                void *arg) {
  Search s = search_new(limit);
  s.outcome = outcome;
  s.arg = arg;
  run(&s, p, tick);
  return !s.gave_up && !machine.trouble;
}
