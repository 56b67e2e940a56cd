// chan.c: channels and MVars of sync.h. A MVar is a channel of capacity 1 that is never closed and has its ring in itself.
//
// Always: someone waits to receive only if no value is in the channel, and to send only if it is full. (But an arm of a race does
// not serve another arm of it, see fm__first: these may stand in both queues of a channel until the race is over.) So a value goes
// straight to who has waited longest for one, and what is taken makes room for who has waited longest for that.
#include "park.h"

static const fm__wait_kind sending = FM__KIND("room in a channel"), receiving = FM__KIND("a value from a channel"),
                           putting = FM__KIND("a MVar to be empty"), taking = FM__KIND("a MVar to be full");

// ---- the ring ----
static inline char *place(const fm__chan *c, size_t i) {
  return c->ring + ((c->head + i) & (c->room - 1)) * c->size;
}

// Twice the room. The values that stand before the head go behind the last one: there is as much new room as there was.
static FM_COLD void grow(fm__domain *d, fm__chan *c) {
  size_t room = c->room ? c->room * 2 : 4, size = c->size ? c->size : 1;
  if (room > SIZE_MAX / 2 / size)
    fm__out_of_memory("a channel", "", SIZE_MAX);
  c->ring = fm__buffer_new(d, c->ring, room * size);
  if (c->room) {
    c->head &= c->room - 1;
    memcpy(c->ring + c->room * c->size, c->ring, c->head * c->size);
  }
  c->room = room;
}

static inline void put(fm__domain *d, fm__chan *c, const void *v) {
  if (fm__unlikely(c->count == c->room))
    grow(d, c);
  fm__copy(place(c, c->count), v, c->size);
  c->count++;
}

static inline void get(fm__chan *c, void *v) {
  fm__copy(v, place(c, 0), c->size);
  c->head++;
  c->count--;
}

// ---- one value: whether it could be done at once ----
static inline __attribute__((always_inline)) bool send(fm__domain *d, fm__chan *c, const void *v) {
  fm__waiter *w = fm__first(d, &c->receivers);
  if (w) {
    fm__copy(w->value, v, c->size);
    fm__wake(d, w);
    return true;
  }
  if (c->count >= c->cap)
    return false;
  put(d, c, v);
  return true;
}

static inline __attribute__((always_inline)) bool receive(fm__domain *d, fm__chan *c, void *v) {
  fm__waiter *w = fm__first(d, &c->senders);
  if (c->count) {
    get(c, v);
    if (w)
      put(d, c, w->value);
  } else if (w) {
    fm__copy(v, w->value, c->size);
  } else {
    return false;
  }
  if (w)
    fm__wake(d, w);
  return true;
}

void fm__chan_put(fm__domain *d, fm__chan *c, const void *v) {
  send(d, c, v);
}

bool fm__chan_get(fm__chan *c, void *v) {
  if (!c->count)
    return false;
  get(c, v);
  return true;
}

// ---- channels ----
void fm__chan_init(fm__chan *c, size_t size, size_t cap) {
  *c = (fm__chan){ .size = size, .cap = cap };
}

void fm__chan_free(fm__chan *c) {
  if (!c->fixed)
    fm__buffer_free(c->ring);
  c->ring = NULL;
  c->room = c->count = 0;
}

void fm__chan_close(fm__chan *c) {
  fm__domain *d = fm__of(fm__here());
  c->closed = true;
  while (c->receivers.first)
    fm__wake_closed(d, c->receivers.first);
  while (c->senders.first)
    fm__wake_closed(d, c->senders.first);
  if (!c->count)
    fm__chan_free(c);
}

size_t fm__chan_try_send(fm__chan *c, const void *from, size_t n) {
  fm__domain *d = fm__of(fm__here());
  size_t i = 0;
  while (i < n && !c->closed && send(d, c, (const char *)from + i * c->size))
    i++;
  return i;
}

size_t fm__chan_try_recv(fm__chan *c, void *to, size_t n) {
  fm__domain *d = fm__of(fm__here());
  size_t i = 0;
  while (i < n && receive(d, c, (char *)to + i * c->size))
    i++;
  return i;
}

void fm__chan_send__fm_call(fm_domain *c, fm__chan *o, void *v, fm__waiter *w) {
  fm__domain *d = fm__of(c);
  c->result = NULL;
  if (fm__unlikely(o->closed))
    fm__throw_closed(d);
  else if (!send(d, o, v))
    fm__park_in(d, &o->senders, w, &sending, v);
}

void fm__chan_recv__fm_call(fm_domain *c, fm__chan *o, void *v, fm__waiter *w) {
  fm__domain *d = fm__of(c);
  c->result = NULL;
  if (receive(d, o, v))
    return;
  if (fm__unlikely(o->closed))
    fm__throw_closed(d);
  else
    fm__park_in(d, &o->receivers, w, &receiving, v);
}

FM__LEAF(fm__chan_send, fm__chan *, fm__waiter *);
FM__LEAF(fm__chan_recv, fm__chan *, fm__waiter *);

// ---- MVars ----
void fm__mvar_init(fm__chan *m, size_t size, void *value) {
  *m = (fm__chan){ .ring = value, .size = size, .cap = 1, .room = 1, .fixed = true };
}

void fm__mvar_put__fm_call(fm_domain *c, fm__chan *o, void *v, fm__waiter *w) {
  fm__domain *d = fm__of(c);
  c->result = NULL;
  if (!send(d, o, v))
    fm__park_in(d, &o->senders, w, &putting, v);
}

void fm__mvar_take__fm_call(fm_domain *c, fm__chan *o, void *v, fm__waiter *w) {
  fm__domain *d = fm__of(c);
  c->result = NULL;
  if (!receive(d, o, v))
    fm__park_in(d, &o->receivers, w, &taking, v);
}

FM__LEAF(fm__mvar_put, fm__chan *, fm__waiter *);
FM__LEAF(fm__mvar_take, fm__chan *, fm__waiter *);
