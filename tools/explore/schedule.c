// schedule.c: schedules as text, `1/3.82>1/4 1/2.7>1`, and schedules that are as short as possible.
// explore-file.h explains the words.
#include "explore.h"

#include <stdlib.h>

// ---- from a run ----
uint64_t activity_hash(const fm__x_file *f, uint32_t who) {
  return who == FM__X_TIME ? FM__X_TIME_HASH : f->activities[who].hash;
}

Schedule schedule_made(Arena *a, const fm__x_file *f) {
  size_t n = f->made_count < FM__X_MADE ? f->made_count : FM__X_MADE;
  Schedule s = { .how = FM__X_DEFAULT, .count = n };
  s.given = arena_alloc(a, n * sizeof *s.given + 1);
  for (size_t i = 0; i < n; i++)
    s.given[i] = (fm__x_deviation){ activity_hash(f, f->made[i].after),
                                    activity_hash(f, f->made[i].next),
                                    f->made[i].number,
                                    0 };
  return s;
}

void activity_print(const fm__x_file *f, uint32_t who, Buf *to) {
  uint32_t by = who && who != FM__X_TIME ? f->activities[who].by : 0;
  if (by) {
    activity_print(f, by, to);
    buf_putc(to, '/');
  }
  if (who == FM__X_TIME)
    buf_putc(to, 't');
  else
    buf_printf(to, "%u", f->activities[who].number);
}

void schedule_print(const fm__x_file *f, Buf *to) {
  buf_add(to, "", 0);
  for (size_t i = 0; i < f->made_count && i < FM__X_MADE; i++) {
    buf_puts(to, i ? " " : "");
    activity_print(f, f->made[i].after, to);
    buf_printf(to, ".%u>", f->made[i].number);
    activity_print(f, f->made[i].next, to);
  }
}

// ---- from text ----
static bool read_number(const char **at, uint32_t *n) {
  char *end;
  if (**at < '0' || **at > '9')
    return false;
  *n = (uint32_t)strtoul(*at, &end, 10);
  *at = end;
  return true;
}

static bool read_activity(const char **at, uint64_t *hash) {
  uint32_t n;
  *hash = **at == 't' ? FM__X_TIME_HASH : 0;
  if (**at == 't') {
    ++*at;
    return true;
  }
  if (!read_number(at, &n))
    return false;
  if (n == 0)
    return true;
  *hash = fm__x_hash(0, n);
  while (**at == '/') {
    ++*at;
    if (!read_number(at, &n))
      return false;
    *hash = fm__x_hash(*hash, n);
  }
  return true;
}

static bool read_deviation(const char **at, fm__x_deviation *d) {
  if (!read_activity(at, &d->after) || *(*at)++ != '.')
    return false;
  if (!read_number(at, &d->number) || *(*at)++ != '>')
    return false;
  return read_activity(at, &d->next);
}

bool schedule_read(Arena *a, const char *text, Schedule *s) {
  size_t room = strlen(text) / 4 + 1; // "1.1>1" is the shortest
  *s = (Schedule){ .how = FM__X_DEFAULT };
  s->given = arena_alloc(a, room * sizeof *s->given);
  for (const char *at = text;;) {
    at += strspn(at, " ,\n");
    if (!*at)
      return true;
    const char *start = at;
    if (s->count == FM__X_MADE || !read_deviation(&at, &s->given[s->count++])) {
      complain("explore: '%.20s' in the schedule is no deviation; one looks "
               "like 1/3.82>1/4",
               start);
      return false;
    }
  }
}

// ---- short ones ----
typedef struct Shortening {
  Explore *x;
  Failure failure;
  Schedule best;
  size_t tries;
  uint64_t until; // runs that do not end take long
} Shortening;

enum { MOST_TRIES = 400, MOST_SECONDS = 15 };

static bool may_try(const Shortening *t) {
  return t->tries < MOST_TRIES && now_ns() < t->until;
}

// Without the deviations from `from` to `to`. true: it fails in the same way, and is the best now.
static bool try_without(Shortening *t, size_t from, size_t to) {
  Schedule s = { .how = FM__X_DEFAULT };
  s.given = arena_alloc(&t->x->arena, t->best.count * sizeof *s.given + 1);
  for (size_t i = 0; i < t->best.count; i++)
    if (i < from || i >= to)
      s.given[s.count++] = t->best.given[i];
  t->tries++;
  Failure f = run_whole(t->x, &t->x->slots[0], s, false);
  if (!same_failure(f, t->failure))
    return false;
  Schedule made = schedule_made(&t->x->arena, t->x->slots[0].file);
  t->best = made.count < s.count ? made : s;
  return true;
}

// Leaves out pieces: first halves, then smaller ones, at last single deviations.
static void shorten(Shortening *t) {
  size_t pieces = 2;
  while (t->best.count && may_try(t)) {
    size_t n = t->best.count;
    size_t size = (n + pieces - 1) / pieces;
    bool shorter = false;
    for (size_t from = 0; from < n && !shorter && may_try(t); from += size)
      shorter = try_without(t, from, from + size < n ? from + size : n);
    if (shorter)
      pieces = pieces > 2 ? pieces - 1 : 2;
    else if (size == 1)
      return;
    else
      pieces *= 2;
  }
}

Schedule schedule_shorten(Explore *x, Schedule s, Failure f, size_t *tries) {
  Shortening t = { x, f, s, 0, now_ns() + MOST_SECONDS * (uint64_t)1000000000 };
  shorten(&t);
  *tries = t.tries;
  return t.best;
}
