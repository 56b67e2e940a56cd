// stream-hub.c: sources that run in activities of their own, for operators that wait for several
// things at once.
//
// A *pump* pulls one stream. With each value, and when the stream ends or fails, the pump goes to
// the end of a line and posts the hub's semaphore; with a value it then waits until that is taken.
// The operator takes the first pump from the line. So nothing is lost when the operator is
// cancelled while it waits, and no source is ahead of its consumer by more than one value.
#include "stream.h"

#include <string.h>

void fm__hub_init(fm__hub *h, fm__cursor *owner) {
  h->owner = owner;
  fm_sem_init(&h->ready, 0);
}

fm__pump *fm__pump_new(fm__hub *h, fm__stream *of, unsigned tag) {
  fm__pump *p = fm__stream_memory(sizeof *p);
  *p = (fm__pump){
    .hub = h,
    .of = of,
    .tag = tag,
    .size = fm__stream_owned(of)->size,
    .value = fm__stream_memory(2 * of->size),
    .next = h->pumps,
  };
  fm_sem_init(&p->taken, 0);
  if (p->next)
    p->next->prev = p;
  return h->pumps = p;
}

// ---- the line ----
static void tell(fm__pump *p, int state) {
  fm__hub *h = p->hub;
  p->state = state;
  if (h->timed)
    p->at = fm_now();
  if (p->told)
    return;
  p->told = true;
  p->after = NULL;
  if (h->last)
    h->last->after = p;
  else
    h->first = p;
  h->last = p;
  fm_sem_post(&h->ready);
}

// The caller has taken the semaphore.
static void leave_line(fm__pump *p) {
  fm__hub *h = p->hub;
  fm__pump **at = &h->first;
  fm__pump *before = NULL;
  while (*at != p) {
    before = *at;
    at = &before->after;
  }
  *at = p->after;
  if (h->last == p)
    h->last = before;
  p->told = false;
}

// ---- pumps ----
// Only this pump itself closes the ring.
static async void put_into_ring(fm__pump *p) throws(fm_error) {
  fm__waiter w;
  if (p->full == FM_WAIT) {
    fm__chan_send(p->ring, p->value, &w, p->size, FM__FAR_FROM(&w, p->value));
    return;
  }
  if (!fm__chan_try_send(p->ring, p->value, 1) && p->full == FM_DROP_OLDEST) {
    fm__chan_try_recv(p->ring, p->value + p->size, 1);
    fm__chan_try_send(p->ring, p->value, 1);
  }
  yield;
}

static async void deliver(fm__pump *p) throws(fm_error) {
  if (p->ring) {
    put_into_ring(p);
    return;
  }
  if (p->give) {
    p->give(p);
    return;
  }
  tell(p, FM__PUMP_FULL);
  p->fresh = true;
  if (p->loose)
    yield;
  else
    fm_sem_wait(&p->taken);
}

static async void pull_all(fm__pump *p) throws(fm_error) {
  fm__stream *of = p->of;
  p->of = NULL;
  fm__cursor *c = p->from;
  p->from = NULL;
  if (c)
    c->seen.activity = fm_self();
  else
    c = fm__cursor_open_here(of, p->hub->owner);
  defer fm__cursor_close(c);
  while (fm__cursor_next(c, p->value))
    deliver(p);
}

// ---- generators: a function that emits in place of a stream that is pulled ----
// Its values go through a channel of capacity 0: an emit ends when its value has been taken, and
// one that is cancelled takes it back. Several activities may emit.
static const fm__kind emitter_kind = { .name = "emitter" };

// The channel is closed only when nothing can emit any more.
fm__chan *fm__stream_emits(fm__stream *s) {
  if (fm__unlikely(!s || s->kind != &emitter_kind))
    fm__stream_fatal("fm_stream_emit to a stream that is not the one that "
                     "fm_stream_generate gave its function");
  return s->object;
}

// Activities that it has started have ended too before the emitter goes.
static async void generate(fm__pump *p) throws(fm_error) {
  fm__stream *e = fm__stream_memory(sizeof *e);
  defer fm__stream_free(e);
  e->kind = &emitter_kind;
  e->object = p->ring;
  e->size = p->size;
  scope {
    fm__use(p->generator, NULL, NULL, e);
  }
}

static void pump_ends(fm__pump *p, int state) {
  if (p->ring)
    fm__chan_close(p->ring);
  tell(p, state);
}

static async void run_pump(fm__pump *p) {
  int state = FM__PUMP_FAILED; // if it is cancelled: without an error
  defer pump_ends(p, state);
  try {
    if (p->generator)
      generate(p);
    else
      pull_all(p);
    // Perhaps it came to its end only because its children were cancelled.
    fm_checkpoint();
    state = FM__PUMP_ENDED;
  } catch (fm_error *e) {
    p->error = fm__error_share(e);
  }
}

// A child of the scope or activity in which the stream was opened, not of one that may be left
// before the stream is closed.
async void fm__pump_start(fm__pump *p) {
  fm_activity region = p->hub->owner->region;
  if (fm_alive(region) && !fm_cancelled(region)) {
    auto t = spawn in(region)run_pump(p);
    p->id = fm_id(t);
    fm_detach(t);
  } else {
    auto t = spawn run_pump(p);
    p->id = fm_id(t);
    fm_detach(t);
  }
}

void fm__pump_taken(fm__pump *p) {
  p->state = FM__PUMP_RUNS;
  p->fresh = false;
  if (!p->loose)
    fm_sem_post(&p->taken);
}

void fm__pump_take(fm__pump *p, void *out) {
  memcpy(out, p->value, p->size);
  fm__pump_taken(p);
}

// ---- the operator's side ----
// The pump was cancelled: usually its consumer has been too, and unwinds here.
static async void fail(fm__pump *p) throws(fm_error) {
  fm_error *e = p->error;
  p->error = NULL;
  if (e) {
    fm__stream_throw(e);
  } else {
    fm_checkpoint();
    throw(struct fm_cancelled){ .file = NULL };
  }
}

static async fm__pump *first_in_line(fm__hub *h) throws(fm_error) {
  fm__pump *p = h->first;
  leave_line(p);
  if (p->state == FM__PUMP_FAILED)
    fail(p);
  return p;
}

fm__pump *fm__hub_ready(fm__hub *h) {
  fm__pump *p = h->first;
  if (!p || p->state != FM__PUMP_FULL || !fm_sem_try_wait(&h->ready))
    return NULL;
  leave_line(p);
  return p;
}

async fm__pump *fm__hub_wait(fm__hub *h) throws(fm_error) {
  fm_sem_wait(&h->ready);
  return first_in_line(h);
}

// A value that came at that moment, or later, came too late, even if nobody has looked before.
async fm__pump *fm__hub_wait_until(fm__hub *h, uint64_t when) throws(fm_error) {
  for (uint64_t now; !h->first && (now = fm_now()) < when;) {
    race {
    case fm_sem_wait(&h->ready):
      fm_sem_post(&h->ready);
    case fm_sleep(fm__ms_until(when, now)):
      break;
    }
  }
  if (!h->first || h->first->at >= when)
    return NULL;
  fm_sem_try_wait(&h->ready);
  return first_in_line(h);
}

// ---- closing: nothing else uses it meanwhile ----
static async void unwind(fm__pump *p) {
  fm_cancel(p->id);
  fm_join(p->id);
  if (p->told && fm_sem_try_wait(&p->hub->ready))
    leave_line(p);
  if (p->of)
    fm__stream_drop(p->of);
  fm__cursor_close(p->from);
  fm__error_unheard(p->error);
  fm__stream_free(p->value);
  fm__stream_free(p);
}

async void fm__pump_close(fm__pump *p) {
  *(p->prev ? &p->prev->next : &p->hub->pumps) = p->next;
  if (p->next)
    p->next->prev = p->prev;
  shield unwind(p);
}

async void fm__hub_close(fm__hub *h) {
  for (fm__pump *p = h->pumps; p; p = p->next)
    fm_cancel(p->id);
  while (h->pumps)
    fm__pump_close(h->pumps);
}
