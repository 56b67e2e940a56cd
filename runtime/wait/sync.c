// sync.c: mutexes, conditions, events, wait groups and once of sync.h: each is a number or a flag,
// and a queue (park.h).
#include "wait/park.h"
#include "wait/stream-support.h"

// The beginning of an async function of the library that may wait.
static inline fm__runtime *enter(fm_domain *c) {
  c->result = NULL;
  return fm__runtime_of(c);
}

static fm__runtime *here(void) {
  return fm__runtime_of(fm__here());
}

// ---- mutexes ----
static const fm__wait_kind mutex = FM__KIND("a mutex");
static const fm__wait_kind relocking;

static fm_activity activity_of(const fm_node *a) {
  return a ? (fm_activity){ (fm_node *)a, fm__generation(a) }
           : (fm_activity){ 0 };
}

static bool is_locked(const fm_mutex *m) {
  return m->fm__owner.node != NULL;
}

void fm_mutex_init(fm_mutex *m) {
  *m = (fm_mutex){ .fm__owner = { 0 } };
}

// In an atomic of plain code the owner is the host. from: where the call stands
static inline bool try_lock(fm__runtime *d, fm_mutex *m, void *from) {
  if (is_locked(m))
    return false;
  m->fm__owner = activity_of(d->current ? d->current : &d->host);
  m->fm__code = NULL;
  m->fm__where = (uintptr_t)from;
  return true;
}

bool fm_try_lock(fm_mutex *m) {
  return try_lock(here(), m, FM__CALLER);
}

// a, which has waited, holds it now.
static void pass_to(fm_mutex *m, fm_node *a) {
  const fm_frame *f = a ? fm__of_program(a->leaf) : NULL;
  m->fm__owner = activity_of(a);
  m->fm__code = f ? f->code : NULL;
  m->fm__where = f ? f->state : 0;
}

const fm_mutex *fm__mutex_of(const fm__wait_kind *kind, const fm__queue *q) {
  return kind == &mutex || kind == &relocking ? (const fm_mutex *)q : NULL;
}

// A mutex whose owner has ended may be unlocked by any activity: an arm of a race ends when it has
// locked it.
static bool may_unlock(fm__runtime *d, fm_activity owner) {
  return owner.node == (d->current ? d->current : &d->host) ||
         (owner.node && owner.node != &d->host && !fm_alive(owner));
}

static void unlock(fm__runtime *d, fm_mutex *m) {
  fm_node *a = fm__next_waiter(d, &m->fm__q);
  pass_to(m, a);
  if (a)
    fm__wake(d, a);
}

void fm_unlock(fm_mutex *m) {
  fm__runtime *d = here();
  if (!may_unlock(d, m->fm__owner))
    fm__fatal(d,
              is_locked(m)
                  ? "fm_unlock of a mutex that another activity has locked"
                  : "fm_unlock of a mutex that is not locked");
  unlock(d, m);
}

static void unlock_for_wait(fm__runtime *d, fm_mutex *m) {
  if (!may_unlock(d, m->fm__owner))
    fm__fatal(d,
              "a wait for a condition with a mutex that the activity has not "
              "locked");
  unlock(d, m);
}

static inline void lock(fm_domain *c, fm_mutex *o, void *from) {
  fm__runtime *d = enter(c);
  if (!try_lock(d, o, from))
    fm__park_far(d, &o->fm__q, NULL, &mutex, NULL);
}

void fm_lock__fm_call(fm_domain *c, fm_mutex *o) {
  lock(c, o, FM__CALLER);
}

FM__LEAF(fm_lock, fm_mutex *, void *, 1);

void fm_lock__fm_last(fm_domain *c, fm_mutex *o) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    lock(c, o, FM__CALLER);
  fm__runtime_of(c)->as_offer = false;
}

// ---- conditions: see fm_cond_wait in library/sync.c ----
// A waiter of a condition goes on with its mutex locked. So when it is signalled or cancelled, it
// moves to the queue of the mutex, unless the mutex is open. If a signal had come before the
// cancel, the signal then goes to the next waiter.
static bool leave_cond(fm__runtime *d, fm_node *a);
static bool pass_on(fm__runtime *d, fm_node *a);
static const fm__wait_kind condition = {
  .what = "a condition",
  .withdraw = leave_cond,
  .drop = fm__waiter_drop,
  .inner = true,
};
static bool leave_cond_for(fm__runtime *d, fm_node *a);
static void drop_cond_for(fm__runtime *d, fm_node *a);
static const fm__wait_kind condition_for = {
  .what = "a condition",
  .withdraw = leave_cond_for,
  .drop = drop_cond_for,
};
static const fm__wait_kind relocking = {
  .what = "a mutex",
  .withdraw = pass_on,
  .drop = fm__waiter_drop,
  .inner = true,
};

void fm_cond_init(fm_cond *c) {
  *c = (fm_cond){ .fm__q = { 0 } };
}

static fm__far_waiter *waiter_of(const fm_node *a) {
  return fm__far(fm__waiter_of(a));
}

// Its time limit does not count any more.
static void forget_timeout(fm__relock *r) {
  fm__relock_for *f = (fm__relock_for *)(void *)r;
  if (r->timed && !f->late)
    fm__alarm_unset(here(), (fm__alarm *)(void *)&f->timeout);
}

static bool locks_again(fm_node *a) {
  fm__relock *r = waiter_of(a)->value;
  forget_timeout(r);
  if (!is_locked(r->mutex)) {
    pass_to(r->mutex, a);
    return true;
  }
  fm__dequeue(a);
  if (r->timed) // only activities can end its wait now
    fm__count_external(fm__set_of(here(), a), (size_t)-1);
  waiter_of(a)->kind = (uintptr_t)&relocking;
  fm__enqueue(&r->mutex->fm__q, a);
  return false;
}

static bool leave_cond(fm__runtime *d, fm_node *a) {
  return locks_again(a) && fm__waiter_withdraw(d, a);
}

static bool pass_on(fm__runtime *d, fm_node *a) {
  fm__relock *r = waiter_of(a)->value;
  (void)d;
  if (r->signalled)
    fm_cond_signal(r->cond);
  r->signalled = false;
  return false;
}

void fm_cond_signal(fm_cond *c) {
  fm_node *a = c->fm__q.first;
  if (!a)
    return;
  ((fm__relock *)waiter_of(a)->value)->signalled = true;
  if (locks_again(a))
    fm__wake(here(), a);
}

void fm_cond_broadcast(fm_cond *c) {
  while (c->fm__q.first)
    if (locks_again(c->fm__q.first))
      fm__wake(here(), c->fm__q.first);
}

static bool leave_cond_for(fm__runtime *d, fm_node *a) {
  return leave_cond(d, a);
}

static void drop_cond_for(fm__runtime *d, fm_node *a) {
  forget_timeout(waiter_of(a)->value);
  fm__waiter_drop(d, a);
}

static void is_late(fm__runtime *d, fm__alarm *t) {
  fm__relock_for *f =
      (fm__relock_for *)(void *)((char *)t - offsetof(fm__relock_for, timeout));
  f->late = true;
  if (locks_again(f->node))
    fm__wake(d, f->node);
}

// A limit of 0 unlocks and locks again, after those that wait for the mutex.
void fm__cond_park_for__fm_call(
    fm_domain *c, fm_cond *o, void *v, fm__far_waiter *w, size_t ms) {
  fm__runtime *d = enter(c);
  fm__relock_for *f = v;
  if (fm__wait_ends_here(d))
    return;
  f->node = d->current;
  f->timeout.fire = (void (*)(void))is_late;
  fm__alarm_set(d,
                (fm__alarm *)(void *)&f->timeout,
                fm__later(fm__time(d), fm__nanoseconds(ms)));
  unlock_for_wait(d, f->relock.mutex);
  fm__park_far(d, &o->fm__q, w, &condition_for, v);
}

FM__LEAF(fm__cond_park_for, fm_cond *, fm__far_waiter *, 4);

void fm__cond_park__fm_call(fm_domain *c,
                            fm_cond *o,
                            void *v,
                            fm__far_waiter *w) {
  fm__runtime *d = enter(c);
  if (!fm__is_armed(d))
    unlock_for_wait(d, ((fm__relock *)v)->mutex);
  fm__park_far(d, &o->fm__q, w, &condition, v);
}

FM__LEAF(fm__cond_park, fm_cond *, fm__far_waiter *);

// ---- wait groups ----
static const fm__wait_kind group = FM__KIND("a wait group");

void fm_wait_group_init(fm_wait_group *g) {
  *g = (fm_wait_group){ .fm__owner = fm__owner_here() };
}

static void add(fm__runtime *d, void *o, void *v, size_t size) {
  (void)d, (void)size;
  ((fm_wait_group *)o)->fm__n += *(size_t *)v;
}

static void done(fm__runtime *d, void *o, void *v, size_t size) {
  fm_wait_group *g = o;
  (void)v, (void)size;
  if (!g->fm__n)
    fm__fatal(d, "fm_wait_group_done more often than was added");
  if (!--g->fm__n)
    fm__wake_all(d, &g->fm__q);
}

static void change_group(fm_wait_group *g,
                         void (*fn)(fm__runtime *, void *, void *, size_t),
                         size_t n) {
  bool own;
  fm__runtime *d = fm__object_user(&g->fm__owner, &own);
  if (own)
    fn(d, g, &n, sizeof n);
  else
    fm__request_post(g->fm__owner, fn, g, &n, sizeof n);
}

void fm_wait_group_add(fm_wait_group *g, size_t n) {
  change_group(g, add, n);
}
void fm_wait_group_done(fm_wait_group *g) {
  change_group(g, done, 0);
}

static int
attempt_group(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  (void)d, (void)v, (void)size;
  if (((fm_wait_group *)o)->fm__n)
    return FM__REQUEST_WAITS;
  return fm__claim_take(by->claim, (uintptr_t)by) ? FM__REQUEST_DONE
                                                  : FM__REQUEST_VOID;
}

static const fm__request_kind request_to_group = {
  .attempt = attempt_group,
  .receives = true,
};

void fm_wait_group_wait__fm_call(fm_domain *c, fm_wait_group *o) {
  fm__runtime *d = enter(c);
  if (!fm__done_by_request(
          c, &o->fm__owner, &request_to_group, o, &o->fm__q, NULL, 0) &&
      o->fm__n)
    fm__park_far(d, &o->fm__q, NULL, &group, NULL);
}

FM__LEAF(fm_wait_group_wait, fm_wait_group *, void *, 1);

// ---- once: see fm_call_once in library/sync.c ----
static const fm__wait_kind once = FM__KIND("the first fm_call_once");

void fm__once_end(fm_once *o, bool done) {
  fm_node *next = done ? NULL : fm__next_waiter(here(), &o->fm__q);
  o->fm__state = done ? FM__ONCE_DONE : next ? FM__ONCE_RUNS : FM__ONCE_NO;
  if (done)
    fm__wake_all(here(), &o->fm__q);
  else if (next)
    fm__wake(here(), next);
}

void fm__once_wait__fm_call(fm_domain *c, fm_once *o) {
  fm__park_far(enter(c), &o->fm__q, NULL, &once, NULL);
}

FM__LEAF(fm__once_wait, fm_once *, void *, 1);

// ---- events ----
const fm__wait_kind fm__hearing = FM__KIND("an event");

void fm__event_init(fm__event *e) {
  *e = (fm__event){ .owner = fm__owner_here() };
}

// Listeners stay in the queue.
static size_t tell_listeners(fm__queue *e, const void *v) {
  size_t n = 0;
  for (fm_node *a = e->first; a && !fm__is_end(a); a = a->link)
    if (fm__is_listener(a)) {
      fm__listener *l = (fm__listener *)(void *)a;
      l->hear(l, v);
      n++;
    }
  return n;
}

static fm_node *first_waiting(const fm__queue *e) {
  fm_node *a = e->first;
  while (a && !fm__is_end(a) && fm__is_listener(a))
    a = a->link;
  return fm__is_end(a) ? NULL : a;
}

// Waking an arm of a race may take others out of the queue, and so may the discovery that an arm
// has won elsewhere.
static size_t emit(fm__runtime *d, fm__event *e, const void *v, size_t size) {
  size_t n = tell_listeners(&e->queue, v);
  for (fm_node *a; (a = first_waiting(&e->queue));) {
    if (a->word & FM__ARM && fm__match(d, a, NULL) != FM__MATCHED)
      continue;
    fm__copy(fm__value_of(a), v, size);
    fm__wake(d, a);
    n++;
  }
  return n;
}

static void emit_for_other(fm__runtime *d, void *o, void *v, size_t size) {
  emit(d, o, v, size);
}

size_t fm__event_emit(fm__event *e, const void *v, size_t size) {
  bool own;
  fm__runtime *d = fm__object_user(&e->owner, &own);
  if (own)
    return emit(d, e, v, size);
  fm__request_post(e->owner, emit_for_other, e, v, size);
  return 0;
}

static int
attempt_next(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  (void)d, (void)by, (void)o, (void)v, (void)size;
  return FM__REQUEST_WAITS;
}

static const fm__request_kind request_to_next = {
  .attempt = attempt_next,
  .receives = true,
};

void fm__event_next__fm_call(
    fm_domain *c, fm__event *o, void *v, fm__waiter *w, size_t size) {
  fm__runtime *d = enter(c);
  if (!fm__done_by_request(
          c, &o->owner, &request_to_next, o, &o->queue, v, size))
    fm__park_near(d, &o->queue, w, FM__FOR_HEAR, v, FM__FAR_FROM(w, v));
}

FM__LEAF(fm__event_next, fm__event *, fm__waiter *, 4);
