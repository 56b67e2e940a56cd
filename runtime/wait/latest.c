// latest.c: latest values and one-shots of broadcast.h: one value, which all waiters get.
//
// A waiter of a latest value is only woken. It reads the value when it goes on, so that it gets the
// newest one. A waiter of another domain gets the value with the answer.
//
// The value of a one-shot does not change once it is there, so that every domain may read it. The
// activity that takes the state from OPEN to TAKEN gives the value; the owner's thread stores it.
#include "wait/park.h"

static const fm__wait_kind changing = FM__KIND("a newer value");
static const fm__wait_kind coming = FM__KIND("the value of a one-shot");

// ---- latest values ----
void fm__latest_init(fm__latest *l, size_t size, void *value) {
  *l = (fm__latest){
    .owner = fm__owner_here(),
    .number = 1,
    .size = size,
    .value = value,
  };
}

// The value, and after it its number: see fm_latest_next.
static uint64_t *number_in(const fm__latest *l, void *to) {
  return (uint64_t *)(void *)((char *)to + ((l->size + 7) & ~(size_t)7));
}

static void read_value(const fm__latest *l, void *to) {
  memcpy(to, l->value, l->size);
  *number_in(l, to) = l->number;
}

void fm__latest_read(fm__latest *l, void *to) {
  if (fm__owner_of(l) == fm__here())
    read_value(l, to);
}

static void set(fm__runtime *d, void *o, void *v, size_t size) {
  fm__latest *l = o;
  memcpy(l->value, v, size);
  l->number++;
  for (fm_node *a; (a = fm__next_waiter(d, &l->queue));) {
    if (fm__is_request(a))
      read_value(l, fm__value_of(a));
    fm__wake(d, a);
  }
}

void fm__latest_set(fm__latest *l, const void *v) {
  bool own;
  fm__runtime *d = fm__object_user(&l->owner, &own);
  if (own)
    set(d, l, (void *)v, l->size);
  else
    fm__request_post(fm__owner_of(l), set, l, v, l->size);
}

static int
attempt_next(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm__latest *l = o;
  (void)d, (void)size;
  if (*number_in(l, v) == l->number)
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  read_value(l, v);
  return FM__REQUEST_DONE;
}

static const fm__request_kind request_to_next = {
  .attempt = attempt_next,
  .receives = true,
  .asks = true,
};

void fm__latest_next__fm_call(
    fm_domain *c, fm__latest *o, void *v, fm__far_waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (!fm__done_by_request(
          c, &o->owner, &request_to_next, o, &o->queue, v, size) &&
      *number_in(o, v) == o->number)
    fm__park_far(d, &o->queue, w, &changing, v);
}

FM__LEAF(fm__latest_next, fm__latest *, fm__far_waiter *, 4);

void fm__latest_next__fm_last(
    fm_domain *c, fm__latest *o, void *v, fm__far_waiter *w, size_t size) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__latest_next__fm_call(c, o, v, w, size);
  fm__runtime_of(c)->as_offer = false;
}

// ---- one-shots ----
void fm__oneshot_init(fm__oneshot *o, size_t size, void *value) {
  *o = (fm__oneshot){
    .owner = fm__owner_here(),
    .state = FM__ONESHOT_OPEN,
    .size = size,
    .value = value,
  };
}

bool fm__oneshot_is_set(const fm__oneshot *o) {
  return __atomic_load_n(&o->state, __ATOMIC_ACQUIRE) == FM__ONESHOT_SET;
}

static void store(fm__runtime *d, void *o, void *v, size_t size) {
  fm__oneshot *s = o;
  memcpy(s->value, v, size);
  __atomic_store_n(&s->state, FM__ONESHOT_SET, __ATOMIC_RELEASE);
  for (fm_node *a; (a = fm__next_waiter(d, &s->queue));) {
    fm__copy(fm__value_of(a), v, size);
    fm__wake(d, a);
  }
}

bool fm__oneshot_set(fm__oneshot *o, const void *v) {
  bool own;
  int open = FM__ONESHOT_OPEN;
  fm__runtime *d = fm__object_user(&o->owner, &own);
  if (!__atomic_compare_exchange_n(&o->state,
                                   &open,
                                   FM__ONESHOT_TAKEN,
                                   false,
                                   __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST))
    return false;
  if (own)
    store(d, o, (void *)v, o->size);
  else
    fm__request_post(fm__owner_of(o), store, o, v, o->size);
  return true;
}

static int
attempt_oneshot(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  (void)d;
  if (!fm__oneshot_is_set(o))
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  fm__copy(v, ((fm__oneshot *)o)->value, size);
  return FM__REQUEST_DONE;
}

static const fm__request_kind request_to_oneshot = {
  .attempt = attempt_oneshot,
  .receives = true,
};

void fm__oneshot_wait__fm_call(
    fm_domain *c, fm__oneshot *o, void *v, fm__far_waiter *w, size_t size) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (fm__oneshot_is_set(o))
    fm__copy(v, o->value, size);
  else if (!fm__done_by_request(
               c, &o->owner, &request_to_oneshot, o, &o->queue, v, size))
    fm__park_far(d, &o->queue, w, &coming, v);
}

FM__LEAF(fm__oneshot_wait, fm__oneshot *, fm__far_waiter *, 4);
