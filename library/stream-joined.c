// stream-joined.c: operators whose inputs run by themselves, because they wait for several inputs
// at once, or for time (stream-hub.c).
#include "stream.h"

#include <string.h>

typedef struct Joined {
  fm__hub hub;
  bool started;
  bool outer_over; // of …_map: the first input has ended
  size_t live;     // inputs that have not ended
  // of the two inputs; in …_map: the outer one; the inner one, or in merge_map an outer one that
  // waits
  fm__pump *pump[2];
  bool has[2]; // that input has a value, or one is pending
  char *value[2];
  // debounce: when the pending value came; timeout: since when the operator waits for a value
  uint64_t at;
  fm_error *error; // debounce: thrown after the pending value
} Joined;

static Joined *joined(fm__cursor *c) {
  return (Joined *)(void *)c->state;
}

static async fm__pump *start(fm__cursor *c, size_t i) {
  Joined *j = joined(c);
  fm__pump *p =
      fm__pump_new(&j->hub, fm__stream_keep(c->seen.of->in[i]), (unsigned)i);
  if (i < 2) {
    j->pump[i] = p;
    j->value[i] = fm__stream_memory(p->size);
  }
  fm__pump_start(p);
  return p;
}

static bool begins(fm__cursor *c) {
  Joined *j = joined(c);
  bool first = !j->started;
  if (first)
    fm__hub_init(&j->hub, c);
  j->started = true;
  return first;
}

static async bool ends(fm__cursor *c) {
  fm__hub_close(&joined(c)->hub);
  return false;
}

static async void joined_close(fm__cursor *c) {
  fm__hub_close(&joined(c)->hub);
  fm__stream_free(joined(c)->value[0]);
  fm__stream_free(joined(c)->value[1]);
  fm__error_unheard(joined(c)->error);
}

#define JOINED(what, next_)                               \
  {                                                       \
    .name = what, .state = sizeof(Joined), .next = next_, \
    .close = joined_close                                 \
  }

// ---- merge ----
// While all inputs have values without a wait (fm__kind.ready), the operator itself pulls them, in
// turn. When one of them would have to wait, all go on in pumps.
typedef struct Merge {
  Joined joined; // the first member
  size_t *
      next; // a ring of the inputs that the operator pulls: after each, which one follows
  size_t last; // the one that had its turn
  size_t own;  // how many there are
} Merge;

static Merge *merge(fm__cursor *c) {
  return (Merge *)(void *)c->state;
}

static bool merge_ready(fm__cursor *c, void *out) {
  Merge *m = merge(c);
  if (m->own) {
    size_t i = m->next[m->last];
    if (!fm__cursor_ready(c->in[i], out))
      return false;
    m->last = i;
    return true;
  }
  fm__pump *p = fm__hub_ready(&m->joined.hub);
  if (!p)
    return false;
  fm__pump_take(p, out);
  return true;
}

static bool all_ready(const fm__stream *s) {
  for (size_t i = 0; i < s->inputs; i++)
    if (!s->in[i]->kind->ready)
      return false;
  return true;
}

static async void begin_merge(fm__cursor *c) {
  Merge *m = merge(c);
  bool own = all_ready(c->seen.of);
  m->joined.live = c->inputs;
  m->own = own ? c->inputs : 0;
  m->last = c->inputs - 1;
  m->next = fm__stream_memory((m->own + 1) * sizeof *m->next);
  for (size_t i = 0; i < c->inputs; i++) {
    if (!own) {
      start(c, i);
      continue;
    }
    c->in[i] = fm__cursor_again(c->seen.of->in[i], c);
    m->next[i] = i + 1 < c->inputs ? i + 1 : 0;
  }
}

static async void go_on_in_pump(fm__cursor *c, size_t i) {
  fm__stream *of = fm__stream_keep(c->seen.of->in[i]);
  fm__pump *p = fm__pump_new(&joined(c)->hub, of, (unsigned)i);
  p->from = c->in[i];
  c->in[i] = NULL;
  fm__pump_start(p);
}

// The next one of the ring has no value that is ready. It has ended, or all go on in pumps.
static async void leave_ring(fm__cursor *c) {
  Merge *m = merge(c);
  size_t i = m->next[m->last];
  if (c->seen.of->in[i]->kind->never_waits) {
    m->next[m->last] = m->next[i];
    m->own--;
    m->joined.live--;
    fm__cursor_end(c, i);
    return;
  }
  for (; m->own; m->own--, i = m->next[i])
    go_on_in_pump(c, i);
}

static async bool merge_next(fm__cursor *c, void *out) throws(fm_error) {
  Merge *m = merge(c);
  if (begins(c))
    begin_merge(c);
  while (m->joined.live) {
    if (merge_ready(c, out))
      return true;
    if (m->own) {
      leave_ring(c);
      continue;
    }
    fm__pump *p = fm__hub_wait(&m->joined.hub);
    if (p->state == FM__PUMP_FULL) {
      fm__pump_take(p, out);
      return true;
    }
    m->joined.live--;
  }
  return false;
}

static async void merge_close(fm__cursor *c) {
  joined_close(c);
  fm__stream_free(merge(c)->next);
}

static const fm__kind merge_kind = {
  .name = "merge",
  .state = sizeof(Merge),
  .next = merge_next,
  .ready = merge_ready,
  .close = merge_close,
};

fm__stream *fm__stream_merge(size_t size, const void *ins, size_t n) {
  return fm__stream_several(&merge_kind, size, ins, n);
}

// ---- operators on two inputs ----
static fm__stream *
of_two(const fm__kind *kind, fm__stream *a, fm__stream *b, size_t size) {
  fm__stream *s = fm__stream_new(kind, size, 2);
  s->in[0] = fm__stream_owned(a);
  s->in[1] = fm__stream_owned(b);
  return s;
}

static async void start_two(fm__cursor *c) {
  if (!begins(c))
    return;
  start(c, 0);
  start(c, 1);
}

static async bool zip_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  start_two(c);
  while (!j->has[0] || !j->has[1]) {
    fm__pump *p = fm__hub_wait(&j->hub);
    if (p->state == FM__PUMP_ENDED)
      return ends(c);
    j->has[p->tag] = true;
  }
  fm__use(c->seen.of, j->pump[0]->value, j->pump[1]->value, out);
  for (int i = 0; i < 2; i++) {
    j->has[i] = false;
    fm__pump_taken(j->pump[i]);
  }
  return true;
}

static const fm__kind zip_kind = JOINED("zip", zip_next);

fm__stream *
fm__stream_zip(fm__stream *a, fm__stream *b, size_t size, const fm__user *f) {
  return fm__with(of_two(&zip_kind, a, b, size), f);
}

static async bool combine_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  start_two(c);
  while (j->live < 2) { // here: how many have ended
    fm__pump *p = fm__hub_wait(&j->hub);
    if (p->state == FM__PUMP_ENDED) {
      j->live++;
      if (!j->has[p->tag])
        return ends(c);
      continue;
    }
    fm__pump_take(p, j->value[p->tag]);
    j->has[p->tag] = true;
    if (!j->has[0] || !j->has[1])
      continue;
    fm__use(c->seen.of, j->value[0], j->value[1], out);
    return true;
  }
  return false;
}

static const fm__kind combine_kind = JOINED("combine_latest", combine_next);

fm__stream *fm__stream_combine_latest(fm__stream *a,
                                      fm__stream *b,
                                      size_t size,
                                      const fm__user *f) {
  return fm__with(of_two(&combine_kind, a, b, size), f);
}

static async bool until_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  if (begins(c)) {
    start(c, 1);
    start(c, 0);
  }
  for (;;) {
    fm__pump *p = fm__hub_wait(&j->hub);
    // Nothing stops it then.
    if (p->tag == 1 && p->state == FM__PUMP_ENDED)
      continue;
    if (p->tag == 1 || p->state == FM__PUMP_ENDED)
      return ends(c);
    fm__pump_take(p, out);
    return true;
  }
}

static const fm__kind until_kind = JOINED("take_until", until_next);

fm__stream *fm__stream_take_until(fm__stream *in, fm__stream *stop) {
  return of_two(&until_kind, in, stop, fm__stream_owned(in)->size);
}

// ---- switch_map, merge_map ----
static async fm__pump *start_inner(fm__cursor *c, fm__pump *outer)
    throws(fm_error) {
  Joined *j = joined(c);
  fm__stream *made = NULL;
  fm__pump_take(outer, j->value[0]);
  fm__use(c->seen.of, j->value[0], NULL, &made);
  fm__pump *p = fm__pump_new(&j->hub, made, 1);
  fm__pump_start(p);
  return p;
}

// Of switch_map.
static async void end_inner(fm__cursor *c) {
  fm__pump *p = joined(c)->pump[1];
  joined(c)->pump[1] = NULL;
  if (p)
    fm__pump_close(p);
}

static async bool switch_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  if (begins(c))
    start(c, 0);
  do {
    fm__pump *p = fm__hub_wait(&j->hub);
    bool inner = p->tag == 1;
    bool full = p->state == FM__PUMP_FULL;
    if (inner && full) {
      fm__pump_take(p, out);
      return true;
    }
    if (inner || full)
      end_inner(c);
    if (!inner && full)
      j->pump[1] = start_inner(c, p);
    else if (!inner)
      j->outer_over = true;
  } while (!j->outer_over || j->pump[1]);
  return false;
}

static const fm__kind switch_kind = JOINED("switch_map", switch_next);

fm__stream *fm__stream_switch_map(fm__stream *in,
                                  size_t size,
                                  uint64_t unused,
                                  const fm__user *f) {
  (void)unused;
  return fm__with(fm__stream_on(&switch_kind, size, in), f);
}

static async bool merge_map_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  uint64_t limit = c->seen.of->number;
  if (begins(c))
    start(c, 0);
  do {
    fm__pump *p = j->live < limit ? j->pump[1] : NULL;
    if (p)
      j->pump[1] = NULL;
    else
      p = fm__hub_wait(&j->hub);
    bool full = p->state == FM__PUMP_FULL;
    if (p->tag == 1 && full) {
      fm__pump_take(p, out);
      return true;
    }
    if (p->tag == 1) {
      fm__pump_close(p);
      j->live--;
    } else if (!full) {
      j->outer_over = true;
    } else if (limit && j->live == limit) {
      // It waits with its value until an inner one has ended.
      j->pump[1] = p;
    } else {
      start_inner(c, p);
      j->live++;
    }
  } while (!j->outer_over || j->live);
  return false;
}

static const fm__kind merge_map_kind = JOINED("merge_map", merge_map_next);

fm__stream *fm__stream_merge_map(fm__stream *in,
                                 size_t size,
                                 uint64_t limit,
                                 const fm__user *f) {
  fm__stream *s = fm__with(fm__stream_on(&merge_map_kind, size, in), f);
  s->number = limit;
  return s;
}

static async bool exhaust_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  if (begins(c))
    start(c, 0);
  do {
    fm__pump *p = fm__hub_wait(&j->hub);
    bool full = p->state == FM__PUMP_FULL;
    if (p->tag == 1 && full) {
      fm__pump_take(p, out);
      return true;
    }
    if (p->tag == 1)
      end_inner(c);
    else if (!full)
      j->outer_over = true;
    else if (j->pump[1])
      fm__pump_taken(p); // drops the value
    else
      j->pump[1] = start_inner(c, p);
  } while (!j->outer_over || j->pump[1]);
  return false;
}

static const fm__kind exhaust_kind = JOINED("exhaust_map", exhaust_next);

fm__stream *fm__stream_exhaust_map(fm__stream *in,
                                   size_t size,
                                   uint64_t unused,
                                   const fm__user *f) {
  (void)unused;
  return fm__with(fm__stream_on(&exhaust_kind, size, in), f);
}

// ---- operators of which an input is loose: they know its newest value ----
// Takes a newer value of a loose input, if there is one. Returns whether there was.
static bool pend(Joined *j, fm__pump *p) {
  if (!p->fresh)
    return false;
  fm__pump_take(p, j->value[p->tag]);
  j->at = p->at;
  return j->has[p->tag] = true;
}

static async bool with_latest_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  if (begins(c)) {
    start(c, 1)->loose = true;
    start(c, 0);
  }
  for (;;) {
    fm__pump *p = fm__hub_wait(&j->hub);
    if (p->tag == 1) {
      pend(j, p);
      continue;
    }
    if (p->state == FM__PUMP_ENDED)
      return ends(c);
    fm__pump_take(p, j->value[0]);
    if (!j->has[1])
      continue;
    fm__use(c->seen.of, j->value[0], j->value[1], out);
    return true;
  }
}

static const fm__kind with_latest_kind =
    JOINED("with_latest_from", with_latest_next);

fm__stream *fm__stream_with_latest_from(fm__stream *a,
                                        fm__stream *b,
                                        size_t size,
                                        const fm__user *f) {
  return fm__with(of_two(&with_latest_kind, a, b, size), f);
}

static async bool sample_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  if (begins(c)) {
    start(c, 0)->loose = true;
    start(c, 1);
  }
  for (;;) {
    fm__pump *p = fm__hub_wait(&j->hub);
    bool over = p->state == FM__PUMP_ENDED;
    if (p->tag == 0 && over)
      return ends(c);
    if (p->tag == 0)
      pend(j, p);
    if (p->tag == 0 || over)
      continue;
    fm__pump_taken(p);
    if (!j->has[0])
      continue;
    j->has[0] = false;
    memcpy(out, j->value[0], c->seen.of->size);
    return true;
  }
}

static const fm__kind sample_kind = JOINED("sample", sample_next);

fm__stream *fm__stream_sample(fm__stream *in, fm__stream *when) {
  return of_two(&sample_kind, in, when, fm__stream_owned(in)->size);
}

// ---- timeout ----
static async bool timeout_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  uint64_t ms = c->seen.of->ms;
  if (begins(c)) {
    j->hub.timed = true;
    j->at = fm_now();
    start(c, 0);
  }
  fm__pump *p = fm__hub_wait_until(&j->hub, fm__moment_after(j->at, ms));
  if (!p)
    throw(struct fm_timeout){ ms };
  if (p->state == FM__PUMP_ENDED)
    return false;
  fm__pump_take(p, out);
  j->at = fm_now(); // the input goes on now
  return true;
}

static const fm__kind timeout_kind = JOINED("timeout", timeout_next);

static fm__stream *timed(const fm__kind *kind, fm__stream *in, uint64_t ms) {
  fm__stream *s = fm__stream_like(kind, in);
  s->ms = ms;
  return s;
}

fm__stream *fm__stream_timeout(fm__stream *in, uint64_t ms) {
  return timed(&timeout_kind, in, ms);
}

// ---- debounce: value[0] is pending since `at` ----

// The next pump of the line; NULL: the pending value has waited long enough, or the input has
// failed after it.
static async fm__pump *debounce_wait(fm__cursor *c) throws(fm_error) {
  Joined *j = joined(c);
  try {
    return j->has[0]
               ? fm__hub_wait_until(&j->hub,
                                    fm__moment_after(j->at, c->seen.of->ms))
               : fm__hub_wait(&j->hub);
  } catch (fm_error *e) {
    if (!pend(j, j->pump[0]) && !j->has[0])
      throw;
    j->error = fm__error_share(e);
    j->outer_over = true;
  }
  return NULL;
}

static async bool debounce_next(fm__cursor *c, void *out) throws(fm_error) {
  Joined *j = joined(c);
  fm__stream_throw_kept(&j->error);
  if (begins(c)) {
    j->hub.timed = true;
    start(c, 0);
    j->pump[0]->loose = true;
  }
  while (!j->outer_over) {
    fm__pump *p = debounce_wait(c);
    if (!p)
      break;
    j->outer_over = p->state == FM__PUMP_ENDED;
    pend(j, p);
  }
  if (!j->has[0])
    return false;
  j->has[0] = false;
  memcpy(out, j->value[0], c->seen.of->size);
  return true;
}

static const fm__kind debounce_kind = JOINED("debounce", debounce_next);

fm__stream *fm__stream_debounce(fm__stream *in, uint64_t ms) {
  return timed(&debounce_kind, in, ms);
}

// ---- generate, hold: values come through a channel, which the pump closes at its end ----
typedef struct Hold {
  Joined joined;
  fm__chan ring;
} Hold;

static async bool take_from_ring(fm__cursor *c, void *out) throws(fm_error) {
  Hold *h = (Hold *)(void *)c->state;
  fm__waiter w;
  try {
    fm__chan_recv(&h->ring, out, &w, c->seen.of->size, FM__FAR_FROM(&w, out));
    return true;
  } catch (struct fm_closed closed) {
    (void)closed;
  }
  fm__hub_wait(&h->joined.hub); // throws, if it has failed
  return false;
}

static bool ring_ready(fm__cursor *c, void *out) {
  Hold *h = (Hold *)(void *)c->state;
  bool full = h->ring.tail != h->ring.head || h->ring.senders.first;
  return h->joined.started && full && fm__chan_take(&h->ring, out);
}

static fm__chan *ring_of(fm__cursor *c) {
  Hold *h = (Hold *)(void *)c->state;
  return h->joined.started && !h->ring.closed ? &h->ring : NULL;
}

static async bool generate_next(fm__cursor *c, void *out) throws(fm_error) {
  Hold *h = (Hold *)(void *)c->state;
  if (begins(c)) {
    fm__chan_init(&h->ring, c->seen.of->size, 0);
    fm__pump *p = fm__pump_new(&h->joined.hub, fm__stream_keep(c->seen.of), 0);
    p->generator = c->seen.of;
    p->ring = &h->ring;
    fm__pump_start(p);
  }
  return take_from_ring(c, out);
}

static async bool hold_next(fm__cursor *c, void *out) throws(fm_error) {
  Hold *h = (Hold *)(void *)c->state;
  if (begins(c)) {
    fm__chan_init(&h->ring, c->seen.of->size, c->seen.of->number);
    fm__pump *p = start(c, 0);
    p->ring = &h->ring;
    p->full = (int)c->seen.of->count;
  }
  return take_from_ring(c, out);
}

static async void hold_close(fm__cursor *c) {
  joined_close(c);
  if (joined(c)->started)
    fm__chan_free(&((Hold *)(void *)c->state)->ring);
}

static const fm__kind hold_kind = {
  .name = "hold",
  .state = sizeof(Hold),
  .next = hold_next,
  .ready = ring_ready,
  .ring = ring_of,
  .close = hold_close,
};

static const fm__kind generate_kind = { .name = "generate",
                                        .state = sizeof(Hold),
                                        .next = generate_next,
                                        .ready = ring_ready,
                                        .ring = ring_of,
                                        .close = hold_close };

fm__stream *fm__stream_generate(size_t size, const fm__user *f) {
  return fm__with(fm__stream_new(&generate_kind, size, 0), f);
}

fm__stream *fm__stream_hold(fm__stream *in, size_t n, int how) {
  fm__stream *s = fm__stream_like(&hold_kind, in);
  s->number = n ? n : 1;
  s->count = (size_t)how;
  return s;
}
