// stream-window.c: buffer and window: several values of the input at a time, by number or by time.
//
// By number, the input is pulled within the activity of the consumer. By time, it runs by itself,
// and the operator waits for it until the period ends. Periods begin when the stream is opened, and
// follow one another; a period without values is left out.
#include "stream.h"

#include <string.h>

typedef struct Parts {
  fm__hub hub;
  bool started, over; // over: the input has ended
  uint64_t until;     // the end of this period, in ns
  bool ahead;         // `value` is the first of the next window
  // of the input; buffer: the batch that is being filled
  char *value;
  fm_error *error; // buffer: thrown after the batch
  // the window that is being consumed; its data is a Window
  fm__stream *window;
  fm__cursor *result; // the stream that the program's function made of it
} Parts;

static Parts *parts(fm__cursor *c) {
  return (Parts *)(void *)c->state;
}

static uint64_t period(const fm__cursor *c) {
  return c->seen.of->ms * 1000000;
}

static void parts_open(fm__cursor *c) {
  Parts *b = parts(c);
  b->value = fm__stream_memory(c->seen.of->room ? c->seen.of->size
                                                : c->seen.of->in[0]->size);
  b->until = fm__moment_after(fm_now(), c->seen.of->ms);
  fm__hub_init(&b->hub, c);
  b->hub.timed = true;
  if (!c->seen.of->ms)
    c->in[0] = fm__cursor_again(c->seen.of->in[0], c);
}

static async void start(fm__cursor *c) {
  Parts *b = parts(c);
  if (!b->started)
    fm__pump_start(
        fm__pump_new(&b->hub, fm__stream_keep(c->seen.of->in[0]), 0));
  b->started = true;
}

// The next value of the input. false: there is none (over), or none in this period. first: waits as
// long as it takes; the value is then in its period.
static async bool take_timed(fm__cursor *c, void *out, bool first)
    throws(fm_error) {
  Parts *b = parts(c);
  start(c);
  fm__pump *p =
      first ? fm__hub_wait(&b->hub) : fm__hub_wait_until(&b->hub, b->until);
  if (!p)
    return false;
  if (p->state == FM__PUMP_ENDED) {
    b->over = true;
    return false;
  }
  if (first && p->at >= b->until)
    b->until += (p->at - b->until) / period(c) * period(c) + period(c);
  fm__pump_take(p, out);
  return true;
}

// Whether the value is the first of its part.
enum { LATER = false, FIRST = true };

static async bool take(fm__cursor *c, void *out, bool first) throws(fm_error) {
  Parts *b = parts(c);
  if (b->over)
    return false;
  try {
    if (c->seen.of->ms)
      return take_timed(c, out, first);
    b->over = !fm__cursor_next(c->in[0], out);
  } catch (fm_error *e) {
    (void)e;
    b->over = true;
    throw;
  }
  return !b->over;
}

// ---- buffer ----
// An error comes after the values before it. A batch that is not full when a race is lost is filled
// by the next call.
static async void fill(fm__cursor *c, size_t *count) throws(fm_error) {
  const fm__stream *s = c->seen.of;
  size_t size = s->in[0]->size;
  char *at = parts(c)->value + s->at;
  try {
    while (*count < s->room && take(c, at + *count * size, *count == 0))
      ++*count;
  } catch (fm_error *e) {
    if (!*count)
      throw;
    parts(c)->error = fm__error_share(e);
  }
}

static async bool buffer_next(fm__cursor *c, void *out) throws(fm_error) {
  const fm__stream *s = c->seen.of;
  char *batch = parts(c)->value;
  size_t *count = (size_t *)(void *)(batch + s->number);
  fm__stream_throw_kept(&parts(c)->error);
  fill(c, count);
  if (!*count)
    return false;
  memcpy(out, batch, s->size);
  memset(batch, 0, s->size);
  return true;
}

static async void parts_close(fm__cursor *c) {
  fm__hub_close(&parts(c)->hub);
  fm__error_unheard(parts(c)->error);
  fm__stream_free(parts(c)->value);
}

static const fm__kind buffer_kind = {
  .name = "buffer",
  .state = sizeof(Parts),
  .open = parts_open,
  .next = buffer_next,
  .close = parts_close,
};

fm__stream *fm__stream_buffer(fm__stream *in,
                              size_t size,
                              size_t count,
                              size_t at,
                              size_t room,
                              uint64_t ms) {
  fm__stream *s = fm__stream_on(&buffer_kind, size, in);
  s->number = count;
  s->at = at;
  s->room = room;
  s->ms = ms;
  return s;
}

// ---- window: one at a time; the program's function gets it as a stream ----
typedef struct Window {
  fm__cursor *of; // NULL: it is over
  uint64_t left;  // how many more values
  // if several activities consume it, each value goes to one of them
  fm_mutex mutex;
} Window;

static async bool window_pull(Window *w, void *out) throws(fm_error) {
  if (!w->of || !w->left)
    return false;
  Parts *b = parts(w->of);
  if (b->ahead) {
    memmove(out, b->value, w->of->seen.of->in[0]->size);
    b->ahead = false;
  } else if (!take(w->of, out, LATER)) {
    w->left = 0;
    return false;
  }
  w->left--;
  return true;
}

static async bool part_next(fm__cursor *c, void *out) throws(fm_error) {
  Window *w = (Window *)(void *)c->seen.of->data;
  fm_lock(&w->mutex);
  defer fm_unlock(&w->mutex);
  return window_pull(w, out);
}

static const fm__kind part_kind = { .name = "part", .next = part_next };

static async void open_window(fm__cursor *c) throws(fm_error) {
  Parts *b = parts(c);
  const fm__stream *s = c->seen.of;
  Window *w = fm__stream_memory(sizeof *w);
  fm__stream *made = NULL;
  *w = (Window){ .of = c, .left = s->ms ? UINT64_MAX : s->number };
  fm_mutex_init(&w->mutex);
  b->window = fm__stream_new(&part_kind, s->in[0]->size, 0);
  b->window->data = (char *)w;
  fm__use(s, &(fm__stream *){ fm__stream_keep(b->window) }, NULL, &made);
  b->result = fm__cursor_open(made, c);
}

// With the lock held, nothing pulls it any more.
static async void close_window(fm__cursor *c) {
  Parts *b = parts(c);
  fm__cursor *result = b->result;
  fm__stream *window = b->window;
  b->result = NULL;
  b->window = NULL;
  fm__cursor_close(result);
  if (!window)
    return;
  Window *w = (Window *)(void *)window->data;
  fm_lock(&w->mutex);
  w->of = NULL;
  fm_unlock(&w->mutex);
  fm__stream_drop(window);
}

static async bool window_next(fm__cursor *c, void *out) throws(fm_error) {
  Parts *b = parts(c);
  for (;;) {
    if (!b->result) {
      if (!b->ahead && !take(c, b->value, FIRST))
        return false;
      b->ahead = true;
      open_window(c);
    }
    if (fm__cursor_next(b->result, out))
      return true;
    // Skips the values that are left in it.
    while (window_pull((Window *)(void *)b->window->data, b->value))
      ;
    close_window(c);
  }
}

static async void window_close(fm__cursor *c) {
  close_window(c);
  parts_close(c);
}

static const fm__kind window_kind = {
  .name = "window",
  .state = sizeof(Parts),
  .open = parts_open,
  .next = window_next,
  .close = window_close,
};

fm__stream *fm__stream_window(
    fm__stream *in, size_t size, uint64_t n, uint64_t ms, const fm__user *f) {
  fm__stream *s = fm__with(fm__stream_on(&window_kind, size, in), f);
  s->number = n ? n : 1;
  s->ms = ms;
  return s;
}
