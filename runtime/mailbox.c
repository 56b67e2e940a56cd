// mailbox.c: mailboxes and replies of agent.h: how a value comes from any thread to an activity that waits.
//
// A mailbox is an unbounded channel of the domain that receives, its owner. What that domain posts itself goes into the channel at once.
// What others post is a letter in a list without a lock, and the first of them since the owner last looked sends it a note (inbox.c),
// which brings all letters into the channel: only ever there, so that the order of each sender is kept.
//
//     poster: letter into the list, told = 1; if it was 0: the note is sent
//     note:   told = 0, takes the whole list
//
// The first to receive makes its domain the owner, then looks at the list itself: who posted before and saw no owner is in it.
//
// A reply is a word: TAKEN by the one who answers, ANSWERED when the value is there, AWAITED by who waits. Of ANSWERED and AWAITED the
// second to come sees the other. So who answers sends a note only if someone waits, and touches nothing after that. Of ANSWERED and ORPHAN, the end
// of the domain that asked, likewise.
#include "park.h"
#include <fermata/agent.h>

#include <pthread.h>
#include <sched.h>

_Static_assert(sizeof(fm__note) == sizeof(fm__msg) && offsetof(fm__note, fn) == offsetof(fm__msg, fn), "a note is a message");

static bool send_note(fm__domain *d, fm__note *n, void (*fn)(fm__domain *, fm__msg *)) {
  fm__msg *m = (fm__msg *)(void *)n;
  m->fn = fn;
  return fm__inbox_post(d, m);
}

// ---- letters ----
typedef struct fm__letter {
  _Alignas(16) struct fm__letter *next;
} fm__letter;

static fm__letter *letter_new(const void *v, size_t size) {
  fm__letter *l = fm__alloc(sizeof *l + size);
  if (!l)
    fm__out_of_memory("a message", "", size);
  memcpy(l + 1, v, size);
  return l;
}

static void push_letter(fm__mailbox *m, fm__letter *l) {
  l->next = __atomic_load_n(&m->letters, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&m->letters, &l->next, l, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    continue;
}

static fm__letter *take_letters(fm__mailbox *m) { // oldest first
  fm__letter *l = __atomic_exchange_n(&m->letters, NULL, __ATOMIC_SEQ_CST), *list = NULL;
  while (l) {
    fm__letter *next = l->next;
    l->next = list;
    list = l;
    l = next;
  }
  return list;
}

static void bring_letters(fm__domain *d, fm__mailbox *m) {
  for (fm__letter *l = take_letters(m), *next; l; l = next) {
    next = l->next;
    fm__chan_put(d, &m->chan, l + 1);
    fm__free(l);
  }
}

static inline bool is_owner(const fm__domain *d, const fm__mailbox *m) {
  return __atomic_load_n(&m->life, __ATOMIC_RELAXED) == d->life;
}

static void note_arrives(fm__domain *d, fm__msg *n) {
  fm__mailbox *m = (fm__mailbox *)(void *)((char *)n - offsetof(fm__mailbox, note));
  __atomic_store_n(&m->told, 0, __ATOMIC_SEQ_CST);
  bring_letters(d, m);
}

// ---- mailboxes ----
static const fm__wait_kind message = { "a message", fm__waiter_withdraw, fm__waiter_drop, false, false };

void fm__mailbox_init(fm__mailbox *m, size_t size) {
  *m = (fm__mailbox){ .owner = NULL };
  fm__chan_init(&m->chan, size, FM_UNBOUNDED);
}

// The owner may have ended: then no one receives any more.
static void tell_owner(fm__mailbox *m, fm__domain *owner) {
  bool held = fm__domain_hold(owner);
  if (!held || !is_owner(owner, m) || !send_note(owner, &m->note, note_arrives))
    __atomic_store_n(&m->told, 0, __ATOMIC_SEQ_CST);
  if (held)
    fm__domain_unref(owner);
}

static void post_from_afar(fm__mailbox *m, const void *v) {
  fm__domain *owner;
  __atomic_fetch_add(&m->posting, 1, __ATOMIC_SEQ_CST);
  push_letter(m, letter_new(v, m->chan.size));
  owner = __atomic_load_n(&m->owner, __ATOMIC_SEQ_CST);
  if (owner && !__atomic_exchange_n(&m->told, 1, __ATOMIC_SEQ_CST))
    tell_owner(m, owner);
  __atomic_fetch_sub(&m->posting, 1, __ATOMIC_SEQ_CST);
}

// Only this thread makes its own domain the owner: it need not look twice.
void fm__mailbox_post(fm__mailbox *m, const void *v) {
  fm__domain *d = fm__domain_here();
  if (d && is_owner(d, m))
    fm__chan_put(d, &m->chan, v);
  else
    post_from_afar(m, v);
}

static FM_COLD void own(fm__domain *d, fm__mailbox *m) {
  uint64_t none = 0;
  if (!__atomic_compare_exchange_n(&m->life, &none, d->life, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    fm__fatal(d, "a mailbox of which another domain has received");
  __atomic_store_n(&m->owner, d, __ATOMIC_SEQ_CST);
  bring_letters(d, m);
}

static inline fm__domain *owned(fm__domain *d, fm__mailbox *m) {
  if (fm__unlikely(!is_owner(d, m)))
    own(d, m);
  return d;
}

// What has been posted counts, also if its note is still on the way.
bool fm__mailbox_try(fm__mailbox *m, void *to) {
  fm__domain *d = owned(fm__of(fm__here()), m);
  if (m->chan.tail == m->chan.head && __atomic_load_n(&m->letters, __ATOMIC_RELAXED))
    bring_letters(d, m);
  return fm__chan_try_recv(&m->chan, to, 1) == 1;
}

size_t fm__mailbox_count(const fm__mailbox *m) {
  return m->chan.tail - m->chan.head;
}

void fm__mailbox_receive__fm_call(fm_domain *c, fm__mailbox *o, void *v, fm__waiter *w) {
  fm__domain *d = owned(fm__of(c), o);
  c->result = NULL;
  if (!fm__chan_get(&o->chan, v))
    fm__park_in(d, &o->chan.receivers, w, &message, v);
}

FM__LEAF(fm__mailbox_receive, fm__mailbox *, fm__waiter *);

// Waits for who is about to leave fm_post, and for a note on its way.
void fm__mailbox_free(fm__mailbox *m) {
  fm__domain *d = fm__of(fm__here());
  owned(d, m);
  while (__atomic_load_n(&m->posting, __ATOMIC_SEQ_CST) || __atomic_load_n(&m->told, __ATOMIC_SEQ_CST)) {
    fm__inbox_drain(d);
    sched_yield();
  }
  bring_letters(d, m);
  fm__chan_free(&m->chan);
  m->owner = NULL;
  m->life = 0;
}

// ---- replies ----
static fm__reply *reply_of(const fm_node *a) {
  return ((fm__waiter *)fm__what(a))->value;
}

// One that is answered is about to go on.
static bool withdraw(fm__domain *d, fm_node *a) {
  fm__reply *r = reply_of(a);
  if (!r->asked && fm__has_one_at_most(&r->queue) && __atomic_fetch_and(&r->state, ~FM__AWAITED, __ATOMIC_SEQ_CST) & FM__ANSWERED)
    return false;
  if (__atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__ANSWERED)
    return false;
  return fm__waiter_withdraw(d, a);
}

static void drop(fm__domain *d, fm_node *a) {
  fm__waiter *w = fm__what(a);
  while (a->waits == ((uintptr_t)w | FM__WDIRECT) && !withdraw(d, a)) {
    fm__inbox_drain(d);
    sched_yield();
  }
}

static const fm__wait_kind answer = { "a reply", withdraw, drop, false, false };

void fm__reply_init(fm__reply *r) {
  *r = (fm__reply){ .state = 0 };
}

static void ask_free(fm__reply *r);
static void orphan_free(fm__reply *r);

static void answer_arrives(fm__domain *d, fm__msg *n) {
  fm__reply *r = (fm__reply *)(void *)((char *)n - offsetof(fm__reply, note));
  r->arrived = true;
  if (r->left)
    ask_free(r);
  else
    fm__wake_all(d, &r->queue);
}

bool fm__reply_answered(const fm__reply *r) {
  return __atomic_load_n(&r->state, __ATOMIC_SEQ_CST) & FM__ANSWERED;
}

bool fm__reply_answer(fm__reply *r, void *to, const void *v, size_t size) {
  int was;
  if (__atomic_fetch_or(&r->state, FM__TAKEN, __ATOMIC_SEQ_CST) & FM__TAKEN)
    return false;
  memcpy(to, v, size);
  was = __atomic_fetch_or(&r->state, FM__ANSWERED, __ATOMIC_SEQ_CST);
  if (was & FM__ORPHAN) {
    orphan_free(r);
  } else if (was & FM__AWAITED) {
    fm__domain *d = __atomic_load_n(&r->domain, __ATOMIC_RELAXED);
    if (d == fm__domain_here())
      answer_arrives(d, (fm__msg *)(void *)&r->note);
    else
      send_note(d, &r->note, answer_arrives);
  }
  return true;
}

// Before anyone can see that it is awaited.
static void await_in(fm__domain *d, fm__reply *r) {
  void *none = NULL;
  if (__atomic_load_n(&r->domain, __ATOMIC_RELAXED) != d &&
      !__atomic_compare_exchange_n(&r->domain, &none, d, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    fm__fatal(d, "fm_reply_wait for a reply that another domain has waited for");
}

void fm__reply_wait__fm_call(fm_domain *c, fm__reply *o, void *v, fm__waiter *w) {
  fm__domain *d = fm__of(c);
  (void)v;
  c->result = NULL;
  if (fm__reply_answered(o))
    return;
  if (fm__wait_ends_here(d))
    return;
  await_in(d, o);
  if (!(__atomic_fetch_or(&o->state, FM__AWAITED, __ATOMIC_SEQ_CST) & FM__ANSWERED))
    fm__park_in(d, &o->queue, w, &answer, o);
}

FM__LEAF(fm__reply_wait, fm__reply *, fm__waiter *);

// ---- asking: the answer always sends a note, which alone tells that no one will touch the reply any more ----
// One whose domain ends before it is answered becomes an orphan: who answers it frees it. One that is never answered stays.
typedef struct Ask {                              // before the reply
  _Alignas(16) struct Ask *next;                  // of its domain's, or of the orphans; in no order
  struct Ask **back;                              // what points at this one
} Ask;

static Ask *orphans;
static pthread_mutex_t orphans_lock = PTHREAD_MUTEX_INITIALIZER;

static fm__reply *reply_in(Ask *a) {
  return (fm__reply *)(void *)(a + 1);
}

static void link_in(Ask **list, Ask *a) {
  a->back = list;
  if ((a->next = *list))
    a->next->back = &a->next;
  *list = a;
}

static void link_out(Ask *a) {
  if ((*a->back = a->next))
    a->next->back = a->back;
}

static void ask_free(fm__reply *r) {
  link_out((Ask *)(void *)r - 1);
  fm__free((Ask *)(void *)r - 1);
}

static void orphan_free(fm__reply *r) {
  pthread_mutex_lock(&orphans_lock);
  ask_free(r);
  pthread_mutex_unlock(&orphans_lock);
}

void *fm__ask_new(size_t size) {
  fm__domain *d = fm__of(fm__here());
  Ask *a = fm__alloc(sizeof *a + size);
  if (!a)
    fm__out_of_memory("a reply", "", size);
  link_in(&d->asks, a);
  *reply_in(a) = (fm__reply){ .domain = d, .state = FM__AWAITED, .asked = true };
  return reply_in(a);
}

void fm__ask_over(fm__reply *r) {
  if (r->arrived)
    ask_free(r);
  else
    r->left = true;
}

// Those that have been answered wait for their notes.
void fm__asks_end(fm__domain *d) {
  pthread_mutex_lock(&orphans_lock);
  for (Ask *a = d->asks, *next; a; a = next) {
    fm__reply *r = reply_in(a);
    next = a->next;
    r->left = true;
    if (r->arrived) {
      ask_free(r);
    } else if (!(__atomic_fetch_or(&r->state, FM__ORPHAN, __ATOMIC_SEQ_CST) & FM__ANSWERED)) {
      link_out(a);
      link_in(&orphans, a);
    }
  }
  pthread_mutex_unlock(&orphans_lock);
  while (d->asks) {
    fm__inbox_drain(d);
    sched_yield();
  }
}
