// stream-source.c: where values come from: arrays, time, channels, events, functions.
#include "stream.h"

#include <string.h>

// ---- arrays ----
static bool array_ready(fm__cursor *c, void *out) {
  const fm__stream *s = c->seen.of;
  size_t *i = (size_t *)(void *)c->state;
  if (*i == s->count)
    return false;
  fm__value_copy(out, s->data + (*i)++ * s->size, s->size);
  return true;
}

static async bool array_next(fm__cursor *c, void *out) throws(fm_error) {
  return array_ready(c, out);
}

static const fm__kind array_kind = {
  .name = "array",
  .state = sizeof(size_t),
  .next = array_next,
  .ready = array_ready,
  .never_waits = true,
};

fm__stream *fm__stream_array(size_t size, const void *at, size_t n) {
  fm__stream *s = fm__stream_new(&array_kind, size, 0);
  s->count = n;
  if (n)
    s->data = fm__stream_copy(at, n * size);
  return s;
}

// ---- time ----
typedef struct Ticks {
  fm_timer timer;
  uint64_t n;
} Ticks;

static void interval_open(fm__cursor *c) {
  ((Ticks *)(void *)c->state)->timer = fm_every(c->seen.of->ms);
}

static async bool interval_next(fm__cursor *c, void *out) throws(fm_error) {
  Ticks *t = (Ticks *)(void *)c->state;
  fm_tick(&t->timer);
  *(uint64_t *)out = t->n++;
  return true;
}

static const fm__kind interval_kind = { .name = "interval",
                                        .state = sizeof(Ticks),
                                        .open = interval_open,
                                        .next = interval_next };

static async bool timer_next(fm__cursor *c, void *out) throws(fm_error) {
  Ticks *t = (Ticks *)(void *)c->state;
  if (t->n)
    return false;
  fm_tick(&t->timer);
  *(uint64_t *)out = 0;
  t->n = 1;
  return true;
}

static const fm__kind timer_kind = { .name = "timer",
                                     .state = sizeof(Ticks),
                                     .open = interval_open,
                                     .next = timer_next };

static fm__stream *timed(const fm__kind *kind, uint64_t ms) {
  fm__stream *s = fm__stream_new(kind, sizeof(uint64_t), 0);
  s->ms = ms;
  return s;
}

fm__stream *fm__stream_interval(uint64_t ms) {
  return timed(&interval_kind, ms);
}

fm__stream *fm__stream_timer(uint64_t ms) {
  return timed(&timer_kind, ms);
}

// ---- channels ----
static async bool chan_next(fm__cursor *c, void *out) throws(fm_error) {
  fm__waiter w;
  try {
    fm__chan_recv(
        c->seen.of->object, out, &w, c->seen.of->size, FM__FAR_FROM(&w, out));
    return true;
  } catch (struct fm_closed closed) {
    (void)closed;
    return false;
  }
}

static bool chan_ready(fm__cursor *c, void *out) {
  return fm__chan_try_recv(c->seen.of->object, out, 1);
}

static const fm__kind chan_kind = { .name = "channel",
                                    .next = chan_next,
                                    .ready = chan_ready };

fm__stream *fm__stream_chan(size_t size, fm__chan *c) {
  fm__stream *s = fm__stream_new(&chan_kind, size, 0);
  s->object = c;
  return s;
}

// ---- events: a listener puts them into a ring, and the consumer takes them out ----
typedef struct Heard {
  fm__listener listener; // the first member: see hear()
  fm__chan ring;
  char *spare; // for a value that is dropped
} Heard;

static void hear(fm__listener *l, const void *v) {
  Heard *h = (Heard *)(void *)l;
  if (fm__chan_try_send(&h->ring, v, 1))
    return;
  fm__chan_try_recv(&h->ring, h->spare, 1);
  fm__chan_try_send(&h->ring, v, 1);
}

static void event_open(fm__cursor *c) {
  Heard *h = (Heard *)(void *)c->state;
  const fm__stream *s = c->seen.of;
  fm__chan_init(&h->ring, s->size, s->number ? s->number : 1);
  h->spare = fm__stream_memory(s->size);
  h->listener.hear = hear;
  fm__event_listen(s->object, &h->listener);
}

static async bool event_next(fm__cursor *c, void *out) throws(fm_error) {
  fm__waiter w;
  fm__chan_recv(&((Heard *)(void *)c->state)->ring,
                out,
                &w,
                c->seen.of->size,
                FM__FAR_FROM(&w, out));
  return true;
}

static bool event_ready(fm__cursor *c, void *out) {
  return fm__chan_try_recv(&((Heard *)(void *)c->state)->ring, out, 1);
}

static async void event_close(fm__cursor *c) {
  Heard *h = (Heard *)(void *)c->state;
  fm__listen_no_more(&h->listener);
  fm__chan_free(&h->ring);
  fm__stream_free(h->spare);
}

static const fm__kind event_kind = {
  .name = "event",
  .state = sizeof(Heard),
  .open = event_open,
  .next = event_next,
  .ready = event_ready,
  .close = event_close,
};

fm__stream *fm__stream_event(size_t size, fm__event *e, size_t room) {
  fm__stream *s = fm__stream_new(&event_kind, size, 0);
  s->object = e;
  s->number = room;
  return s;
}
