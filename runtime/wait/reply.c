// reply.c: replies of agent.h, the questions of fm_ask, and which activity has to answer them.
//
// The state of a reply is a word of flags: TAKEN by the activity that answers, ANSWERED when the
// value is there, AWAITED by the activity that waits. Whichever of ANSWERED and AWAITED is set
// second sees the other. So the answer sends a note only if an activity waits, and touches nothing
// after that.
//
// A question is a reply that the library makes. Its asker always gets a note, and after that nobody
// but the asker uses the reply. Of ANSWERED and ORPHAN (the domain of the asker has ended),
// whichever is set second sees the other.
//
// Each mailbox in which something was asked, or on which an agent lives, has a *desk*: the list of
// questions without an answer. A run of an agent is a *duty* there. The owner's thread notes the
// receiver of each question. So when a duty ends or fails, the questions that it leaves are known:
// they are TAKEN as GONE, and their askers get a note like any other. A message, and with it the
// address of the reply, may still exist somewhere: so the question stays until it is answered in
// vain or the mailbox is freed.
//
//     holders of a question:
//         its asker   until it has left and the note has come, or its domain has ended
//         the desk    as long as an answer is possible; an answer passes this to the note
#include "core/forked.h"
#include "wait/mailbox.h"

#include <pthread.h>

struct fm__question { // stands before its reply
  // in its domain's list, which only that domain uses
  _Alignas(16) fm__question *next;
  fm__question **back; // the pointer to this one; NULL: it is in no list
  fm__question *next_at_desk,
      **back_at_desk; // in the list of its desk, under the desk's lock
  fm__desk *desk;     // NULL: it was not posted
  int holders;        // atomic
  const char *error;  // GONE: see struct fm_gone
  // the agent that has to answer; none: not known; under the lock
  fm_activity receiver;
  bool received; // likewise
  // Only the owner of the mailbox uses these:
  fm__question *next_in_box;
  size_t number; // of its message, see fm__desk.taken
};

struct fm__desk {
  pthread_mutex_t lock;
  fm__desk *next, **back; // in the list of all desks
  // the domain that receives; 0: none yet; atomic
  uint64_t life;
  // Under the lock:
  fm__question *questions, **end; // the oldest first; where the next one goes
  fm__duty *duties;
  size_t users;      // the mailbox, the questions and the duties
  const char *error; // of the last duty
  bool ended;        // there were duties, and now there is none
  bool dead;         // its domain has ended too
  // Only the owner uses these:
  fm__question *first, **last; // questions in the channel, in their order
  // messages taken out of the channel since the desk exists
  size_t taken;
};

static fm__desk *desks;
static pthread_mutex_t desks_lock = PTHREAD_MUTEX_INITIALIZER;

static fm__reply *reply_in(fm__question *q) {
  return (fm__reply *)(void *)(q + 1);
}
static fm__question *question_of(fm__reply *r) {
  return (fm__question *)(void *)r - 1;
}

// ---- replies ----
static fm__reply *reply_of(const fm_node *a) {
  return fm__far(fm__waiter_of(a))->value;
}

// An activity whose reply is answered is about to go on.
static bool withdraw(fm__runtime *d, fm_node *a) {
  fm__reply *r = reply_of(a);
  if (!r->asked && fm__has_one_at_most(&r->queue) &&
      __atomic_fetch_and(&r->state, ~FM__AWAITED, __ATOMIC_SEQ_CST) &
          FM__ANSWERED)
    return false;
  if (__atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__ANSWERED)
    return false;
  return fm__waiter_withdraw(d, a);
}

static void drop(fm__runtime *d, fm_node *a) {
  uintptr_t waits = a->waits;
  while (a->waits == waits && !withdraw(d, a)) {
    fm__inbox_drain(d);
    fm__spin(d);
  }
}

static const fm__wait_kind answer = {
  .what = "a reply",
  .withdraw = withdraw,
  .drop = drop,
};

void fm__reply_init(fm__reply *r) {
  *r = (fm__reply){ .state = 0 };
}

bool fm__reply_answered(const fm__reply *r) {
  return __atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__ANSWERED;
}

static void release(fm__question *q) {
  if (__atomic_sub_fetch(&q->holders, 1, __ATOMIC_SEQ_CST) == 0)
    fm__free(q);
}

static void forget_here(fm__question *q) {
  if ((*q->back = q->next))
    q->next->back = q->back;
  release(q);
}

static void answer_arrives(fm__runtime *d, fm__msg *n) {
  fm__reply *r = (fm__reply *)(void *)((char *)n - offsetof(fm__reply, note));
  r->arrived = true;
  if (r->asked && !(__atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__GONE))
    release(question_of(r));
  if (r->left)
    forget_here(question_of(r));
  else
    fm__wake_all(d, &r->queue);
}

// An activity waits.
static void send_answer(fm__reply *r) {
  fm__runtime *d = __atomic_load_n(&r->domain, __ATOMIC_RELAXED);
  if (d == fm__runtime_here())
    answer_arrives(d, (fm__msg *)(void *)&r->note);
  else
    fm__note_send(d, &r->note, answer_arrives);
}

static void leave_desk(fm__question *q);

bool fm__reply_answer(fm__reply *r, void *to, const void *v, size_t size) {
  int was = __atomic_fetch_or(&r->state, FM__TAKEN, __ATOMIC_SEQ_CST);
  if (was & FM__GONE) {
    leave_desk(question_of(r));
    release(question_of(r));
  }
  if (was & FM__TAKEN)
    return false;
  memcpy(to, v, size);
  if (r->asked)
    leave_desk(question_of(r));
  was = __atomic_fetch_or(&r->state, FM__ANSWERED, __ATOMIC_SEQ_CST);
  if (was & FM__ORPHAN)
    release(question_of(r));
  else if (was & FM__AWAITED)
    send_answer(r);
  return true;
}

// Before anybody can see that it is awaited.
static void await_in(fm__runtime *d, fm__reply *r) {
  void *none = NULL;
  if (__atomic_load_n(&r->domain, __ATOMIC_RELAXED) != d &&
      !__atomic_compare_exchange_n(
          &r->domain, &none, d, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    fm__fatal(d,
              "fm_reply_wait for a reply that another domain has waited for");
}

void fm__reply_wait__fm_call(fm_domain *c,
                             fm__reply *o,
                             void *v,
                             fm__far_waiter *w) {
  fm__runtime *d = fm__runtime_of(c);
  (void)v;
  c->result = NULL;
  if (fm__reply_answered(o))
    return;
  if (fm__wait_ends_here(d))
    return;
  await_in(d, o);
  if (!(__atomic_fetch_or(&o->state, FM__AWAITED, __ATOMIC_SEQ_CST) &
        FM__ANSWERED))
    fm__park_far(d, &o->queue, w, &answer, o);
}

FM__LEAF(fm__reply_wait, fm__reply *, fm__far_waiter *);

// ---- desks ----
static fm__desk *desk_new(void) {
  fm__desk *k = fm__alloc(sizeof *k);
  if (!k)
    fm__out_of_memory("a mailbox", "", sizeof *k);
  *k = (fm__desk){ .users = 1 };
  k->last = &k->first;
  k->end = &k->questions;
  pthread_mutex_init(&k->lock, NULL);
  fm__pthread_lock(&desks_lock);
  k->back = &desks;
  if ((k->next = desks))
    k->next->back = &k->next;
  desks = k;
  pthread_mutex_unlock(&desks_lock);
  return k;
}

static void desk_drop(fm__desk *k) {
  fm__pthread_lock(&desks_lock);
  if ((*k->back = k->next))
    k->next->back = k->back;
  pthread_mutex_unlock(&desks_lock);
  pthread_mutex_destroy(&k->lock);
  fm__free(k);
}

// Of the desk and the domain that receives, whichever comes second sees the other.
static fm__desk *desk_at(fm__mailbox *m) {
  fm__desk *k = __atomic_load_n(&m->desk, __ATOMIC_SEQ_CST);
  fm__desk *none = NULL;
  if (k)
    return k;
  k = desk_new();
  if (!__atomic_compare_exchange_n(
          &m->desk, &none, k, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    desk_drop(k);
    return none;
  }
  fm__desk_of_domain(k, __atomic_load_n(&m->life, __ATOMIC_SEQ_CST));
  return k;
}

void fm__desk_of_domain(fm__desk *k, uint64_t life) {
  if (k && life)
    __atomic_store_n(&k->life, life, __ATOMIC_SEQ_CST);
}

// The lock is held.
static void unlink_at_desk(fm__question *q) {
  if ((*q->back_at_desk = q->next_at_desk))
    q->next_at_desk->back_at_desk = q->back_at_desk;
  else
    q->desk->end = q->back_at_desk;
  q->desk->users--;
}

static void leave_desk(fm__question *q) {
  fm__desk *k = q->desk;
  fm__pthread_lock(&k->lock);
  unlink_at_desk(q);
  bool last = k->users == 0;
  pthread_mutex_unlock(&k->lock);
  if (last)
    desk_drop(k);
}

// Nobody will answer it, unless an answer is under way. The lock is held.
static void fail(fm__question *q, const char *error) {
  fm__reply *r = reply_in(q);
  int state = __atomic_load_n(&r->state, __ATOMIC_SEQ_CST);
  do
    if (state & FM__TAKEN)
      return;
  while (!__atomic_compare_exchange_n(&r->state,
                                      &state,
                                      state | FM__TAKEN | FM__GONE,
                                      false,
                                      __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST));
  q->error = error;
  if (!(__atomic_fetch_or(&r->state, FM__ANSWERED, __ATOMIC_SEQ_CST) &
        FM__ORPHAN))
    send_answer(r);
}

// The lock is held.
static void end(fm__desk *k) {
  k->ended = true;
  for (fm__question *q = k->questions; q; q = q->next_at_desk)
    fail(q, k->error);
}

void fm__desk_ends(fm__desk *k) {
  if (!k)
    return;
  fm__pthread_lock(&k->lock);
  k->dead = true;
  end(k);
  pthread_mutex_unlock(&k->lock);
}

void fm__desks_end(fm__runtime *d) {
  fm__pthread_lock(&desks_lock);
  for (fm__desk *k = desks; k; k = k->next)
    if (__atomic_load_n(&k->life, __ATOMIC_SEQ_CST) == d->life)
      fm__desk_ends(k);
  pthread_mutex_unlock(&desks_lock);
}

// Questions that were not received can no longer be answered; neither can those that an agent left.
void fm__desk_free(fm__mailbox *m) {
  fm__desk *k = m->desk;
  if (!k)
    return;
  m->desk = NULL;
  fm__pthread_lock(&k->lock);
  for (fm__question *q = k->questions, *next; q; q = next) {
    next = q->next_at_desk;
    if (!q->received)
      fail(q, k->error);
    if (__atomic_load_n(&reply_in(q)->state, __ATOMIC_SEQ_CST) & FM__GONE) {
      unlink_at_desk(q);
      release(q);
    }
  }
  bool last = --k->users == 0;
  pthread_mutex_unlock(&k->lock);
  if (last)
    desk_drop(k);
}

// ---- which activity has received which question; on the owner's thread ----
static bool is_on_duty(const fm__desk *k, const fm_node *a) {
  for (const fm__duty *w = k->duties; w; w = w->next)
    if (w->who.node == a)
      return true;
  return false;
}

// The duty is noted by its activity's number: it may end, and another one begin.
static void note_receiver(fm__desk *k, fm__question *q, const fm_node *a) {
  fm__pthread_lock(&k->lock);
  q->received = true;
  while (a && !is_on_duty(k, a))
    a = a->parent;
  if (a)
    q->receiver = (fm_activity){ (fm_node *)a, fm__generation(a) };
  pthread_mutex_unlock(&k->lock);
}

void fm__question_comes(fm__desk *k,
                        fm__question *q,
                        size_t others,
                        const fm_node *receiver) {
  if (receiver) {
    note_receiver(k, q, receiver);
    return;
  }
  q->number = k->taken + others;
  q->next_in_box = NULL;
  *k->last = q;
  k->last = &q->next_in_box;
}

void fm__message_received(fm__desk *k, const fm_node *receiver) {
  fm__question *q = k->first;
  size_t number = k->taken++;
  if (!q || q->number != number)
    return;
  if (!(k->first = q->next_in_box))
    k->last = &k->first;
  note_receiver(k, q, receiver);
}

// ---- agents ----
// The arguments of a spawn are evaluated at once: a question asked after that waits for the new
// agent.
fm__mailbox *fm__agent_comes(fm__mailbox *m) {
  fm__desk *k = __atomic_load_n(&m->desk, __ATOMIC_SEQ_CST);
  if (!k)
    return m;
  fm__pthread_lock(&k->lock);
  k->ended = k->dead;
  pthread_mutex_unlock(&k->lock);
  return m;
}

void fm__duty_begins(fm__duty *a, fm__mailbox *m) {
  fm__desk *k = desk_at(m);
  *a = (fm__duty){ .desk = k, .who = fm_self() };
  fm__pthread_lock(&k->lock);
  a->back = &k->duties;
  if ((a->next = k->duties))
    a->next->back = &a->next;
  k->duties = a;
  k->users++;
  k->ended = k->dead;
  k->error = NULL;
  pthread_mutex_unlock(&k->lock);
}

// The lock is held.
static void fail_received(fm__duty *a) {
  for (fm__question *q = a->desk->questions; q; q = q->next_at_desk)
    if (q->received && q->receiver.node == a->who.node &&
        q->receiver.generation == a->who.generation)
      fail(q, a->error);
}

void fm__duty_fails(fm__duty *a, const char *error) {
  fm__pthread_lock(&a->desk->lock);
  a->error = error;
  fail_received(a);
  pthread_mutex_unlock(&a->desk->lock);
}

void fm__duty_ends(fm__duty *a) {
  fm__desk *k = a->desk;
  fm__pthread_lock(&k->lock);
  if ((*a->back = a->next))
    a->next->back = a->back;
  fail_received(a);
  k->error = a->error;
  if (!k->duties)
    end(k);
  bool last = --k->users == 0;
  pthread_mutex_unlock(&k->lock);
  if (last)
    desk_drop(k);
}

// ---- asking ----
void *fm__ask_new(size_t size) {
  fm__runtime *d = fm__runtime_of(fm__here());
  fm__question *q = fm__alloc(sizeof *q + size);
  if (!q)
    fm__out_of_memory("a reply", "", size);
  *q = (fm__question){
    .holders = 1,
    .back = &d->asks,
    .next = d->asks,
  };
  if (q->next)
    q->next->back = &q->next;
  d->asks = q;
  *reply_in(q) = (fm__reply){
    .domain = d,
    .state = FM__AWAITED,
    .asked = true,
  };
  return reply_in(q);
}

static bool link_at_desk(fm__desk *k, fm__question *q) {
  fm__pthread_lock(&k->lock);
  bool ended = k->ended;
  q->error = k->error;
  if (!ended) {
    q->desk = k;
    q->holders = 2;
    q->back_at_desk = k->end;
    *k->end = q;
    k->end = &q->next_at_desk;
    k->users++;
  }
  pthread_mutex_unlock(&k->lock);
  return !ended;
}

void fm__ask_post(fm__mailbox *m, const void *message, fm__reply *r) {
  if (link_at_desk(desk_at(m), question_of(r))) {
    fm__mailbox_put(m, message, question_of(r));
    return;
  }
  r->state |= FM__TAKEN | FM__ANSWERED | FM__GONE;
  r->arrived = true;
}

bool fm__ask_failed(const fm__reply *r, const char **error) {
  *error = question_of((fm__reply *)r)->error;
  return __atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__GONE;
}

void fm__ask_over(fm__reply *r) {
  if (r->arrived)
    forget_here(question_of(r));
  else
    r->left = true;
}

// Questions that have been answered wait for their notes.
void fm__asks_end(fm__runtime *d) {
  for (fm__question *q = d->asks, *next; q; q = next) {
    fm__reply *r = reply_in(q);
    next = q->next;
    r->left = true;
    if (r->arrived ||
        !(__atomic_fetch_or(&r->state, FM__ORPHAN, __ATOMIC_SEQ_CST) &
          FM__ANSWERED))
      forget_here(q);
  }
  while (d->asks) {
    fm__inbox_drain(d);
    fm__spin(d);
  }
}
