// stress: timers with a period, and time limits, against models. An activity ticks at random:
// early, late, in races and scopes that cut it short; the model is the next moment that it has not
// been given. A call has limits around it, of fm_within and of scopes whose deadlines are moved and
// removed: the model is the earliest of them, the outer one of two that are equal. All of it is
// cancelled at random.
//     ticks OPERATIONS SEED
// env: FERMATA_DRIVER=virtual
// expect: ok
#include <fermata.h>
#include <fermata/time.h>

#include <stdlib.h>

#include "random-checks.h"

#pragma fermata auto_yield off

enum { ACTORS = 8, MS = 1000000, DEPTH = 4 };
static long budget;
static long done_ops;

// ---- ticks ----
typedef struct {
  fm_timer timer;
  uint64_t period, next;
  fm_late late;
} Ticker;

static async void tick(Ticker *t) {
  uint64_t now = fm_now();
  fm_tick(&t->timer);
  if (now < t->next) {
    check(fm_now() == t->next && t->timer.missed == 0, "a tick at its moment", done_ops);
    t->next += t->period;
    return;
  }
  uint64_t more = (now - t->next) / t->period;
  check(fm_now() == now && t->timer.missed == more, "a tick that is late", done_ops);
  if (t->late == FM_SKIP)
    t->next += (more + 1) * t->period;
  else if (t->late == FM_CATCH_UP)
    t->next += t->period;
  else
    t->next = now + t->period;
}

static async void tick_somehow(Ticker *t) {
  switch (draw(4)) {
  case 0: tick(t); break;
  case 1:
    scope (s) {
      fm_deadline(s, draw(9));
      tick(t);
    } else {
      done_ops++;
    }
    break;
  case 2:
    race {
    case tick(t): break;
    case fm_sleep(draw(9)): break;
    }
    break;
  default: fm_sleep(draw(20)); break;
  }
}

static async void tick_for_a_while(void) {
  uint64_t ms = 1 + draw(6);
  Ticker t = { .late = (fm_late)draw(3), .period = ms * MS };
  t.timer = fm_every_with(ms, t.late);
  t.next = fm_now() + t.period;
  for (int i = (int)draw(30); i > 0; i--) {
    done_ops++;
    tick_somehow(&t);
  }
}

// ---- limits ----
typedef struct {
  int depth;
  uint64_t begun;
  uint64_t at[DEPTH]; // the moment of each limit, from outside; UINT64_MAX: none
  uint64_t ends;      // when the call is over by itself
  bool in_time;
} Limits;

// The level of the limit that comes first; -1: the call ends before.
static int first_limit(const Limits *l) {
  int first = -1;
  for (int i = 0; i < l->depth; i++)
    if (l->at[i] < l->ends && (first < 0 || l->at[i] < l->at[first]))
      first = i;
  return first;
}

static async int call_limited(Limits *l, int level);

static async int call_in_scope(Limits *l, int level) {
  int r = -2;
  scope (s) {
    uint64_t ms = 2 * (1 + draw(6));
    fm_deadline(s, ms);
    if (draw(2))
      fm_deadline(s, ms = 2 * (1 + draw(8)));
    l->at[level] = l->begun + ms * MS;
    if (!draw(4)) {
      fm_no_deadline(s);
      l->at[level] = UINT64_MAX;
    }
    uint64_t nearest = UINT64_MAX;
    for (int i = 0; i <= level; i++)
      nearest = l->at[i] < nearest ? l->at[i] : nearest;
    if (nearest != UINT64_MAX)
      check(fm_time_left(s) == (nearest - l->begun) / MS, "fm_time_left", done_ops);
    r = call_limited(l, level + 1);
  } else {
    check(first_limit(l) == level && fm_now() == l->at[level], "else of a scope", done_ops);
  }
  return r;
}

static async int call_within(Limits *l, int level) {
  uint64_t ms = 2 * (1 + draw(8));
  l->at[level] = l->begun + ms * MS;
  try {
    return fm_within(ms, call_limited(l, level + 1));
  } catch (struct fm_timeout e) {
    check(e.ms == ms && first_limit(l) == level, "another limit", done_ops);
    check(fm_now() == l->at[level], "not at its moment", done_ops);
  }
  return -2;
}

static async int call_limited(Limits *l, int level) {
  if (level == l->depth) {
    uint64_t ms = 1 + 2 * draw(8);
    l->ends = l->begun + ms * MS;
    fm_sleep(ms);
    check(first_limit(l) < 0 && fm_now() == l->ends, "it was not cut short", done_ops);
    l->in_time = true;
    return 7;
  }
  return draw(2) ? call_within(l, level) : call_in_scope(l, level);
}

static async void limit_once(void) {
  Limits l = { .depth = 1 + (int)draw(DEPTH), .begun = fm_now() };
  done_ops++;
  int r = call_limited(&l, 0);
  check(l.in_time ? r == 7 : r == -2, "a result", done_ops);
}

// ---- actors ----
static async void act(void) {
  for (;;) {
    if (draw(2))
      tick_for_a_while();
    else
      limit_once();
    if (draw(2))
      yield;
    else
      fm_checkpoint();
  }
}

async int main(int argc, char **argv) {
  budget = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2862933555777941757u + 1 : 1;
  task(void) actors[ACTORS];
  for (int i = 0; i < ACTORS; i++)
    actors[i] = spawn act();
  while (done_ops < budget) {
    fm_sleep(1 + draw(40));
    int i = (int)draw(ACTORS);
    fm_cancel(fm_id(actors[i]));
    fm_join(fm_id(actors[i]));
    fm_detach(actors[i]);
    actors[i] = spawn act();
  }
  for (int i = 0; i < ACTORS; i++) {
    fm_cancel(fm_id(actors[i]));
    fm_join(fm_id(actors[i]));
    fm_detach(actors[i]);
  }
  printf("ok\n");
  return 0;
}
