// park.c: waiting in queues (park.h), and memory that belongs to a domain.
//
//     fm__park_in   the current activity pauses, with its waiter at the end of a queue
//     fm__wake      it goes on: what it waited for is its own now, and no cancel takes that away (FM__HOLDS)
//     withdraw      a cancel: it leaves the queue, as if it had never been there
//
// The waiter stands in the frame of who waits, where the macros of sync.h put it, or in a frame of its own.
#include "park.h"

// ---- queues ----
static inline void enqueue(fm__queue *q, fm__waiter *w) {
  fm__waiter *last = q->last;
  w->queue = q;
  w->next = NULL;
  w->prev = last;
  if (last)
    last->next = w;
  else
    q->first = w;
  q->last = w;
}

static inline void dequeue(fm__waiter *w) {
  fm__queue *q = w->queue;
  fm__waiter *next = w->next, *prev = w->prev;
  if (next)
    next->prev = prev;
  else
    q->last = prev;
  if (prev)
    prev->next = next;
  else
    q->first = next;
}

// ---- waits ----
typedef struct WaitFrame { fm_frame h; fm__waiter w; } WaitFrame; // belongs to no call
static const fm_code wait_code = { .name = "wait", .file = "fermata", .size = sizeof(WaitFrame) };

static fm__waiter *waiter_new(fm__domain *d) {
  WaitFrame *f = (WaitFrame *)fm__frame_new(&d->c, &wait_code);
  f->w.frame = &f->h;
  return &f->w;
}

static inline void waiter_free(fm__domain *d, fm__waiter *w) {
  if (w->frame)
    fm__frame_free(&d->c, w->frame);
}

void fm__park_in(fm__domain *d, fm__queue *q, fm__waiter *w, const fm__wait_kind *kind, void *value) {
  if (fm__is_armed(d)) {
    fm__throw_cancel(d);
    return;
  }
  if (w)
    w->frame = NULL;
  else
    w = waiter_new(d);
  w->kind = kind;
  w->node = d->current;
  w->value = value;
  enqueue(q, w);
  fm__pause_for(d, FM__WDIRECT, w);
}

static inline void go_on(fm__domain *d, fm_node *a, uintptr_t waits) {
  a->waits = waits;
  fm__ready(d, a);
  if (fm__unlikely(a->word & FM__ARM) && a->leaf->code->lands & FM_SIMPLE_ARM)
    fm__arm_wins(d, a);
}

void fm__wake(fm__domain *d, fm__waiter *w) {
  fm_node *a = w->node;
  dequeue(w);
  waiter_free(d, w);
  go_on(d, a, FM__HOLDS);
}

void fm__wake_all(fm__domain *d, fm__queue *q) {
  while (q->first)
    fm__wake(d, q->first);
}

bool fm__waiter_withdraw(fm__domain *d, fm_node *a) {
  fm__waiter *w = fm__what(a);
  dequeue(w);
  waiter_free(d, w);
  a->waits = 0;
  return true;
}

void fm__waiter_drop(fm__domain *d, fm_node *a) {
  fm__waiter_withdraw(d, a);
}

// ---- struct fm_closed ----
static const struct fm_closed closed;

void fm__throw_closed(fm__domain *d) {
  fm__throw(&closed, sizeof closed, "fm_closed", NULL, 0);
  fm__start_unwinding(d);
}

// As a result that is an error: the frame holds nothing else.
void fm__wake_closed(fm__domain *d, fm__waiter *w) {
  fm_node *a = w->node;
  fm_frame *f = fm__frame_new(&d->c, &fm__action_code);
  dequeue(w);
  waiter_free(d, w);
  fm__fail_with(f, fm__error_new(&closed, sizeof closed, "fm_closed", NULL, 0));
  f->spare = 1;
  go_on(d, a, (uintptr_t)f | FM__WRESULT | FM__ARMED);
}

// ---- leaf waits ----
const uint32_t fm__leaf_lines[2] = { 0, 0 };

void fm__leaf_paused(fm_domain *c, fm_frame *h) {
  h->state = 1;
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED && !fm__unwinds(c))
    fm__paused(c, h);
}

// ---- memory of a domain ----
typedef struct fm__buffer {
  _Alignas(16) struct fm__buffer *next;           // of the domain's, in no order
  struct fm__buffer **back;                       // what points at this one
} fm__buffer;

static void link_in(fm__domain *d, fm__buffer *b) {
  b->next = d->buffers;
  b->back = &d->buffers;
  if (b->next)
    b->next->back = &b->next;
  d->buffers = b;
}

static void link_out(fm__buffer *b) {
  *b->back = b->next;
  if (b->next)
    b->next->back = b->back;
}

void *fm__buffer_new(fm__domain *d, void *old, size_t size) {
  fm__buffer *b = old ? (fm__buffer *)old - 1 : NULL;
  if (b)
    link_out(b);
  b = size < SIZE_MAX / 2 ? fm__realloc(b, sizeof *b + size) : NULL;
  if (!b)
    fm__out_of_memory("values", "", size);
  link_in(d, b);
  return b + 1;
}

void fm__buffer_free(void *p) {
  if (!p)
    return;
  link_out((fm__buffer *)p - 1);
  fm__free((fm__buffer *)p - 1);
}

void fm__buffers_free(fm__domain *d) {
  while (d->buffers)
    fm__buffer_free(d->buffers + 1);
}
