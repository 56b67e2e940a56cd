// stream-linear.c: operators that take one value after the other from one input, within the
// activity of their consumer.
#include "stream.h"

#include <string.h>

static fm__cursor *input(fm__cursor *c) {
  return c->in[0];
}

// The input is not needed any more.
static async bool ends_early(fm__cursor *c) {
  fm__cursor_end(c, 0);
  return false;
}

// ---- a place for one value of the input, or more ----
typedef struct Slot {
  char *value;
  char *more;
  uint64_t n;
} Slot;

static Slot *slot(fm__cursor *c) {
  return (Slot *)(void *)c->state;
}

static void slot_open(fm__cursor *c) {
  slot(c)->value = fm__stream_memory(c->seen.of->in[0]->size);
}

static async void slot_close(fm__cursor *c) {
  fm__stream_free(slot(c)->value);
  fm__stream_free(slot(c)->more);
}

// ---- map, filter ----
static async bool map_next(fm__cursor *c, void *out) throws(fm_error) {
  char *x = slot(c)->value;
  if (!fm__cursor_next(input(c), x))
    return false;
  fm__use(c->seen.of, x, NULL, out);
  return true;
}

static const fm__kind map_kind = {
  .name = "map",
  .state = sizeof(Slot),
  .opens = true,
  .open = slot_open,
  .next = map_next,
  .close = slot_close,
};

fm__stream *fm__stream_map(fm__stream *in, size_t size, const fm__user *f) {
  return fm__with(fm__stream_on(&map_kind, size, in), f);
}

static async bool filter_next(fm__cursor *c, void *out) throws(fm_error) {
  while (fm__cursor_next(input(c), out))
    if (fm__asks(c->seen.of, out, NULL))
      return true;
  return false;
}

static const fm__kind filter_kind = { .name = "filter",
                                      .opens = true,
                                      .next = filter_next };

fm__stream *fm__stream_filter(fm__stream *in, const fm__user *f) {
  return fm__with(fm__stream_like(&filter_kind, in), f);
}

// ---- take, take_while, skip ----
static fm__stream *counting(const fm__kind *kind, fm__stream *in, uint64_t n) {
  fm__stream *s = fm__stream_like(kind, in);
  s->number = n;
  return s;
}

static async bool take_next(fm__cursor *c, void *out) throws(fm_error) {
  uint64_t *n = &slot(c)->n;
  uint64_t most = c->seen.of->number;
  if (*n == most || !fm__cursor_next(input(c), out))
    return ends_early(c);
  if (++*n == most)
    fm__cursor_end(c, 0);
  return true;
}

// Not the last one, which closes the input.
static bool take_ready(fm__cursor *c, void *out) {
  uint64_t *n = &slot(c)->n;
  bool more = *n + 1 < c->seen.of->number;
  if (!more || !fm__cursor_ready(input(c), out))
    return false;
  ++*n;
  return true;
}

static const fm__kind take_kind = {
  .name = "take",
  .state = sizeof(Slot),
  .opens = true,
  .next = take_next,
  .ready = take_ready,
};

fm__stream *fm__stream_take(fm__stream *in, uint64_t n) {
  return counting(&take_kind, in, n);
}

static async bool take_while_next(fm__cursor *c, void *out) throws(fm_error) {
  if (fm__cursor_next(input(c), out) && fm__asks(c->seen.of, out, NULL))
    return true;
  return ends_early(c);
}

static const fm__kind take_while_kind = { .name = "take_while",
                                          .opens = true,
                                          .next = take_while_next };

fm__stream *fm__stream_take_while(fm__stream *in, const fm__user *f) {
  return fm__with(fm__stream_like(&take_while_kind, in), f);
}

static async bool skip_next(fm__cursor *c, void *out) throws(fm_error) {
  for (uint64_t *n = &slot(c)->n; *n < c->seen.of->number; ++*n)
    if (!fm__cursor_next(input(c), out))
      return false;
  return fm__cursor_next(input(c), out);
}

static bool skip_ready(fm__cursor *c, void *out) {
  return slot(c)->n == c->seen.of->number && fm__cursor_ready(input(c), out);
}

static const fm__kind skip_kind = {
  .name = "skip",
  .state = sizeof(Slot),
  .opens = true,
  .next = skip_next,
  .ready = skip_ready,
};

fm__stream *fm__stream_skip(fm__stream *in, uint64_t n) {
  return counting(&skip_kind, in, n);
}

// ---- scan, reduce ----
// `value` is the input's; `more` has two results: the last one, and room for the next.
static void fold_open(fm__cursor *c) {
  size_t size = c->seen.of->size;
  slot_open(c);
  slot(c)->more = fm__stream_memory(2 * size);
  memcpy(slot(c)->more, c->seen.of->data, size);
}

static async bool fold(fm__cursor *c) throws(fm_error) {
  Slot *s = slot(c);
  size_t size = c->seen.of->size;
  if (!fm__cursor_next(input(c), s->value))
    return false;
  fm__use(c->seen.of, s->more, s->value, s->more + size);
  memcpy(s->more, s->more + size, size);
  return true;
}

static async bool scan_next(fm__cursor *c, void *out) throws(fm_error) {
  if (!fold(c))
    return false;
  memcpy(out, slot(c)->more, c->seen.of->size);
  return true;
}

static async bool reduce_next(fm__cursor *c, void *out) throws(fm_error) {
  if (slot(c)->n)
    return false;
  while (fold(c))
    ;
  slot(c)->n = 1;
  memcpy(out, slot(c)->more, c->seen.of->size);
  return true;
}

static const fm__kind scan_kind = {
  .name = "scan",
  .state = sizeof(Slot),
  .opens = true,
  .open = fold_open,
  .next = scan_next,
  .close = slot_close,
};
static const fm__kind reduce_kind = {
  .name = "reduce",
  .state = sizeof(Slot),
  .opens = true,
  .open = fold_open,
  .next = reduce_next,
  .close = slot_close,
};

static fm__stream *folding(const fm__kind *kind,
                           fm__stream *in,
                           size_t size,
                           const void *seed,
                           const fm__user *f) {
  fm__stream *s = fm__with(fm__stream_on(kind, size, in), f);
  s->data = fm__stream_copy(seed, size);
  return s;
}

fm__stream *fm__stream_scan(fm__stream *in,
                            size_t size,
                            const void *seed,
                            const fm__user *f) {
  return folding(&scan_kind, in, size, seed, f);
}

fm__stream *fm__stream_reduce(fm__stream *in,
                              size_t size,
                              const void *seed,
                              const fm__user *f) {
  return folding(&reduce_kind, in, size, seed, f);
}

// ---- changed, distinct ----
static async bool is_same(const fm__stream *s, const void *a, const void *b)
    throws(fm_error) {
  if (s->user.apply)
    return fm__asks(s, a, b);
  return memcmp(a, b, s->size) == 0;
}

static async bool changed_next(fm__cursor *c, void *out) throws(fm_error) {
  Slot *s = slot(c);
  do
    if (!fm__cursor_next(input(c), out))
      return false;
  while (s->n && is_same(c->seen.of, s->value, out));
  memcpy(s->value, out, c->seen.of->size);
  s->n = 1;
  return true;
}

static const fm__kind changed_kind = {
  .name = "changed",
  .state = sizeof(Slot),
  .opens = true,
  .open = slot_open,
  .next = changed_next,
  .close = slot_close,
};

fm__stream *fm__stream_changed(fm__stream *in) {
  return fm__stream_like(&changed_kind, in);
}

fm__stream *fm__stream_changed_by(fm__stream *in, const fm__user *same) {
  return fm__with(fm__stream_changed(in), same);
}

// The values seen so far. A table finds a value by its bytes; a function of the program is called
// for each value instead.
static fm__table *known(fm__cursor *c) {
  return (fm__table *)(void *)c->state;
}

static void distinct_open(fm__cursor *c) {
  known(c)->size = c->seen.of->size;
}

static async bool is_known(const fm__table *k,
                           const fm__stream *s,
                           const void *v) throws(fm_error) {
  if (!s->user.apply)
    return fm__table_find(k, v) < k->n;
  for (size_t i = 0; i < k->n; i++)
    if (fm__asks(s, k->row + i * s->size, v))
      return true;
  return false;
}

static async bool distinct_next(fm__cursor *c, void *out) throws(fm_error) {
  fm__table *k = known(c);
  do
    if (!fm__cursor_next(input(c), out))
      return false;
  while (is_known(k, c->seen.of, out));
  fm__table_add(k, out);
  return true;
}

static async void distinct_close(fm__cursor *c) {
  fm__table_free(known(c));
}

static const fm__kind distinct_kind = {
  .name = "distinct",
  .state = sizeof(fm__table),
  .opens = true,
  .open = distinct_open,
  .next = distinct_next,
  .close = distinct_close,
};

fm__stream *fm__stream_distinct(fm__stream *in) {
  return fm__stream_like(&distinct_kind, in);
}

fm__stream *fm__stream_distinct_by(fm__stream *in, const fm__user *same) {
  return fm__with(fm__stream_distinct(in), same);
}

// ---- throttle ----
static async bool throttle_next(fm__cursor *c, void *out) throws(fm_error) {
  uint64_t *open_at = &slot(c)->n;
  do
    if (!fm__cursor_next(input(c), out))
      return false;
  while (fm_now() < *open_at);
  *open_at = fm__moment_after(fm_now(), c->seen.of->ms);
  return true;
}

static const fm__kind throttle_kind = { .name = "throttle",
                                        .state = sizeof(Slot),
                                        .opens = true,
                                        .next = throttle_next };

fm__stream *fm__stream_throttle(fm__stream *in, uint64_t ms) {
  fm__stream *s = fm__stream_like(&throttle_kind, in);
  s->ms = ms;
  return s;
}

// ---- timestamp, delay ----
static async bool stamp_next(fm__cursor *c, void *out) throws(fm_error) {
  const fm__stream *s = c->seen.of;
  if (!fm__cursor_next(input(c), (char *)out + s->at))
    return false;
  *(uint64_t *)(void *)((char *)out + s->number) = fm_now();
  return true;
}

static const fm__kind stamp_kind = { .name = "timestamp",
                                     .opens = true,
                                     .next = stamp_next };

fm__stream *
fm__stream_timestamp(fm__stream *in, size_t size, size_t stamp, size_t value) {
  fm__stream *s = fm__stream_on(&stamp_kind, size, in);
  s->number = stamp;
  s->at = value;
  return s;
}

// Of delay: a stamp, then the value. Such pairs wait in a `hold`.
enum { STAMP = sizeof(uint64_t), ON_THEIR_WAY = 1024 };

static async bool delay_next(fm__cursor *c, void *out) throws(fm_error) {
  Slot *s = slot(c);
  if (!s->n && !fm__cursor_next(input(c), s->value))
    return false;
  s->n = 1; // if the sleep is cancelled, the next call goes on with the value
  uint64_t stamp = *(uint64_t *)(void *)s->value;
  uint64_t when = fm__moment_after(stamp, c->seen.of->ms);
  uint64_t now = fm_now();
  if (now < when)
    fm_sleep(fm__ms_until(when, now));
  s->n = 0;
  memcpy(out, s->value + STAMP, c->seen.of->size);
  return true;
}

static const fm__kind delay_kind = {
  .name = "delay",
  .state = sizeof(Slot),
  .opens = true,
  .open = slot_open,
  .next = delay_next,
  .close = slot_close,
};

fm__stream *fm__stream_delay(fm__stream *in, uint64_t ms) {
  size_t size = fm__stream_owned(in)->size;
  size_t pair = STAMP + (size + STAMP - 1) / STAMP * STAMP;
  fm__stream *stamped = fm__stream_timestamp(in, pair, 0, STAMP);
  fm__stream *held = fm__stream_hold(stamped, ON_THEIR_WAY, FM_WAIT);
  fm__stream *s = fm__stream_on(&delay_kind, size, held);
  s->ms = ms;
  return s;
}

// ---- concat: one input after the other is opened ----
static async bool concat_next(fm__cursor *c, void *out) throws(fm_error) {
  for (uint64_t *i = &slot(c)->n; *i < c->inputs; ++*i) {
    if (!c->in[*i])
      c->in[*i] = fm__cursor_again(c->seen.of->in[*i], c);
    if (fm__cursor_next(c->in[*i], out))
      return true;
    fm__cursor_end(c, *i);
  }
  return false;
}

static bool concat_ready(fm__cursor *c, void *out) {
  uint64_t i = slot(c)->n;
  return i < c->inputs && c->in[i] && fm__cursor_ready(c->in[i], out);
}

static const fm__kind concat_kind = { .name = "concat",
                                      .state = sizeof(Slot),
                                      .next = concat_next,
                                      .ready = concat_ready };

// ---- catch, retry ----
static async bool retry_next(fm__cursor *c, void *out) throws(fm_error) {
  for (;;) {
    try {
      if (!c->in[0])
        c->in[0] = fm__cursor_again(c->seen.of->in[0], c);
      return fm__cursor_next(input(c), out);
    } catch (fm_error *e) {
      (void)e;
      if (c->seen.of->number != FM_ALWAYS && slot(c)->n >= c->seen.of->number)
        throw;
    }
    slot(c)->n++;
    fm__cursor_end(c, 0);
    // An input that fails before it waits lets the others run, too.
    yield;
  }
}

static const fm__kind retry_kind = { .name = "retry",
                                     .state = sizeof(Slot),
                                     .next = retry_next };

fm__stream *fm__stream_retry(fm__stream *in, unsigned n) {
  return counting(&retry_kind, in, n);
}

static async bool catch_next(fm__cursor *c, void *out) throws(fm_error) {
  fm__stream *other = NULL;
  if (slot(c)->n)
    return fm__cursor_next(input(c), out);
  try {
    return fm__cursor_next(input(c), out);
  } catch (fm_error *e) {
    fm__use(c->seen.of, e, NULL, &other);
  }
  slot(c)->n = 1;
  fm__cursor_end(c, 0);
  c->in[0] = fm__cursor_open(other, c);
  return fm__cursor_next(input(c), out);
}

static const fm__kind catch_kind = {
  .name = "catch", .state = sizeof(Slot), .opens = true, .next = catch_next
};

fm__stream *fm__stream_catch(fm__stream *in, const fm__user *f) {
  return fm__with(fm__stream_like(&catch_kind, in), f);
}

// ---- operators on several inputs: see stream-joined.c for the others ----
fm__stream *fm__stream_several(const fm__kind *kind,
                               size_t size,
                               const void *ins,
                               size_t n) {
  fm__stream *const *in = ins;
  fm__stream *s = fm__stream_new(kind, size, n);
  for (size_t i = 0; i < n; i++)
    s->in[i] = fm__stream_owned(in[i]);
  return s;
}

fm__stream *fm__stream_concat(size_t size, const void *ins, size_t n) {
  return fm__stream_several(&concat_kind, size, ins, n);
}
