// mailbox.c: mailboxes of agent.h: how a value comes from any thread to an activity that waits.
// Replies are in reply.c.
//
// A mailbox is an unbounded channel of the domain that receives, its owner. Values that this domain
// posts go into the channel at once. A value from another thread is a letter in a list without a
// lock. The first letter since the owner last looked sends the owner a note (inbox.c), which brings
// all letters into the channel. Letters enter the channel only there, so that the order of each
// sender is kept.
//
//     sender: adds a letter to the list, told = 1; if told was 0: sends the note
//     note:   told = 0, takes the whole list
//
// The first activity to receive makes its domain the owner, and then looks at the list itself:
// letters of senders that saw no owner are in it.
//
// A message of fm_ask brings its question (reply.c) along. The owner notes when it has come, and
// which activity has received it.
#include "wait/mailbox.h"

_Static_assert(sizeof(fm__note) == sizeof(fm__msg) &&
                   offsetof(fm__note, fn) == offsetof(fm__msg, fn),
               "a note is a message");

bool fm__note_send(fm__runtime *d,
                   fm__note *n,
                   void (*fn)(fm__runtime *, fm__msg *)) {
  fm__msg *m = (fm__msg *)(void *)n;
  m->fn = fn;
  return fm__inbox_post(d, m);
}

// ---- letters ----
typedef struct fm__letter {
  _Alignas(16) struct fm__letter *next;
  fm__question *question; // NULL: nobody waits for an answer
} fm__letter;

static fm__letter *letter_new(const void *v, size_t size, fm__question *q) {
  fm__letter *l = fm__alloc(sizeof *l + size);
  if (!l)
    fm__out_of_memory("a message", "", size);
  l->question = q;
  memcpy(l + 1, v, size);
  return l;
}

static void push_letter(fm__mailbox *m, fm__letter *l) {
  l->next = __atomic_load_n(&m->letters, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &m->letters, &l->next, l, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
    continue;
}

static fm__letter *take_letters(fm__mailbox *m) {
  return fm__oldest_first(
      __atomic_exchange_n(&m->letters, NULL, __ATOMIC_SEQ_CST));
}

static inline fm__desk *desk_of(const fm__mailbox *m) {
  return __atomic_load_n(&m->desk, __ATOMIC_ACQUIRE);
}

static void
put(fm__runtime *d, fm__mailbox *m, const void *v, fm__question *q) {
  if (fm__unlikely(q))
    fm__question_comes(desk_of(m),
                       q,
                       m->chan.tail - m->chan.head,
                       m->chan.receivers.first);
  fm__chan_put(d, &m->chan, v);
}

static void bring_letters(fm__runtime *d, fm__mailbox *m) {
  for (fm__letter *l = take_letters(m), *next; l; l = next) {
    next = l->next;
    put(d, m, l + 1, l->question);
    fm__free(l);
  }
}

static inline bool is_owner(const fm__runtime *d, const fm__mailbox *m) {
  return __atomic_load_n(&m->life, __ATOMIC_RELAXED) == d->life;
}

static void note_arrives(fm__runtime *d, fm__msg *n) {
  fm__mailbox *m =
      (fm__mailbox *)(void *)((char *)n - offsetof(fm__mailbox, note));
  __atomic_store_n(&m->told, 0, __ATOMIC_SEQ_CST);
  bring_letters(d, m);
}

// ---- mailboxes ----
const fm__wait_kind fm__getting = {
  .what = "a message",
  .withdraw = fm__waiter_withdraw,
  .drop = fm__waiter_drop,
};

void fm__mailbox_init(fm__mailbox *m, size_t size) {
  *m = (fm__mailbox){ .owner = NULL };
  fm__chan_init(&m->chan, size, FM_UNBOUNDED);
  m->chan.made = (uintptr_t)FM__CALLER;
}

// The owner may have ended: then nobody receives any more.
static void tell_owner(fm__mailbox *m, fm__runtime *owner) {
  bool held = fm__runtime_hold(owner);
  if (!held || !is_owner(owner, m) ||
      !fm__note_send(owner, &m->note, note_arrives)) {
    __atomic_store_n(&m->told, 0, __ATOMIC_SEQ_CST);
    fm__desk_ends(__atomic_load_n(&m->desk, __ATOMIC_SEQ_CST));
  }
  if (held)
    fm__runtime_unref(owner);
}

static void post_from_afar(fm__mailbox *m, const void *v, fm__question *q) {
  fm__runtime *owner;
  __atomic_fetch_add(&m->posting, 1, __ATOMIC_SEQ_CST);
  push_letter(m, letter_new(v, m->chan.size, q));
  owner = __atomic_load_n(&m->owner, __ATOMIC_SEQ_CST);
  if (owner && !__atomic_exchange_n(&m->told, 1, __ATOMIC_SEQ_CST))
    tell_owner(m, owner);
  __atomic_fetch_sub(&m->posting, 1, __ATOMIC_SEQ_CST);
}

// Only this thread makes its own domain the owner, so one look is enough.
// A mailbox is an unbounded channel; the capacity is written by its init alone.
static void check_made(const fm__mailbox *m) {
  if (fm__unlikely(!m->chan.cap))
    fm__misuse("use of a mailbox or agent that was not initialised: call "
               "fm_mailbox_init or fm_agent_init first");
}

void fm__mailbox_put(fm__mailbox *m, const void *v, fm__question *q) {
  fm__runtime *d = fm__runtime_here();
  if (d && is_owner(d, m))
    put(d, m, v, q);
  else {
    check_made(m);
    post_from_afar(m, v, q);
  }
}

void fm__mailbox_post(fm__mailbox *m, const void *v) {
  fm__mailbox_put(m, v, NULL);
}

static FM_COLD void own(fm__runtime *d, fm__mailbox *m) {
  uint64_t none = 0;
  check_made(m);
  if (!__atomic_compare_exchange_n(
          &m->life, &none, d->life, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    fm__fatal(
        d, "fm_receive from a mailbox from which another domain has received");
  __atomic_store_n(&m->owner, d, __ATOMIC_SEQ_CST);
  fm__desk_of_domain(__atomic_load_n(&m->desk, __ATOMIC_SEQ_CST), d->life);
  bring_letters(d, m);
}

static inline fm__runtime *owned(fm__runtime *d, fm__mailbox *m) {
  if (fm__unlikely(!is_owner(d, m)))
    own(d, m);
  return d;
}

static inline bool get(fm__runtime *d, fm__mailbox *m, void *v) {
  if (!fm__chan_get(&m->chan, v))
    return false;
  if (fm__unlikely(desk_of(m)))
    fm__message_received(desk_of(m), d->current);
  return true;
}

// A posted value counts, even if its note is still on its way.
bool fm__mailbox_try(fm__mailbox *m, void *to) {
  fm__runtime *d = owned(fm__runtime_of(fm__here()), m);
  if (m->chan.tail == m->chan.head &&
      __atomic_load_n(&m->letters, __ATOMIC_RELAXED))
    bring_letters(d, m);
  return get(d, m, to);
}

size_t fm__mailbox_count(const fm__mailbox *m) {
  return m->chan.tail - m->chan.head;
}

void fm__mailbox_receive__fm_call(fm_domain *c,
                                  fm__mailbox *o,
                                  void *v,
                                  fm__waiter *w) {
  fm__runtime *d = owned(fm__runtime_of(c), o);
  c->result = NULL;
  if (!get(d, o, v))
    fm__park_near(d, &o->chan.receivers, w, FM__FOR_GET, v, FM__FAR_FROM(w, v));
}

FM__LEAF(fm__mailbox_receive, fm__mailbox *, fm__waiter *);

void fm__mailbox_receive__fm_last(fm_domain *c,
                                  fm__mailbox *o,
                                  void *v,
                                  fm__waiter *w) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm__mailbox_receive__fm_call(c, o, v, w);
  fm__runtime_of(c)->as_offer = false;
}

// Waits for threads that are about to leave fm_post, and for a note on its way.
void fm__mailbox_free(fm__mailbox *m) {
  fm__runtime *d = fm__runtime_of(fm__here());
  owned(d, m);
  while (__atomic_load_n(&m->posting, __ATOMIC_SEQ_CST) ||
         __atomic_load_n(&m->told, __ATOMIC_SEQ_CST)) {
    fm__inbox_drain(d);
    fm__spin(d);
  }
  bring_letters(d, m);
  fm__desk_free(m);
  fm__chan_free(&m->chan);
  m->owner = NULL;
  m->life = 0;
}
