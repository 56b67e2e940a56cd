// stream-share.c: share: one run of a stream for several consumers.
//
// The first consumer starts a *run*, an activity of its own that pulls the input; it is nobody's
// child, because any consumer may leave before the others. Each consumer is a *tap* with a ring of
// values that it has not taken. The run gives each value to all taps, one after the other. It waits
// where a ring is full: the slowest consumer slows the input. When the last tap goes, the run is
// cancelled. A consumer that comes after the end of a run starts the next one.
#include "stream.h"

#include <string.h>

typedef struct Run Run;

typedef struct Tap { // the state of a cursor
  fm__chan ring;     // closed when the run has ended
  Run *run;          // stays when the run has ended
  struct Tap *next, *prev;
  bool listed;   // it stands in the run's list
  bool has_turn; // it has been given the value of this turn
  bool ended;    // its consumer knows that the run has ended
} Tap;

typedef struct Share { // the data of a description
  Run *run;            // to which a new tap belongs; NULL: there is none
} Share;

struct Run {
  Share *share;
  fm__stream *of; // the input; one reference
  fm_activity id;
  char *value;
  // In each turn a tap is given the value and moves to the end. Taps that come during a turn stand
  // at the end, and have it already.
  Tap *first, *last;
  size_t taps; // that have not been closed
  bool over;
  bool cut;        // it was cancelled
  fm_error *error; // it failed; one reference
  bool heard;      // the error was thrown in a consumer
};

// ---- taps ----
static void append(Run *r, Tap *t) {
  t->next = NULL;
  t->prev = r->last;
  *(t->prev ? &t->prev->next : &r->first) = t;
  r->last = t;
  t->listed = true;
}

static void take_out(Run *r, Tap *t) {
  if (!t->listed)
    return;
  *(t->prev ? &t->prev->next : &r->first) = t->next;
  *(t->next ? &t->next->prev : &r->last) = t->prev;
  t->listed = false;
}

// ---- a run ----
// The tap may be gone when the wait is over.
static async void give(Run *r, Tap *t) {
  fm__waiter w;
  try {
    fm__chan_send(
        &t->ring, r->value, &w, r->of->size, FM__FAR_FROM(&w, r->value));
  } catch (struct fm_closed closed) {
    (void)closed;
  }
}

static async void give_all(Run *r) {
  for (Tap *t = r->first; t; t = t->next)
    t->has_turn = false;
  while (r->first && !r->first->has_turn) {
    Tap *t = r->first;
    take_out(r, t);
    append(r, t);
    t->has_turn = true;
    give(r, t);
  }
}

static async void pull(Run *r) throws(fm_error) {
  fm__cursor *c = fm__cursor_open_here(fm__stream_keep(r->of), NULL);
  defer fm__cursor_close(c);
  while (fm__cursor_next(c, r->value))
    give_all(r);
}

// From now on a new consumer starts a new run.
static void leave_share(Run *r) {
  if (r->share->run == r)
    r->share->run = NULL;
}

static void end_taps(Run *r) {
  leave_share(r);
  for (Tap *t; (t = r->first);) {
    take_out(r, t);
    fm__chan_close(&t->ring);
  }
  r->over = true;
}

static async void run_it(Run *r) {
  defer end_taps(r);
  r->cut = true; // if it is cancelled
  try {
    pull(r);
  } catch (fm_error *e) {
    r->error = fm__error_share(e);
  }
  r->cut = false;
}

static Run *run_of(fm__stream *s) {
  Share *share = (Share *)(void *)s->data;
  if (share->run)
    return share->run;
  Run *r = fm__stream_memory(sizeof *r);
  r->share = share;
  r->of = fm__stream_keep(s->in[0]);
  r->value = fm__stream_memory(r->of->size);
  auto t = spawn detached run_it(r);
  r->id = fm_id(t);
  fm_detach(t);
  return share->run = r;
}

// ---- the operator ----
static Tap *tap(fm__cursor *c) {
  return (Tap *)(void *)c->state;
}

static void share_open(fm__cursor *c) {
  Tap *t = tap(c);
  fm__chan_init(&t->ring, c->seen.of->size, c->seen.of->number);
  t->run = run_of(c->seen.of);
  t->has_turn = true;
  t->run->taps++;
  append(t->run, t);
}

static async void end_tap(Tap *t) throws(fm_error) {
  Run *r = t->run;
  t->ended = true;
  if (r->error) {
    r->heard = true;
    fm__stream_throw(fm__error_share(r->error));
  } else if (r->cut) {
    fm_checkpoint();
    throw(struct fm_cancelled){ .file = NULL };
  }
}

static async bool share_next(fm__cursor *c, void *out) throws(fm_error) {
  Tap *t = tap(c);
  fm__waiter w;
  try {
    fm__chan_recv(&t->ring, out, &w, c->seen.of->size, FM__FAR_FROM(&w, out));
    return true;
  } catch (struct fm_closed closed) {
    (void)closed;
  }
  if (!t->ended)
    end_tap(t);
  return false;
}

static async void end_run(Run *r) {
  leave_share(r);
  if (!r->over) {
    fm_cancel(r->id);
    fm_join(r->id);
  }
  if (r->heard)
    fm__error_drop(r->error);
  else
    fm__error_unheard(r->error);
  fm__stream_drop(r->of);
  fm__stream_free(r->value);
  fm__stream_free(r);
}

static async void share_close(fm__cursor *c) {
  Tap *t = tap(c);
  take_out(t->run, t);
  fm__chan_close(&t->ring);
  fm__chan_free(&t->ring);
  if (--t->run->taps == 0)
    end_run(t->run);
}

static const fm__kind share_kind = {
  .name = "share",
  .state = sizeof(Tap),
  .open = share_open,
  .next = share_next,
  .close = share_close,
};

fm__stream *fm__stream_share(fm__stream *in, uint64_t room) {
  fm__stream *s = fm__stream_like(&share_kind, in);
  s->number = room;
  s->data = fm__stream_memory(sizeof(Share));
  return s;
}
