// broadcast.c: broadcasts of broadcast.h. Values are numbered: the broadcast keeps those from
// `head` up to `tail`, at most `backlog` of them, each at its number modulo the room of the ring. A
// subscription knows the number of the value that it gets next.
//
// Always: somebody waits for a subscription only if it has received every value, and to publish
// only if a subscriber holds a full backlog. (As with channels, an arm of a race does not serve
// another arm of its race.) A value that is published goes straight to the first waiter of each
// subscription that has one. Subscriptions with waiters are in a list, in the order in which they
// came there or were last offered a value; so publishing costs nothing for the others.
//
// With FM_HOLD each value has a count of the subscribers that have not received it, and `needed` is
// the first value whose count is not 0. So receiving, publishing and subscribing take constant
// time, and unsubscribing as long as the backlog is.
//
// A subscription is the library's, because the owner of the broadcast uses it, whatever domain the
// subscriber is in.
#include "wait/park.h"

typedef struct fm__subscription {
  fm__broadcast *of;
  fm__queue waiters;
  struct fm__subscription *next, *prev; // in of->waiting
  size_t number;                        // of its next value
  size_t offered; // the number after the last value that was offered to it
  bool listed;    // in of->waiting
  bool foreign;   // another domain has made it: no buffer of the domain
} subscription;

static bool withdraw(fm__runtime *d, fm_node *a);
static const fm__wait_kind publishing = FM__KIND("room in a broadcast");
static const fm__wait_kind hearing = {
  .what = "a value from a broadcast",
  .withdraw = withdraw,
  .drop = fm__waiter_drop,
  .inner = true,
};

// ---- the ring ----
static size_t room_of(const fm__broadcast *b) {
  return b->mask + 1; // without a ring, mask is SIZE_MAX
}

static char *place(const fm__broadcast *b, size_t number) {
  return b->ring + (number & b->mask) * b->size;
}

static size_t *count_of(const fm__broadcast *b, size_t number) {
  return &b->counts[number & b->mask];
}

static void move_values(const fm__broadcast *from, fm__broadcast *to) {
  for (size_t n = from->head; n != from->tail; n++) {
    memcpy(place(to, n), place(from, n), from->size);
    if (from->holds)
      *count_of(to, n) = *count_of(from, n);
  }
}

static FM_COLD void grow(fm__runtime *d, fm__broadcast *b) {
  fm__broadcast was = *b;
  size_t room = b->ring ? room_of(b) * 2 : 4;
  size_t size = b->size ? b->size : 1;
  if (room > SIZE_MAX / 2 / size || room > SIZE_MAX / 2 / sizeof(size_t))
    fm__out_of_memory("a broadcast", "", SIZE_MAX);
  b->mask = room - 1;
  b->ring = fm__buffer_new(d, NULL, room * size);
  if (b->holds)
    b->counts = fm__buffer_new(d, NULL, room * sizeof(size_t));
  if (!was.ring)
    return;
  move_values(&was, b);
  fm__buffer_free(was.ring);
  fm__buffer_free(was.counts);
}

static void put(fm__runtime *d, fm__broadcast *b, const void *v) {
  if (b->tail - b->head == b->backlog)
    b->head++;
  if (b->tail - b->head == room_of(b))
    grow(d, b);
  fm__copy(place(b, b->tail), v, b->size);
  if (b->holds)
    *count_of(b, b->tail) = b->subscribers;
  b->tail++;
  if (!b->subscribers)
    b->needed = b->tail;
}

static bool is_full(const fm__broadcast *b) {
  return b->holds && b->tail - b->needed >= b->backlog;
}

// ---- values to subscriptions ----
static void skip_received(fm__broadcast *b) {
  while (b->needed != b->tail && !*count_of(b, b->needed))
    b->needed++;
}

static bool has_value(const subscription *s) {
  return s->number != s->of->tail;
}

// Where the number of lost values stands after a value, see fm_subscriber.
static void note_lost(void *value, size_t size, uint64_t lost) {
  memcpy((char *)value + ((size + 7) & ~(size_t)7), &lost, sizeof lost);
}

static void give(subscription *s, void *to) {
  fm__broadcast *b = s->of;
  uint64_t lost = 0;
  if ((ptrdiff_t)(s->number - b->head) < 0) {
    lost = b->head - s->number;
    s->number = b->head;
  }
  fm__copy(to, place(b, s->number), b->size);
  note_lost(to, b->size, lost);
  if (b->holds && !--*count_of(b, s->number) && s->number == b->needed)
    skip_received(b);
  s->number++;
}

static void list(subscription *s) {
  fm__broadcast *b = s->of;
  if (s->listed)
    return;
  s->listed = true;
  s->next = NULL;
  s->prev = b->last_waiting;
  *(s->prev ? &s->prev->next : &b->waiting) = s;
  b->last_waiting = s;
}

static void unlist(subscription *s) {
  fm__broadcast *b = s->of;
  if (!s->listed)
    return;
  s->listed = false;
  *(s->prev ? &s->prev->next : &b->waiting) = s->next;
  *(s->next ? &s->next->prev : &b->last_waiting) = s->prev;
}

// The last one that waits for a subscription takes it out of the list.
static bool withdraw(fm__runtime *d, fm_node *a) {
  if (fm__is_alone(a))
    unlist((subscription *)(void *)((char *)fm__queue_at(a->link) -
                                    offsetof(subscription, waiters)));
  return fm__waiter_withdraw(d, a);
}

static void was_left(fm__runtime *d, void *o) {
  subscription *s = o;
  (void)d;
  if (!s->waiters.first)
    unlist(s);
}

// The newest value goes to one waiter of each subscription. A waiter that is an arm may take others
// with it when it wins, so each step begins with the first of the list.
static void deliver(fm__runtime *d, fm__broadcast *b) {
  size_t number = b->tail;
  for (subscription *s; (s = b->waiting) && s->offered != number;) {
    fm_node *a = fm__first_waiter(d, &s->waiters);
    s->offered = number;
    unlist(s);
    if (a) {
      give(s, fm__value_of(a));
      fm__wake(d, a);
    }
    if (s->waiters.first)
      list(s);
  }
}

static void publish(fm__runtime *d, fm__broadcast *b, const void *v) {
  put(d, b, v);
  deliver(d, b);
}

// Publishers that wait, as far as there is room.
static void let_in(fm__runtime *d, fm__broadcast *b) {
  for (fm_node *a; !is_full(b) && (a = fm__first_waiter(d, &b->publishers));) {
    put(d, b, fm__value_of(a));
    fm__wake(d, a);
    deliver(d, b);
  }
}

static bool hear(fm__runtime *d, subscription *s, void *to) {
  if (!has_value(s))
    return false;
  give(s, to);
  if (s->of->publishers.first)
    let_in(d, s->of);
  return true;
}

// ---- broadcasts ----
void fm__broadcast_init(fm__broadcast *b,
                        size_t size,
                        size_t backlog,
                        fm_slow slow) {
  if (!backlog)
    fm__fatal(fm__runtime_of(fm__here()),
              "fm_broadcast_init with a backlog of 0");
  if (size > UINT32_MAX)
    fm__out_of_memory("a broadcast", "", size);
  *b = (fm__broadcast){
    .owner = fm__owner_here(),
    .mask = SIZE_MAX,
    .backlog = backlog,
    .size = (uint32_t)size,
    .holds = slow == FM_HOLD,
  };
}

static inline void check_made(const fm__broadcast *b) {
  if (fm__unlikely(!b->backlog))
    fm__misuse("use of a broadcast that was not initialised: call "
               "fm_broadcast_init first");
}

void fm__broadcast_free(fm__broadcast *b) {
  if (b->subscribers || b->publishers.first)
    fm__misuse(b->subscribers
                   ? "fm_broadcast_free while there are subscribers"
                   : "fm_broadcast_free while an activity waits to publish");
  fm__buffer_free(b->ring);
  fm__buffer_free(b->counts);
  b->ring = NULL;
  b->counts = NULL;
  b->mask = SIZE_MAX;
  b->head = b->needed = b->tail;
}

static void close_it(fm__runtime *d, void *o, void *v, size_t size) {
  fm__broadcast *b = o;
  (void)v, (void)size;
  b->closed = true;
  for (fm_node *a; (a = fm__next_waiter(d, &b->publishers));)
    fm__wake_closed(d, a);
  while (b->waiting) {
    subscription *s = b->waiting;
    unlist(s);
    for (fm_node *a; (a = fm__next_waiter(d, &s->waiters));)
      fm__wake_closed(d, a);
  }
}

void fm__broadcast_close(fm__broadcast *b) {
  bool own;
  fm__runtime *d = fm__object_user(&b->owner, &own);
  if (own)
    close_it(d, b, NULL, 0);
  else
    fm__request_post(fm__owner_of(b), close_it, b, NULL, 0);
}

static bool may_publish(const fm__broadcast *b) {
  return !b->closed && !is_full(b) && !b->publishers.first;
}

bool fm__broadcast_try(fm__broadcast *b, const void *v) {
  bool own;
  fm__runtime *d = fm__object_user(&b->owner, &own);
  if (!own || !may_publish(b))
    return false;
  publish(d, b, v);
  return true;
}

static int
attempt_publish(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm__broadcast *b = o;
  (void)size;
  if (!b->closed && !may_publish(b))
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  if (b->closed)
    return FM__REQUEST_CLOSED;
  publish(d, b, v);
  return FM__REQUEST_DONE;
}

static const fm__request_kind request_to_publish = {
  .attempt = attempt_publish,
  .throws = true,
};

void fm__publish__fm_call(
    fm_domain *c, fm__broadcast *o, void *v, fm__far_waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  check_made(o);
  c->result = NULL;
  if (fm__done_by_request(
          c, &o->owner, &request_to_publish, o, &o->publishers, v, size))
    return;
  if (o->closed)
    fm__throw_closed(d);
  else if (may_publish(o))
    publish(d, o, v);
  else
    fm__park_far(d, &o->publishers, w, &publishing, v);
}

FM__LEAF(fm__publish, fm__broadcast *, fm__far_waiter *, 4);

void fm__publish__fm_last(
    fm_domain *c, fm__broadcast *o, void *v, fm__far_waiter *w, size_t size) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__publish__fm_call(c, o, v, w, size);
  fm__runtime_of(c)->as_offer = false;
}

// ---- subscriptions ----
typedef struct Start { // of a subscription
  subscription *s;
  size_t n; // values before it
} Start;

static void begin(fm__runtime *d, void *o, void *v, size_t size) {
  fm__broadcast *b = o;
  const Start *start = v;
  subscription *s = start->s;
  size_t kept = b->tail - b->head;
  (void)d, (void)size;
  s->number = b->tail - (start->n < kept ? start->n : kept);
  s->offered = b->tail;
  b->subscribers++;
  if (!b->holds)
    return;
  for (size_t n = s->number; n != b->tail; n++)
    ++*count_of(b, n);
  if (b->tail - s->number > b->tail - b->needed)
    b->needed = s->number;
}

void fm__subscribe(fm__broadcast *b, fm__subscriber *s, size_t n) {
  bool own;
  check_made(b);
  fm__runtime *d = fm__object_user(&b->owner, &own);
  size_t size = sizeof(subscription);
  subscription *new = own ? fm__buffer_new(d, NULL, size) : fm__alloc(size);
  if (!new)
    fm__out_of_memory("a subscription", "", size);
  *new = (subscription){ .of = b, .foreign = !own };
  *s = (fm__subscriber){ .subscription = new };
  Start start = { new, n };
  if (own)
    begin(d, b, &start, sizeof start);
  else
    fm__request_post(fm__owner_of(b), begin, b, &start, sizeof start);
}

static void end(fm__runtime *d, void *o, void *v, size_t size) {
  fm__broadcast *b = o;
  subscription *s = *(subscription *const *)v;
  (void)size;
  unlist(s);
  b->subscribers--;
  if (b->holds) {
    for (size_t n = s->number; n != b->tail; n++)
      --*count_of(b, n);
    skip_received(b);
    let_in(d, b);
  }
  if (s->foreign)
    fm__free(s);
  else
    fm__buffer_free(s);
}

void fm__unsubscribe(fm__subscriber *s) {
  subscription *was = s->subscription;
  bool own;
  if (!was)
    return;
  fm__runtime *d = fm__object_user(&was->of->owner, &own);
  if (own && was->waiters.first)
    fm__fatal(d, "fm_subscriber_free while an activity waits for a value");
  s->subscription = NULL;
  if (own)
    end(d, was->of, &was, sizeof was);
  else
    fm__request_post(fm__owner_of(was->of), end, was->of, &was, sizeof was);
}

// ---- hearing ----
static subscription *subscription_of(const fm__subscriber *s) {
  if (!s->subscription)
    fm__fatal(fm__runtime_of(fm__here()),
              "fm_hear by a subscriber without a subscription");
  return s->subscription;
}

bool fm__try_hear(fm__subscriber *s, void *to) {
  bool own;
  subscription *on = subscription_of(s);
  fm__runtime *d = fm__object_user(&on->of->owner, &own);
  return own && hear(d, on, to);
}

static int
attempt_hear(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  subscription *s = o;
  (void)size;
  if (!has_value(s) && !s->of->closed) {
    list(s);
    return FM__REQUEST_WAITS;
  }
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  return hear(d, s, v) ? FM__REQUEST_DONE : FM__REQUEST_CLOSED;
}

static const fm__request_kind request_to_hear = {
  .attempt = attempt_hear,
  .receives = true,
  .throws = true,
  .left = was_left,
};

void fm__hear__fm_call(
    fm_domain *c, fm__subscriber *o, void *v, fm__far_waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  subscription *s = subscription_of(o);
  c->result = NULL;
  if (fm__done_by_request(
          c, &s->of->owner, &request_to_hear, s, &s->waiters, v, size) ||
      hear(d, s, v))
    return;
  if (s->of->closed) {
    fm__throw_closed(d);
    return;
  }
  fm__park_far(d, &s->waiters, w, &hearing, v);
  if (s->waiters.first)
    list(s);
}

FM__LEAF(fm__hear, fm__subscriber *, fm__far_waiter *, 4);

void fm__hear__fm_last(
    fm_domain *c, fm__subscriber *o, void *v, fm__far_waiter *w, size_t size) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__hear__fm_call(c, o, v, w, size);
  fm__runtime_of(c)->as_offer = false;
}
