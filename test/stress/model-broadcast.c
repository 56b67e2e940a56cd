// stress: broadcasts against the model of model.h. Each subscriber has a list of its own of what it
// has not received, and a line. A publisher waits while a subscriber's list is full (FM_HOLD), or
// the oldest value of that list is lost and counted (FM_LOSE).
// env: FERMATA_DRIVER=virtual
// expect: ok
#include "model.h"
#include <fermata/sync.h>

enum { CASTS = 2, SUBS = 4, BACKLOG = 3 };
typedef fm_broadcast(uint64_t) cast;
typedef fm_subscriber(uint64_t) sub;
static cast casts[CASTS]; // the first one holds, the other one loses
static sub subs[SUBS];
static uint64_t published;

typedef struct Sub {
  bool on;
  int of;
  uint64_t list[BACKLOG], lost;
  int n;
  Line line;
} Sub;
static Sub model[SUBS];
static struct {
  Line publishers;
  uint64_t kept[BACKLOG];
  int n;
} model_cast[CASTS];
static int order[SUBS], norder; // subscribers that somebody waits for, as they came
static long lost, held;

// ---- the model ----
static void drop_first(uint64_t *list, int *n) {
  memmove(list, list + 1, (size_t)--*n * sizeof *list);
}

static void prune(void) {
  int n = 0;
  for (int i = 0; i < norder; i++)
    if (model[order[i]].line.first)
      order[n++] = order[i];
  norder = n;
}

static void enter_order(int k) {
  for (int i = 0; i < norder; i++)
    if (order[i] == k)
      return;
  order[norder++] = k;
}

static bool holds(int c) {
  for (int k = 0; k < SUBS; k++)
    if (c == 0 && model[k].on && model[k].of == c && model[k].n == BACKLOG)
      return true;
  return false;
}

// What a subscriber gets next, as one number.
static uint64_t next_value(Sub *s) {
  uint64_t v = s->list[0] * 1000 + s->lost;
  s->lost = 0;
  drop_first(s->list, &s->n);
  return v;
}

static void offer(int c, const Actor *by) {
  int waiting[SUBS], n = norder;
  memcpy(waiting, order, sizeof order);
  for (int i = 0; i < n; i++) {
    Sub *s = &model[waiting[i]];
    Wait *w = s->of == c ? first_but(&s->line, by) : NULL;
    if (s->of != c)
      continue;
    for (int k = 0; k < norder; k++)
      if (order[k] == waiting[i]) {
        memmove(order + k, order + k + 1, (size_t)(--norder - k) * sizeof *order);
        break;
      }
    if (w)
      serve(w, next_value(s));
    if (s->line.first)
      order[norder++] = waiting[i];
    prune();
  }
}

static void model_put(int c, uint64_t v, const Actor *by) {
  if (model_cast[c].n == BACKLOG)
    drop_first(model_cast[c].kept, &model_cast[c].n);
  model_cast[c].kept[model_cast[c].n++] = v;
  for (int k = 0; k < SUBS; k++) {
    Sub *s = &model[k];
    if (!s->on || s->of != c)
      continue;
    if (s->n == BACKLOG) {
      drop_first(s->list, &s->n);
      s->lost++;
      lost++;
    }
    s->list[s->n++] = v;
  }
  offer(c, by);
}

static void let_in(int c, const Actor *by) {
  Wait *w;
  while (!holds(c) && (w = first_but(&model_cast[c].publishers, by))) {
    uint64_t v = w->value;
    serve(w, 0);
    prune();
    model_put(c, v, by);
  }
}

static bool model_hear(int k, uint64_t *v, const Actor *by) {
  if (!model[k].n)
    return false;
  *v = next_value(&model[k]);
  let_in(model[k].of, by);
  return true;
}

// ---- operations ----
static void begin_hear(Actor *a, int arm, int k) {
  uint64_t v;
  if (model_hear(k, &v, a)) {
    at_once(a, arm, v);
    prune();
    return;
  }
  wait_in(a, arm, &model[k].line, 0);
  if (a->state == WAITS)
    enter_order(k);
}

static void begin_publish(Actor *a, int arm, int c, uint64_t v) {
  if (holds(c) || model_cast[c].publishers.first) {
    held++;
    wait_in(a, arm, &model_cast[c].publishers, v);
    return;
  }
  at_once(a, arm, 0);
  prune();
  model_put(c, v, a);
}

static async void publish_one(Actor *a, int c) throws(struct fm_closed) {
  uint64_t v = ++published;
  defer over(a);
  begin(a);
  begin_publish(a, 0, c, v);
  fm_publish(&casts[c], v);
  ended(a, 0, 0);
}

static async uint64_t heard(sub *s) throws(struct fm_closed) {
  uint64_t v = fm_hear(s);
  return v * 1000 + fm_missed(s);
}

static async void hear_one(Actor *a, int k) throws(struct fm_closed) {
  defer over(a);
  begin(a);
  begin_hear(a, 0, k);
  uint64_t v = heard(&subs[k]);
  ended(a, 0, v);
}

static async void hear_any(Actor *a, int k, int other) throws(struct fm_closed) {
  unsigned ms = draw(4);
  defer over(a);
  if (begin_race(a, ms)) {
    begin_hear(a, 0, k);
    if (undecided(a))
      begin_hear(a, 1, other);
  }
  if (ms) {
    race {
    case uint64_t v = heard(&subs[k]): ended(a, 0, v);
    case uint64_t v = heard(&subs[other]): ended(a, 1, v);
    case fm_sleep(ms): ended(a, ALARM, 0);
    }
  } else {
    race {
    case uint64_t v = heard(&subs[k]): ended(a, 0, v);
    case uint64_t v = heard(&subs[other]): ended(a, 1, v);
    }
  }
}

static async void hear_or_publish(Actor *a, int k, int c) throws(struct fm_closed) {
  unsigned ms = 1 + draw(3);
  uint64_t p = ++published;
  defer over(a);
  if (begin_race(a, ms)) {
    begin_publish(a, 0, c, p);
    if (undecided(a))
      begin_hear(a, 1, k);
  }
  race {
  case fm_publish(&casts[c], p): ended(a, 0, 0);
  case uint64_t v = heard(&subs[k]): ended(a, 1, v);
  case fm_sleep(ms): ended(a, ALARM, 0);
  }
}

static void try_some(int k, int c) {
  uint64_t v = 0, w = 0;
  settle();
  if (draw(2)) {
    bool ok = model_hear(k, &w, NULL);
    CHECK(fm_try_hear(&subs[k], &v) == ok, "fm_try_hear");
    CHECK(!ok || v * 1000 + fm_missed(&subs[k]) == w, "its value");
    return;
  }
  bool ok = !holds(c) && !model_cast[c].publishers.first;
  v = ++published;
  if (ok)
    model_put(c, v, NULL);
  CHECK(fm_try_publish(&casts[c], v) == ok, "fm_try_publish");
}

static void subscribe(int k, int c) {
  Sub *s = &model[k];
  int n = (int)draw(BACKLOG + 2);
  if (n > model_cast[c].n)
    n = model_cast[c].n;
  *s = (Sub){ .on = true, .of = c, .n = n };
  memcpy(s->list, model_cast[c].kept + model_cast[c].n - n, (size_t)n * sizeof *s->list);
  fm_subscriber_init(&subs[k], &casts[c], (size_t)n);
}

static void subscribe_anew(int k) {
  settle();
  if (model[k].line.first)
    return;
  int was = model[k].of;
  model[k].on = false;
  let_in(was, NULL);
  fm_subscriber_free(&subs[k]);
  subscribe(k, (int)draw(CASTS));
}

static async void step_or_closed(Actor *a) throws(struct fm_closed) {
  int k = (int)draw(SUBS), c = (int)draw(CASTS);
  switch (draw(12)) {
  case 0: case 1: case 2: hear_one(a, k); break;
  case 3: case 4: hear_any(a, k, (int)draw(SUBS)); break;
  case 5: hear_or_publish(a, k, c); break;
  case 6: subscribe_anew(k); break;
  case 7: try_some(k, c); break;
  default: publish_one(a, c); break;
  }
}

static async void step(Actor *a) {
  try {
    step_or_closed(a);
  } catch (struct fm_closed e) {
    CHECK(false, "nobody closes it");
  }
}

static async void play(void) {
  for (int c = 0; c < CASTS; c++)
    fm_broadcast_init(&casts[c], BACKLOG, c ? FM_LOSE : FM_HOLD);
  for (int k = 0; k < SUBS; k++)
    subscribe(k, k % CASTS);
  on_left = prune;
  catch_up = prune;
  drive();
  for (int k = 0; k < SUBS; k++)
    fm_subscriber_free(&subs[k]);
  for (int c = 0; c < CASTS; c++) {
    CHECK(fm_broadcast_subscribers(&casts[c]) == 0, "subscribers are left");
    fm_broadcast_free(&casts[c]);
  }
  CHECK((lost && held) || done_ops < 1000, "nothing was lost, or held");
}
