// remote-sync.c: objects of sync.h that belong to another domain. An object belongs to the domain
// in which it was made, or, if there was none, to the first domain that uses it. Only that domain's
// thread touches it. An activity of another domain (*home*) that wants to use it sends a message to
// the owner (*away*), and waits for the answer:
//
//     go     home → away   try it; if it has to wait, the message itself stands in the object's
//                          queue
//     undo   home → away   nobody wants it any more: if it still stands in the queue, it leaves
//     back   away → home   how it went; that ends the wait
//
// A request is an offer (claim.c): the activity that serves it takes its claim first. A cancel, or
// a race with another winner, takes the claim at home; then the owner does nothing, and the
// activity goes on at once. A cancel that finds the claim taken comes too late: the operation was
// done, and the activity goes on with the result. Values travel in the message, so that two threads
// never touch the memory of an activity. An operation without a wait (fm_chan_close and the like)
// is a message of its own.
#include "wait/park.h"

#include <stdlib.h>

typedef struct fm__request {
  _Alignas(16) fm__wait wait; // of the activity that waits at home
  // away's: in the object's queue, as if it were an activity
  _Alignas(16) fm_node node;
  fm__waiter w;
  fm__offer offer; // its node: the activity that waits
  fm__msg go;
  fm__msg undo;
  fm__msg back;
  struct fm__request *next, *prev; // away's: in fm__runtime.requests
  const fm__request_kind *op;
  void *o;                  // the object
  fm__queue *queue;         // where it stands, if it has to wait
  fm__runtime *home, *away; // references to their memory
  // of the activity that waits; of go, the queue and back; of an undo on its way
  _Atomic int references;
  void *v;     // home's: where the value goes
  bool came;   // home's: back has come, in vain
  bool stands; // away's: it is in the queue
  int outcome; // FM__REQUEST_…
  size_t size; // bytes that follow
  _Alignas(16) char value[];
} request;

static request *request_of(void *part, size_t offset) {
  return (request *)(void *)((char *)part - offset);
}

static void release(request *f) {
  if (atomic_fetch_sub(&f->references, 1) != 1)
    return;
  fm__offer_release(&f->offer);
  fm__runtime_unref(f->home);
  fm__runtime_unref(f->away);
  fm__free(f);
}

// ---- home: the answer ----
static void end_wait(fm__runtime *d, request *f) {
  fm_node *a = f->offer.node;
  if (f->outcome == FM__REQUEST_GONE && !f->op->throws)
    fm__fatal(d, "waits for an object of a domain that has ended");
  // It has won there.
  if (a->word & FM__ARM)
    fm__race_settle(d, a->parent);
  d->from_domains--;
  f->offer.node = NULL;
  if (f->outcome == FM__REQUEST_DONE && f->op->receives)
    memcpy(f->v, f->value, f->size);
  fm__wait_over(d,
                a,
                f->outcome == FM__REQUEST_DONE ? FM__HOLDS
                                               : fm__closed_result(d));
  release(f);
}

static void came_back(fm__runtime *d, fm__msg *m) {
  request *f = request_of(m, offsetof(request, back));
  if (f->offer.node && d->dropping) { // it is soon dropped itself
    f->came = true;
    return;
  }
  if (f->offer.node)
    end_wait(d, f);
  release(f);
}

// ---- away ----
static void answer(request *f, int outcome) {
  f->outcome = outcome;
  f->back.fn = came_back;
  if (!fm__inbox_post(f->home, &f->back))
    release(f);
}

static void stand(fm__runtime *d, request *f) {
  f->stands = true;
  f->w.word = 0;
  f->node =
      (fm_node){ .word = FM__ARM, .waits = (uintptr_t)&f->w | FM__WOBJECT };
  fm__enqueue(f->queue, &f->node);
  f->prev = NULL;
  if ((f->next = d->requests))
    f->next->prev = f;
  d->requests = f;
}

static void leave(fm__runtime *d, request *f) {
  f->stands = false;
  if (f->prev)
    f->prev->next = f->next;
  else
    d->requests = f->next;
  if (f->next)
    f->next->prev = f->prev;
}

static void go(fm__runtime *d, fm__msg *m) {
  request *f = request_of(m, offsetof(request, go));
  fm__offer *o = &f->offer;
  int outcome = FM__REQUEST_VOID;
  if (d->closing)
    outcome = fm__claim_take(o->claim, (uintptr_t)o) ? FM__REQUEST_GONE
                                                     : FM__REQUEST_VOID;
  else if (!fm__offer_is_void(o))
    outcome = f->op->attempt(d, o, f->o, f->value, f->size);
  if (outcome == FM__REQUEST_WAITS)
    stand(d, f);
  else if (outcome == FM__REQUEST_VOID)
    release(f);
  else
    answer(f, outcome);
}

fm__offer *fm__request_offer(fm_node *a) {
  return &request_of(a, offsetof(request, node))->offer;
}

void *fm__request_value(fm_node *a) {
  return request_of(a, offsetof(request, node))->value;
}

void fm__request_discard(fm__runtime *d, fm_node *a) {
  request *f = request_of(a, offsetof(request, node));
  leave(d, f);
  fm__dequeue(a);
  release(f);
}

static void undo(fm__runtime *d, fm__msg *m) {
  request *f = request_of(m, offsetof(request, undo));
  if (f->stands) {
    fm__request_discard(d, &f->node);
    if (f->op->left)
      f->op->left(d, f->o);
  }
  release(f);
}

void fm__request_served(fm__runtime *d, fm_node *a, int outcome) {
  request *f = request_of(a, offsetof(request, node));
  leave(d, f);
  answer(f, outcome);
}

// The objects may be gone already.
void fm__requests_drop(fm__runtime *d) {
  while (d->requests) {
    request *f = d->requests;
    leave(d, f);
    if (fm__claim_take(f->offer.claim, (uintptr_t)&f->offer))
      answer(f, FM__REQUEST_GONE);
    else
      release(f);
  }
}

// ---- home: asking ----
// The activity does not wait any more. A request that is to be undone is neither done nor answered;
// one that has not been sent is released with its race.
static void stop_waiting(fm__runtime *d, request *f, bool undoes) {
  f->offer.node->waits = 0;
  f->offer.node = NULL;
  d->from_domains--;
  if (undoes && f->offer.sent) {
    f->undo.fn = undo;
    // The undo has the reference now.
    if (fm__inbox_post(f->away, &f->undo))
      return;
  }
  release(f);
}

static bool withdraw(fm__runtime *d, fm_node *a) {
  request *f = fm__waited_for(a);
  if (!fm__offer_void(&f->offer))
    return false;
  const bool undoes = true;
  stop_waiting(d, f, undoes);
  return true;
}

static void drop(fm__runtime *d, fm_node *a) {
  request *f = fm__waited_for(a);
  bool came = f->came;
  stop_waiting(d, f, fm__offer_void(&f->offer));
  if (came)
    release(f);
}

static const fm__wait_kind kind = {
  .what = "an object of another domain",
  .withdraw = withdraw,
  .drop = drop,
};

static request *request_new(size_t size) {
  request *f = fm__alloc(sizeof *f + size + 1);
  if (!f)
    fm__out_of_memory("a message", "", size);
  *f = (request){ .wait = { &kind }, .references = 2, .size = size };
  return f;
}

static _Noreturn void has_ended(fm__runtime *d) {
  fm__fatal(d, "use of an object of a domain that has ended");
}

// d: the domain that wants to use it; NULL: this thread's.
static fm__runtime *hold_owner(fm__runtime *d, fm_domain *owner) {
  fm__runtime *away = fm__runtime_of(owner);
  if (!fm__runtime_hold(away) || atomic_load(&away->ended))
    has_ended(d ? d : fm__runtime_of(fm__here()));
  return away;
}

static void send(fm__runtime *d, fm__offer *o) {
  request *f = request_of(o, offsetof(request, offer));
  f->go.fn = go;
  if (!fm__inbox_post(f->away, &f->go))
    has_ended(d);
}

static void release_unsent(fm__offer *o) {
  release(request_of(o, offsetof(request, offer)));
}

static const fm__offer_kind offers = { send, release_unsent };

void fm__request_wait(fm__runtime *d,
                      fm_domain *owner,
                      const fm__request_kind *op,
                      void *o,
                      fm__queue *q,
                      void *v,
                      size_t size) {
  if (fm__wait_ends_here(d))
    return;
  fm__runtime *away = hold_owner(d, owner);
  request *f = request_new(size);
  f->op = op;
  f->o = o;
  f->queue = q;
  f->home = d;
  f->away = away;
  f->v = v;
  atomic_fetch_add(&d->references, 1);
  if ((!op->receives || op->asks) && size)
    memcpy(f->value, v, size);
  d->from_domains++;
  fm__wait_begin(d, &f->wait);
  fm__offer_begin(d, &f->offer, &offers);
}

// ---- operations without a wait ----
typedef struct command {
  fm__msg msg;
  void (*fn)(fm__runtime *, void *o, void *v, size_t size);
  void *o;
  size_t size;
  _Alignas(16) char value[];
} command;

static void obey(fm__runtime *d, fm__msg *m) {
  command *r = (command *)(void *)m;
  if (!d->closing)
    r->fn(d, r->o, r->value, r->size);
  fm__free(r);
}

void fm__request_post(fm_domain *owner,
                      void (*fn)(fm__runtime *, void *, void *, size_t),
                      void *o,
                      const void *v,
                      size_t size) {
  fm__runtime *d = hold_owner(NULL, owner);
  command *r = fm__alloc(sizeof *r + size + 1);
  if (!r)
    fm__out_of_memory("a message", "", size);
  *r = (command){ .msg.fn = obey, .fn = fn, .o = o, .size = size };
  if (size)
    memcpy(r->value, v, size);
  if (!fm__inbox_post(d, &r->msg))
    fm__free(r);
  fm__runtime_unref(d);
}

// ---- which domain owns an object ----
bool fm__is_own(fm_domain *c, fm_domain **owner) {
  fm_domain *none = __atomic_load_n(owner, __ATOMIC_ACQUIRE);
  if (none)
    return none == c;
  if (__atomic_compare_exchange_n(
          owner, &none, c, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    fm__runtime_of(c)->known = true;
    return true;
  }
  return none == c;
}

bool fm__done_by_request(fm_domain *c,
                         fm_domain **owner,
                         const fm__request_kind *op,
                         void *o,
                         fm__queue *q,
                         void *v,
                         size_t size) {
  if (fm__is_own(c, owner) && !fm__runtime_of(c)->as_offer)
    return false;
  fm__request_wait(fm__runtime_of(c), *owner, op, o, q, v, size);
  return true;
}

// A thread without a domain must not get one only to find that it cannot wait.
fm__runtime *fm__object_user(fm_domain **owner, bool *own) {
  fm_domain *was = __atomic_load_n(owner, __ATOMIC_ACQUIRE);
  fm__runtime *d = fm__runtime_here();
  if (was && !d) {
    fputs("fermata: a thread without a domain uses an object of sync.h: let "
          "it post to a mailbox (agent.h)\n",
          stderr);
    abort();
  }
  d = fm__runtime_of(fm__here());
  *own = was == &d->c || fm__is_own(&d->c, owner);
  return d;
}

fm_domain *fm__owner_here(void) {
  fm__runtime *d = fm__runtime_here();
  if (!d)
    return NULL;
  d->known = true;
  return &d->c;
}
