// stream-support.c: what streams (library/stream.c) need of the runtime: memory of the domain, a
// place in it, the state of an activity, an error that is thrown again, and listeners, which hear
// events without waiting for them.
#include "wait/park.h"
#include <fermata/stream.h>

#include "wait/stream-support.h"

static fm__runtime *here(void) {
  return fm__runtime_of(fm__here());
}

void *fm__stream_memory(size_t size) {
  return memset(fm__buffer_new(here(), NULL, size), 0, size);
}

void *fm__stream_grown(void *old, size_t size) {
  return fm__buffer_new(here(), old, size);
}

void fm__stream_free(void *p) {
  fm__buffer_free(p);
}

struct fm__streams **fm__streams_here(void) {
  return &here()->streams;
}

fm_activity fm__region_here(void) {
  fm__runtime *d = here();
  fm_node *a = fm__innermost(d->current ? d->current : &d->host);
  return (fm_activity){ a, fm__generation(a) };
}

bool fm__has_lost_race(void) {
  const fm_node *a = here()->current;
  return a && fm__lost_race(a);
}

void fm__stream_fatal(const char *what) {
  fm__fatal(here(), what);
}

void fm__stream_throw(fm_error *e) {
  fm__rethrow(e);
}

enum fm_stream_state fm__activity_state(fm_activity a) {
  if (!fm__is_valid(a.node, a.generation))
    return FM_STREAM_RUNNING;
  if (a.node->word & FM__HELD)
    return FM_STREAM_PAUSED;
  return a.node == here()->current || !fm__waits_kind(a.node)
             ? FM_STREAM_RUNNING
             : FM_STREAM_WAITING;
}

// ---- listeners: see fm__event_emit ----
void fm__event_listen(fm__event *e, fm__listener *l) {
  l->waiter.word = 0;
  l->node = (fm_node){ .waits = (uintptr_t)&l->waiter | FM__WOBJECT };
  fm__enqueue(&e->queue, &l->node);
}

void fm__listen_no_more(fm__listener *l) {
  fm__dequeue(&l->node);
}

void fm__error_unheard(fm_error *e) {
  fm__error_unwanted(here(),
                     here()->current,
                     e,
                     "in a stream that was closed before it could be thrown");
}
