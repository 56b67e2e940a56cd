// chan.c: channels and MVars of sync.h. An MVar is a channel of capacity 1 that is never closed and
// has its ring in itself.
//
// Always: an activity waits to receive only if the channel holds no value, and to send only if it
// is full. (An arm of a race does not serve another arm of the same race, see fm__first_waiter:
// such arms may stand in both queues of a channel until the race is over.) So a value goes straight
// to the activity that has waited longest for one, and a value taken makes room for the activity
// that has waited longest to send.
//
// Values are numbered: the channel holds those from `head` up to `tail`, each at its number modulo
// the room of the ring. While nothing waits and there is room, generated code puts values in and
// takes them out by itself (abi-chan.h): `open` is the limit. In a function that was resumed it
// also serves and waits by itself, in the common cases.
#include "wait/park.h"
#include <fermata/stream.h>

#include "wait/stream-support.h"

const fm__wait_kind fm__sending = FM__KIND("room in a channel"),
                    fm__receiving = FM__KIND("a value from a channel"),
                    fm__putting = FM__KIND("a MVar to be empty"),
                    fm__taking = FM__KIND("a MVar to be full");

// ---- the ring ----
static inline size_t count_of(const fm__chan *c) {
  return c->tail - c->head;
}
static inline size_t room_of(const fm__chan *c) {
  return c->mask + 1;
} // without a ring, mask is SIZE_MAX
static inline char *place(const fm__chan *c, size_t number) {
  return c->ring + (number & c->mask) * c->size;
}

static void set_open(fm__chan *c) {
  c->open = c->closed ? 0 : c->cap < room_of(c) ? c->cap : room_of(c);
  c->direct = false; // there is a ring, or no waits are possible any more
}

// Twice the room, in a new ring. Values before the head move after the last one: the new room is as
// large as the old one.
static FM_COLD void grow(fm__runtime *d, fm__chan *c) {
  size_t old = room_of(c);
  size_t room = old ? old * 2 : 4;
  size_t size = c->size ? c->size : 1;
  size_t n = count_of(c);
  if (room > SIZE_MAX / 2 / size)
    fm__out_of_memory("a channel", "", SIZE_MAX);
  char *ring = fm__buffer_new(d, c->fixed ? NULL : c->ring, room * size);
  if (c->fixed)
    memcpy(ring, c->ring, old * c->size);
  c->ring = ring;
  c->fixed = false;
  c->head &= c->mask;
  if (old)
    memcpy(c->ring + old * c->size, c->ring, c->head * c->size);
  c->tail = c->head + n;
  c->mask = room - 1;
  set_open(c);
}

static inline void
put(fm__runtime *d, fm__chan *c, const void *v, size_t size) {
  if (fm__unlikely(count_of(c) == room_of(c)))
    grow(d, c);
  fm__copy(place(c, c->tail++), v, size);
}

static inline void get(fm__chan *c, void *v, size_t size) {
  fm__copy(v, place(c, c->head++), size);
}

// ---- one value: returns whether it could be done at once ----
static inline __attribute__((always_inline)) bool
send(fm__runtime *d, fm__chan *c, const void *v, size_t size) {
  fm_node *a = fm__first_waiter(d, &c->receivers);
  if (a) {
    fm__copy(fm__value_of(a), v, size);
    fm__wake(d, a);
    return true;
  }
  if (count_of(c) >= c->cap)
    return false;
  put(d, c, v, size);
  return true;
}

static inline __attribute__((always_inline)) bool
receive(fm__runtime *d, fm__chan *c, void *v, size_t size) {
  fm_node *a = fm__first_waiter(d, &c->senders);
  if (fm__unlikely(count_of(c) != 0)) {
    get(c, v, size);
    if (a)
      put(d, c, fm__value_of(a), size);
  } else if (a) {
    fm__copy(v, fm__value_of(a), size);
  } else {
    return false;
  }
  if (a)
    fm__wake(d, a);
  return true;
}

void fm__chan_put(fm__runtime *d, fm__chan *c, const void *v) {
  fm_node *a = fm__next_waiter(d, &c->receivers);
  if (!a) {
    put(d, c, v, c->size);
    return;
  }
  fm__copy(fm__value_of(a), v, c->size);
  fm__wake(d, a);
}

bool fm__chan_get(fm__chan *c, void *v) {
  if (!count_of(c))
    return false;
  get(c, v, c->size);
  return true;
}

// ---- channels ----
void fm__chan_init(fm__chan *c, size_t size, size_t cap) {
  if (size > UINT32_MAX)
    fm__out_of_memory("a channel", "", size);
  // One by one: gcc would zero it all by `rep stos`, which takes longer.
  c->owner = fm__owner_here();
  c->receivers = c->senders = (fm__queue){ NULL };
  c->head = c->tail = 0;
  c->ring = NULL;
  c->mask = SIZE_MAX;
  c->open = 0;
  c->cap = cap;
  c->size = (uint32_t)size;
  c->closed = c->fixed = false;
  c->direct = cap == 0;
  c->made = (uintptr_t)FM__CALLER;
}

// Zeroed memory has no owner yet, so a first use comes here. A hand-over channel is `direct`.
static bool is_made(const fm__chan *c) {
  return fm__owner_of(c) || c->cap || c->direct;
}

#define NOT_MADE                                                             \
  "use of a channel or MVar that was not initialised: call fm_chan_init or " \
  "fm_mvar_init first"

static inline void check_made(const fm__chan *c) {
  if (fm__unlikely(!is_made(c)))
    fm__misuse(NOT_MADE);
}

// The function that was resumed has noted its state, and left the C stack.
static inline void check_made_when_rare(fm_domain *c, const fm__chan *o) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__unlikely(!is_made(o)))
    fm__fatal_of(d, d->current, NOT_MADE);
}

void fm__chan_free(fm__chan *c) {
  if (fm__unlikely(c->receivers.first || c->senders.first))
    fm__misuse("a channel or mailbox is freed while an activity waits for it");
  if (!c->fixed)
    fm__buffer_free(c->ring);
  c->ring = NULL;
  c->head = c->tail = 0;
  c->mask = SIZE_MAX;
  c->open = 0;
}

static void close_it(fm__runtime *d, void *o, void *v, size_t size) {
  fm__chan *c = o;
  (void)v, (void)size;
  c->closed = true;
  // No send finds it full: so only a send that does not has to check whether it is closed.
  c->cap = SIZE_MAX;
  set_open(c);
  for (fm_node *a; (a = fm__next_waiter(d, &c->receivers));)
    fm__wake_closed(d, a);
  for (fm_node *a; (a = fm__next_waiter(d, &c->senders));)
    fm__wake_closed(d, a);
  if (!count_of(c))
    fm__chan_free(c);
}

void fm__chan_close(fm__chan *c) {
  bool own;
  check_made(c);
  fm__runtime *d = fm__object_user(&c->owner, &own);
  if (own)
    close_it(d, c, NULL, 0);
  else
    fm__request_post(fm__owner_of(c), close_it, c, NULL, 0);
}

size_t fm__chan_try_send(fm__chan *c, const void *from, size_t n) {
  bool own;
  check_made(c);
  fm__runtime *d = fm__object_user(&c->owner, &own);
  size_t i = 0;
  while (own && i < n && !c->closed &&
         send(d, c, (const char *)from + i * c->size, c->size))
    i++;
  return i;
}

size_t fm__chan_try_recv(fm__chan *c, void *to, size_t n) {
  bool own;
  check_made(c);
  fm__runtime *d = fm__object_user(&c->owner, &own);
  size_t i = 0;
  while (own && i < n && receive(d, c, (char *)to + i * c->size, c->size))
    i++;
  return i;
}

bool fm__chan_try_send_one(fm__chan *c, const void *from) {
  return fm__chan_try_send(c, from, 1);
}

bool fm__chan_try_recv_one(fm__chan *c, void *to) {
  return fm__chan_try_recv(c, to, 1);
}

// ---- from another domain: see remote-sync.c ----
static int
attempt_send(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm__chan *c = o;
  fm_node *a = c->closed ? NULL : fm__choose_waiter(d, &c->receivers, by, NULL);
  if (a) {
    fm__copy(fm__value_of(a), v, size);
    fm__wake(d, a);
    return FM__REQUEST_DONE;
  }
  if (!c->closed && count_of(c) >= c->cap)
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  if (c->closed)
    return FM__REQUEST_CLOSED;
  put(d, c, v, size);
  return FM__REQUEST_DONE;
}

static int
attempt_receive(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm__chan *c = o;
  fm_node *a = count_of(c) ? NULL : fm__choose_waiter(d, &c->senders, by, NULL);
  if (a) {
    fm__copy(v, fm__value_of(a), size);
    fm__wake(d, a);
    return FM__REQUEST_DONE;
  }
  if (!count_of(c) && !c->closed)
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  return receive(d, c, v, size) ? FM__REQUEST_DONE : FM__REQUEST_CLOSED;
}

static const fm__request_kind request_to_send = { .attempt = attempt_send,
                                                  .throws = true };
static const fm__request_kind request_to_receive = {
  .attempt = attempt_receive,
  .receives = true,
  .throws = true,
};
static const fm__request_kind request_to_put = { .attempt = attempt_send };
static const fm__request_kind request_to_take = { .attempt = attempt_receive,
                                                  .receives = true };

// true: the channel belongs to another domain, which has been asked; or is to be treated so.
static inline bool is_done_by_request(fm_domain *c,
                                      fm__chan *o,
                                      const fm__request_kind *op,
                                      void *v,
                                      size_t size) {
  if (fm__likely(fm__owner_of(o) == c && !fm__runtime_of(c)->as_offer))
    return false;
  check_made(o);
  return fm__done_by_request(
      c, &o->owner, op, o, op->receives ? &o->receivers : &o->senders, v, size);
}

static __attribute__((noinline)) void send_or_wait(fm_domain *c,
                                                   fm__chan *o,
                                                   void *v,
                                                   fm__waiter *w,
                                                   size_t size,
                                                   ptrdiff_t far) {
  fm__runtime *d = fm__runtime_of(c);
  if (is_done_by_request(c, o, &request_to_send, v, size))
    return;
  if (fm__unlikely(o->closed))
    fm__throw_closed(d);
  else if (!send(d, o, v, size))
    fm__park_near(d, &o->senders, w, FM__FOR_SEND, v, far);
}

static __attribute__((noinline)) void receive_or_wait(fm_domain *c,
                                                      fm__chan *o,
                                                      void *v,
                                                      fm__waiter *w,
                                                      size_t size,
                                                      ptrdiff_t far) {
  fm__runtime *d = fm__runtime_of(c);
  if (is_done_by_request(c, o, &request_to_receive, v, size) ||
      receive(d, o, v, size))
    return;
  if (fm__unlikely(o->closed))
    fm__throw_closed(d);
  else
    fm__park_near(d, &o->receivers, w, FM__FOR_RECEIVE, v, far);
}

// The common sizes and cases first. Everything else is a call in tail position with the same
// arguments, so these functions save no registers.
#define BY_SIZE(operation, size)                 \
  ((size) == 4   ? operation(c, o, v, w, 4, far) \
   : (size) == 8 ? operation(c, o, v, w, 8, far) \
                 : FM_RARE)

void fm__chan_send_any(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (BY_SIZE(fm__chan_send__fm_inline, size) == FM_RARE)
    send_or_wait(c, o, v, w, size, far);
}

void fm__chan_recv_any(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (BY_SIZE(fm__chan_recv__fm_inline, size) == FM_RARE)
    receive_or_wait(c, o, v, w, size, far);
}

void fm__chan_send__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  check_made_when_rare(c, o);
  send_or_wait(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

void fm__chan_recv__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  check_made_when_rare(c, o);
  receive_or_wait(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

// ---- the last wait of a function, in an arm ----
void fm__chan_send_arm(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (fm__arm_goes_on(c))
    send_or_wait(c, o, v, w, size, far);
  fm__runtime_of(c)->as_offer = false;
}

void fm__chan_recv_arm(fm_domain *c,
                       fm__chan *o,
                       void *v,
                       fm__waiter *w,
                       size_t size,
                       ptrdiff_t far) {
  if (fm__arm_goes_on(c))
    receive_or_wait(c, o, v, w, size, far);
  fm__runtime_of(c)->as_offer = false;
}

void fm__chan_send__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far) {
  check_made_when_rare(c, o);
  if (fm__is_arm(c))
    fm__chan_send_arm(c, o, v, w, size, far);
  else
    send_or_wait(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

void fm__chan_recv__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far) {
  check_made_when_rare(c, o);
  if (fm__is_arm(c))
    fm__chan_recv_arm(c, o, v, w, size, far);
  else
    receive_or_wait(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

// Generated code calls these where it does not use the inline versions of abi-chan.h.
void fm__chan_send__fm_call(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  fm__chan_send_any(c, o, v, w, size, far);
}

void fm__chan_recv__fm_call(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  fm__chan_recv_any(c, o, v, w, size, far);
}

// ---- the values of generators (library/stream-hub.c) ----
static __attribute__((noinline)) void give_or_wait(fm_domain *c,
                                                   fm__chan *o,
                                                   void *v,
                                                   fm__waiter *w,
                                                   size_t size,
                                                   ptrdiff_t far) {
  fm__runtime *d = fm__runtime_of(c);
  if (!is_done_by_request(c, o, &request_to_put, v, size) && !o->closed &&
      !send(d, o, v, size))
    fm__park_near(d, &o->senders, w, FM__FOR_SEND, v, far);
}

void fm__chan_give__fm_call(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  if (BY_SIZE(fm__chan_give__fm_inline, size) == FM_RARE)
    give_or_wait(c, o, v, w, size, far);
}

void fm__chan_give__fm_rare(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  give_or_wait(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

void fm__chan_give__fm_last(fm_domain *c,
                            fm__chan *o,
                            void *v,
                            fm__waiter *w,
                            size_t size,
                            ptrdiff_t far) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    give_or_wait(c, o, v, w, size, far);
  fm__runtime_of(c)->as_offer = false;
}

void fm__chan_give__fm_rare_last(fm_domain *c,
                                 fm__chan *o,
                                 void *v,
                                 fm__waiter *w,
                                 size_t size,
                                 ptrdiff_t far) {
  fm__chan_give__fm_last(c, o, v, w, size, far);
  fm__rare_done(fm__runtime_of(c));
}

// The value of the first sender, if that takes no more than some stores; otherwise as
// fm__chan_try_recv.
bool fm__chan_take(fm__chan *o, void *v) {
  fm_domain *c = fm__here();
  fm_node *a = o->senders.first;
  if (fm__likely(a && o->direct) && fm__is_owner(c, o) && fm__is_plain(c, a)) {
    fm__waiter *s = fm__waiter_of(a);
    if (fm__likely(s->part.far)) {
      fm__copy(v, (char *)s + s->part.far, o->size);
      fm__serve_first(c, &o->senders, a);
      return true;
    }
  }
  return fm__chan_try_recv(o, v, 1);
}

FM__LEAF(fm__chan_give, fm__chan *, fm__waiter *, 5);
FM__LEAF(fm__chan_send, fm__chan *, fm__waiter *, 5);
FM__LEAF(fm__chan_recv, fm__chan *, fm__waiter *, 5);

// ---- MVars ----
void fm__mvar_init(fm__chan *m, size_t size, void *value) {
  fm__chan_init(m, size, 1);
  m->ring = value;
  m->mask = 0;
  m->open = 1;
  m->fixed = true;
  m->made = (uintptr_t)FM__CALLER;
}

void fm__mvar_put__fm_call(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  if (!is_done_by_request(c, o, &request_to_put, v, size) &&
      !send(d, o, v, size))
    fm__park_near(d, &o->senders, w, FM__FOR_PUT, v, FM__FAR_FROM(w, v));
}

void fm__mvar_take__fm_call(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  if (!is_done_by_request(c, o, &request_to_take, v, size) &&
      !receive(d, o, v, size))
    fm__park_near(d, &o->receivers, w, FM__FOR_TAKE, v, FM__FAR_FROM(w, v));
}

FM__LEAF(fm__mvar_put, fm__chan *, fm__waiter *, 4);
FM__LEAF(fm__mvar_take, fm__chan *, fm__waiter *, 4);

void fm__mvar_put__fm_last(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__mvar_put__fm_call(c, o, v, w, size);
  fm__runtime_of(c)->as_offer = false;
}

void fm__mvar_take__fm_last(
    fm_domain *c, fm__chan *o, void *v, fm__waiter *w, size_t size) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__mvar_take__fm_call(c, o, v, w, size);
  fm__runtime_of(c)->as_offer = false;
}
