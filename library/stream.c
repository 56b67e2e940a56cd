// stream.c: streams: descriptions, and cursors, which are streams that are being consumed.
//
// A description is a tree: an operator, its arguments, its inputs. Consuming it makes a cursor for
// each node, and calls for values from the outermost cursor on. A cursor belongs to the activity
// that opened it; closing it waits until all activities that run for it have unwound.
#include "stream.h"

#include <string.h>

// ---- descriptions ----
fm__stream *fm__stream_new(const fm__kind *kind, size_t size, size_t inputs) {
  fm__stream *s = fm__stream_memory(sizeof *s + inputs * sizeof s->in[0]);
  s->kind = kind;
  s->references = 1;
  s->size = size;
  s->inputs = inputs;
  return s;
}

static const fm__kind open_kind = { .name = "open" };

fm__stream *fm__stream_owned(fm__stream *s) {
  if (!s)
    fm__stream_fatal("use of a stream that was not made, or was closed");
  if (s->kind == &open_kind)
    fm__stream_fatal(
        "an open stream was given to an operator or to another consumer");
  return s;
}

fm__stream *fm__stream_on(const fm__kind *kind, size_t size, fm__stream *in) {
  fm__stream *s = fm__stream_new(kind, size, 1);
  s->in[0] = fm__stream_owned(in);
  return s;
}

fm__stream *fm__stream_like(const fm__kind *kind, fm__stream *in) {
  return fm__stream_on(kind, fm__stream_owned(in)->size, in);
}

uint64_t fm__stream_count(uint64_t n, bool is_signed, const char *what) {
  char message[80];
  if (!is_signed || n <= INT64_MAX)
    return n;
  snprintf(message, sizeof message, "%s was given a negative number", what);
  fm__stream_fatal(message);
}

void fm__user_copy(fm__user *to, const fm__user *from) {
  *to = *from;
  to->fn = fm__stream_copy(from->fn, from->fn_size);
  to->ctx = fm__stream_copy(from->ctx, from->ctx_size);
}

fm__stream *fm__with(fm__stream *s, const fm__user *f) {
  fm__user_copy(&s->user, f);
  return s;
}

fm__stream *fm__stream_keep(fm__stream *s) {
  fm__stream_owned(s)->references++;
  return s;
}

static void free_user(fm__user *f) {
  fm__stream_free((void *)f->fn);
  fm__stream_free((void *)f->ctx);
}

// Not by recursion along the first input: pipelines may be long.
void fm__stream_drop(fm__stream *s) {
  while (s && --fm__stream_owned(s)->references == 0) {
    fm__stream *first = s->inputs ? s->in[0] : NULL;
    for (size_t i = 1; i < s->inputs; i++)
      fm__stream_drop(s->in[i]);
    free_user(&s->user);
    free_user(&s->show);
    fm__stream_free(s->data);
    fm__stream_free(s->name);
    fm__stream_free(s);
    s = first;
  }
}

fm__stream *fm__stream_name(fm__stream *s, const char *name) {
  fm__stream_free(fm__stream_owned(s)->name);
  s->name = name ? fm__stream_copy(name, strlen(name) + 1) : NULL;
  return s;
}

fm__stream *fm__stream_shown(fm__stream *s, const fm__user *show) {
  free_user(&fm__stream_owned(s)->show);
  fm__user_copy(&s->show, show);
  return s;
}

void fm__stream_throw_kept(fm_error **e) throws(fm_error) {
  fm_error *kept = *e;
  *e = NULL;
  if (kept)
    fm__stream_throw(kept);
}

async void fm__use(const fm__stream *s, const void *a, const void *b, void *out)
    throws(fm_error) {
  s->user.apply(s->user.fn, s->user.ctx, a, b, out);
}

async bool fm__asks(const fm__stream *s, const void *a, const void *b)
    throws(fm_error) {
  bool yes = false;
  s->user.apply(s->user.fn, s->user.ctx, a, b, &yes);
  return yes;
}

// ---- cursors ----
static fm__cursor *open_in(fm_activity region, fm__stream *s, fm__cursor *up) {
  fm__cursor *c =
      fm__stream_memory(sizeof *c + fm__stream_owned(s)->kind->state);
  c->seen.of = s;
  c->seen.activity = fm_self();
  c->region = region;
  fm__seen_open(&c->seen, up ? &up->seen : NULL);
  c->inputs = s->inputs;
  c->in = fm__stream_memory((s->inputs + 1) * sizeof *c->in);
  for (size_t i = 0; s->kind->opens && i < s->inputs; i++)
    c->in[i] = fm__cursor_again(s->in[i], c);
  if (s->kind->open)
    s->kind->open(c);
  return c;
}

fm__cursor *fm__cursor_open(fm__stream *s, fm__cursor *up) {
  return open_in(up->region, s, up);
}

fm__cursor *fm__cursor_open_here(fm__stream *s, fm__cursor *up) {
  return open_in(fm__region_here(), s, up);
}

fm__cursor *fm__cursor_again(fm__stream *s, fm__cursor *up) {
  return fm__cursor_open(fm__stream_keep(s), up);
}

// A value that came in an arm of a race that has lost is for the next call. In a shield the arm
// goes on, and has the value after all.
static async void leave_lost_race(fm__cursor *c, const void *v) {
  c->kept = fm__stream_copy(v, c->seen.of->size);
  fm_checkpoint();
  fm__stream_free(c->kept);
  c->kept = NULL;
}

static bool take_kept(fm__cursor *c, void *out) {
  memcpy(out, c->kept, c->seen.of->size);
  fm__stream_free(c->kept);
  c->kept = NULL;
  return true;
}

bool fm__cursor_ready(fm__cursor *c, void *out) {
  bool (*ready)(fm__cursor * c, void *out) = c->seen.of->kind->ready;
  if (!ready || c->kept || c->seen.state != FM_STREAM_RUNNING)
    return false;
  if (!ready(c, out))
    return false;
  fm__seen_event(&c->seen, out);
  return true;
}

// The channel from which the next value comes, if that is all there is to it.
static fm__chan *ring_of(fm__cursor *c) {
  fm__chan *(*ring)(fm__cursor * c) = c->seen.of->kind->ring;
  return ring ? ring(c) : NULL;
}

// Values of a channel are waited for here, in one frame; its end is for `next`.
async bool fm__cursor_next(fm__cursor *c, void *out) throws(fm_error) {
  if (c->kept)
    return take_kept(c, out);
  if (c->seen.up && fm__cursor_ready(c, out))
    return true;
  if (c->seen.state != FM_STREAM_RUNNING) {
    fm__stream_throw_kept(&c->error);
    return false;
  }
  fm__chan *ring = ring_of(c);
  bool got = ring;
  fm__waiter w;
  try {
    if (ring)
      fm__chan_recv(ring, out, &w, c->seen.of->size, FM__FAR_FROM(&w, out));
  } catch (struct fm_closed closed) {
    (void)closed;
    got = false;
  }
  try {
    if (got || c->seen.of->kind->next(c, out)) {
      fm__seen_event(&c->seen, out);
      if (!c->seen.up && fm__has_lost_race())
        leave_lost_race(c, out);
      return true;
    }
  } catch (fm_error *e) {
    c->seen.state = FM_STREAM_FAILED;
    if (fm__has_lost_race())
      c->error = fm__error_share(e);
    throw;
  }
  c->seen.state = FM_STREAM_DONE;
  return false;
}

// ---- closing ----
static async void close_all(fm__cursor *c) {
  const fm__kind *kind = c->seen.of->kind;
  if (kind->close)
    kind->close(c);
  for (size_t i = 0; i < c->inputs; i++)
    fm__cursor_end(c, i);
  fm__stream *of = c->seen.of;
  fm__error_unheard(c->error);
  fm__stream_free(c->kept);
  fm__seen_close(&c->seen);
  fm__stream_free(c->in);
  fm__stream_free(c);
  fm__stream_drop(of);
}

async void fm__cursor_close(fm__cursor *c) {
  if (c)
    shield close_all(c);
}

async void fm__cursor_end(fm__cursor *c, size_t i) {
  fm__cursor *in = c->in[i];
  c->in[i] = NULL;
  fm__cursor_close(in);
}

// ---- consumers ----
// An open stream: in the program it takes the place of the description.
typedef struct Open {
  fm__cursor *cursor;
  bool once;
  fm__stream head; // last, because it has no fixed size
} Open;

static Open *opened(fm__stream *s) {
  if (!s || s->kind != &open_kind)
    fm__stream_fatal(
        "use of a stream that is not open: call fm_stream_open first");
  return (Open *)(void *)((char *)s - offsetof(Open, head));
}

fm__stream *fm__stream_open(fm__stream *s) {
  Open *o = fm__stream_memory(sizeof *o);
  o->head.kind = &open_kind;
  o->cursor = fm__cursor_open_here(s, NULL);
  return &o->head;
}

bool fm__stream_once(fm__stream *s) {
  Open *o = opened(s);
  bool first = !o->once;
  o->once = true;
  return first;
}

bool fm__stream_ready(fm__stream *s, void *to) {
  return fm__cursor_ready(opened(s)->cursor, to);
}

async bool fm__stream_next(fm__stream *s, void *to) throws(fm_error) {
  return fm__cursor_next(opened(s)->cursor, to);
}

async void fm__stream_closed(fm__stream **s) {
  if (!*s)
    return;
  Open *o = opened(*s);
  fm__cursor *c = o->cursor;
  *s = NULL;
  fm__stream_free(o);
  fm__seen *left = fm__seen_left(&c->seen);
  fm__cursor_close(c);
  fm__seen_keep(left);
}

size_t fm__stream_past(fm__stream *s, void *to, size_t n) {
  return fm__seen_past(&opened(s)->cursor->seen, to, n);
}

// ---- a function for each value ----
static const fm__kind sink_kind = { .name = "subscription" };

fm__stream *fm__stream_sink(fm__stream *in, const fm__user *f) {
  return fm__with(fm__stream_like(&sink_kind, in), f);
}

static async void call_for_each(fm__stream *s, const fm__stream *sink, void *x)
    throws(fm_error) {
  while (fm__stream_ready(s, x) || fm__stream_next(s, x)) {
    try {
      fm__use(sink, x, NULL, NULL);
    } catch (fm_error *e) {
      (void)e;
      opened(s)->cursor->seen.state = FM_STREAM_FAILED;
      throw;
    }
  }
}

async void fm__stream_run(fm__stream *sink) throws(fm_error) {
  defer fm__stream_drop(sink);
  fm__stream *s = fm__stream_open(fm__stream_keep(sink->in[0]));
  defer fm__stream_closed(&s);
  char *x = fm__stream_memory(sink->size);
  defer fm__stream_free(x);
  call_for_each(s, sink, x);
}
