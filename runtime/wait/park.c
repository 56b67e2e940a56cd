// park.c: waiting in queues (park.h), and memory that belongs to a domain.
//
//     fm__park_near, fm__park_far   the current activity pauses, at the end of a queue
//     fm__wake                      it goes on: it has what it waited for, and a cancel does not
//                                   change that (FM__HOLDS)
//     withdraw                      a cancel: it leaves the queue, as if it had never been there
//
// The waiter stands in the frame of the waiting function, where the macros of sync.h put it, or in
// a frame of its own.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/park.h"

// ---- kinds ----
const fm__wait_kind *const fm__near_kinds[] = {
  [FM__FOR_SEND] = &fm__sending, [FM__FOR_RECEIVE] = &fm__receiving,
  [FM__FOR_PUT] = &fm__putting,  [FM__FOR_TAKE] = &fm__taking,
  [FM__FOR_HEAR] = &fm__hearing, [FM__FOR_GET] = &fm__getting,
};

// The first word of what it waits for is the address of the kind, or a waiter's.
const fm__wait_kind *fm__wait_kind_of(const fm_node *a) {
  void *at = fm__waited_for(a);
  uintptr_t word;
  memcpy(&word, at, sizeof word);
  return word & 1 ? fm__kind_in(at) : (const fm__wait_kind *)word;
}

// ---- waits ----
typedef struct WaitFrame {
  fm_frame h;
  fm__far_waiter far;
} WaitFrame; // belongs to no call
static const fm_code wait_code = { .name = "wait",
                                   .file = "fermata",
                                   .size = sizeof(WaitFrame) };

fm__far_waiter *fm__waiter_new(fm__runtime *d) {
  return &((WaitFrame *)fm__frame_new(&d->c, &wait_code))->far;
}

fm__waiter *fm__waiter_for(fm__runtime *d, unsigned what, void *value) {
  fm__far_waiter *far = fm__waiter_new(d);
  *far = (fm__far_waiter){ value, FM__MADE, { fm__near(0, what) } };
  return &far->w;
}

void fm__waiter_free(fm__runtime *d, fm__waiter *w) {
  char *far = (char *)fm__far(w);
  fm__frame_free(&d->c,
                 &((WaitFrame *)(void *)(far - offsetof(WaitFrame, far)))->h);
}

void fm__wake_all(fm__runtime *d, fm__queue *q) {
  for (fm_node *a; (a = fm__next_waiter(d, q));)
    fm__wake(d, a);
}

// ---- which waiter to serve ----
// NULL: no claim is to be taken. If a cancel has taken it at home, arms that the cancel did not
// reach may still win there.
static fm__claim *claim_of_arm(fm__runtime *d, const fm_node *a) {
  fm__claim *c = a->word & FM__ARM ? fm__claim_of(a->parent) : NULL;
  return c && atomic_load(&c->word) != FM__AT_HOME &&
                 fm__ends_with_its_wait(d, a)
             ? c
             : NULL;
}

fm__matched fm__match(fm__runtime *d, fm_node *a, fm__offer *by) {
  fm__offer *request = fm__is_request(a) ? fm__request_offer(a) : NULL;
  fm__claim *c = request ? request->claim : claim_of_arm(d, a);
  fm__matched m =
      fm__claim_match(by, c, request ? (uintptr_t)request : FM__AT_HOME);
  if (m == FM__PARTNER_VOID && request)
    fm__request_discard(d, a);
  else if (m == FM__PARTNER_VOID)
    fm__race_settle(d, a->parent); // takes it out, and perhaps others
  return m;
}

// by: the offer that it serves, if that comes from another domain. not_of: a race whose arms are
// left out.
fm_node *fm__choose_waiter(fm__runtime *d,
                           fm__queue *q,
                           fm__offer *by,
                           const fm_node *not_of) {
  fm_node *a = q->first;
  while (a) {
    bool skip = not_of && !fm__is_request(a) && a->parent == not_of;
    fm__matched m = skip ? FM__SAME_RACE : fm__match(d, a, by);
    if (m == FM__MATCHED)
      return a;
    if (m == FM__OFFER_VOID)
      return NULL;
    if (m == FM__PARTNER_VOID)
      a = q->first;
    else
      a = fm__is_end(a->link) ? NULL : a->link;
  }
  return NULL;
}

// Whether the queue knows a: not if its object was initialised again, or freed, since a waits. Of a
// waiter in the middle this is not known, nor does it matter: only its neighbours change.
static bool is_in_queue(const fm_node *a) {
  bool last = fm__is_end(a->link);
  const fm_node *first = last ? fm__queue_at(a->link)->first : NULL;
  if (last)
    return first == a ||
           (first && !fm__is_end(first->link) && fm__before(first) == a);
  const fm_node *before = fm__before(a);
  return !fm__is_end(before->link) || fm__queue_at(before->link)->first == a;
}

bool fm__waiter_withdraw(fm__runtime *d, fm_node *a) {
  fm__waiter *w = fm__waiter_of(a);
  if (fm__unlikely(!is_in_queue(a)))
    fm__fatal_of(d,
                 a,
                 "an object was initialised again, or freed, while an activity "
                 "waited for it");
  fm__dequeue(a);
  if (fm__was_made(w))
    fm__waiter_free(d, w);
  a->waits = 0;
  return true;
}

void fm__waiter_drop(fm__runtime *d, fm_node *a) {
  fm__waiter_withdraw(d, a);
}

// ---- struct fm_closed ----
static const struct fm_closed closed;

void fm__throw_closed(fm__runtime *d) {
  fm__throw(&closed, sizeof closed, "fm_closed", NULL, 0);
  fm__start_unwinding(d);
}

// As a result that is an error: the frame holds nothing else.
uintptr_t fm__closed_result(fm__runtime *d) {
  fm_frame *f = fm__frame_new(&d->c, &fm__action_code);
  fm__fail_with(f, fm__error_new(&closed, sizeof closed, "fm_closed", NULL, 0));
  f->spare = 1;
  return (uintptr_t)f | FM__WRESULT | FM__ARMED;
}

void fm__wake_closed(fm__runtime *d, fm_node *a) {
  fm__dequeue(a);
  if (fm__is_request(a))
    fm__request_served(d, a, FM__REQUEST_CLOSED);
  else
    fm__woken(d, a, fm__closed_result(d));
}

// ---- leaf waits ----
const uint32_t fm__leaf_lines[2] = { 0, 0 };
const unsigned char fm__leaf_ends[2] = { 0, FM_ENDS };

void fm__leaf_paused(fm_domain *c, fm_frame *h) {
  h->state = 1;
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED && !fm__unwinds(c))
    fm__paused(c, h);
}

// ---- memory of a domain ----
typedef struct fm__buffer {
  _Alignas(16) struct fm__buffer *next; // in the domain's list, in no order
  struct fm__buffer **back;             // the pointer to this one
} fm__buffer;

static void link_in(fm__runtime *d, fm__buffer *b) {
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

void *fm__buffer_new(fm__runtime *d, void *old, size_t size) {
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

void fm__buffers_free(fm__runtime *d) {
  while (d->buffers)
    fm__buffer_free(d->buffers + 1);
}
