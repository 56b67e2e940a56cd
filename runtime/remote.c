// remote.c: spawn on: activities in other domains. No memory of an activity is ever touched by two threads. At *home*, where
// the spawn stands, a *proxy* is in the tree in the place of the child: an activity that does not run, but waits; its first
// frame is the one that the child would have started in. *Away*, in the other domain, the *guest* is a root that runs in
// a copy of that frame. Between the two there are messages, all parts of one fm__remote:
//
//     start     home → away   the arguments: makes the guest
//     control   home → away   what the proxy is to be: cancelled, paused; it holds the newest wish, so one is enough
//     done      away → home   the guest has ended: its result, or a copy of its error; with that the proxy ends, not before
//
// So for whatever concerns waiting, cancelling and the tree, a proxy is a child like any other, that waits for something
// which cannot be withdrawn. A detached guest whose task no one holds has no proxy: its errors are its own domain's.
#include "fm.h"

#include <string.h>

enum { OPEN, TAKEN, ABANDONED };                  // state: who still counts on the other
enum { CANCEL = 1, PAUSE = 2 };                   // wanted

typedef struct fm__remote {
  _Alignas(16) fm__wait wait;                     // of the proxy
  _Alignas(16) fm_node ear;                       // stands among those that wait for the guest's end, see fm__hub_hears
  fm__msg start, control, done;
  _Atomic int references;                         // home's, away's, and of a control that is on its way
  _Atomic int state;
  _Atomic unsigned wanted;
  _Atomic bool queued;                            // control is on its way
  fm__domain *home;                               // NULL: there is no proxy
  fm__domain *away;                               // of whose memory this is a reference
  fm_node *proxy;                                 // home's; NULL: dropped
  bool came;                                      // home's: done has come, in vain
  fm_node *guest;                                 // away's; NULL: it has not begun, or has ended
  struct fm__remote *next, *prev;                 // away's: in its list of guests
  unsigned obeyed;                                // away's: what was wanted last
  fm_error *error;                                // done: how it failed; NULL: it has not
  struct fm_cancelled why;                        // done, error is FM_CANCELLING: who did it away; nothing: it was not done there
  const fm_code *code;
  size_t size;                                    // of what follows
  _Alignas(16) char bytes[];                      // the arguments, later the result
} remote;

static remote *remote_of(void *part, size_t offset) {
  return (remote *)(void *)((char *)part - offset);
}

// ---- the object ----
static remote *remote_new(fm__domain *away, const fm_frame *root) {
  size_t size = root->code->size - sizeof(fm_frame), least = root->code->result_size;
  remote *r = fm__alloc(sizeof *r + (size < least ? least : size) + 1);
  if (!r)
    fm__out_of_memory("spawn on of ", root->code->name, sizeof *r + size);
  *r = (remote){ .references = 1, .away = away, .code = root->code, .size = size };
  memcpy(r->bytes, root + 1, size);
  atomic_fetch_add(&away->references, 1);
  atomic_fetch_add_explicit(&away->load, 1, memory_order_relaxed);
  return r;
}

static void release(remote *r) {
  if (atomic_fetch_sub(&r->references, 1) != 1)
    return;
  fm__error_drop(r->error);
  fm__domain_unref(r->away);
  fm__free(r);
}

// ---- done: away → home ----
static void fail_proxy(fm__domain *d, remote *r, fm_frame *root) {
  fm__fail_with(root, r->error);
  if (r->error == FM_CANCELLING && (r->why.file || r->why.by.node) && !(r->proxy->word & FM__TARGET))
    fm__blame(d, r->proxy, r->why);
  r->error = NULL;
}

static void end_proxy(fm__domain *d, remote *r) {
  fm_node *a = r->proxy;
  fm_frame *root = a->leaf;
  fm__wait_unset(d, a);
  if (r->error)
    fail_proxy(d, r, root);
  else if (root->code->result_size)
    memcpy(fm__result_of(root), r->bytes, root->code->result_size);
  fm__end_body(d, a, root);
}

static void came_home(fm__domain *d, fm__msg *m) {
  remote *r = remote_of(m, offsetof(remote, done));
  if (r->proxy && d->dropping) {                  // those that wait for it may be gone; it is soon dropped itself
    r->came = true;
    return;
  }
  if (r->proxy)
    end_proxy(d, r);
  release(r);
}

// Away is through with it.
static void leave(remote *r) {
  int open = OPEN;
  atomic_fetch_sub_explicit(&r->away->load, 1, memory_order_relaxed);
  if (r->home && atomic_compare_exchange_strong(&r->state, &open, TAKEN)) {
    r->done.fn = came_home;
    fm__inbox_post(r->home, &r->done);            // which stays open until that has come
  }
  release(r);
}

// ---- guests ----
static void link_guest(fm__domain *d, remote *r, fm_node *a) {
  r->guest = a;
  if ((r->next = d->guests))
    r->next->prev = r;
  d->guests = r;
}

static void unlink_guest(fm__domain *d, remote *r) {
  r->guest = NULL;
  if (r->prev)
    r->prev->next = r->next;
  else
    d->guests = r->next;
  if (r->next)
    r->next->prev = r->prev;
}

// What home wants now. The guest's own pauses are not told from those of the proxy.
static void obey(fm__domain *d, remote *r) {
  unsigned wanted = atomic_load(&r->wanted), changed = wanted ^ r->obeyed;
  fm_activity a = { r->guest, r->guest ? fm__generation(r->guest) : 0 };
  r->obeyed = wanted;
  if (!r->guest)
    return;
  if (changed & PAUSE)
    (wanted & PAUSE ? fm_pause : fm_resume)(a);
  if (changed & CANCEL)
    fm__cancel(d, r->guest);
}

// The guest has a handle, which stands for the proxy: its errors are read. And an ear, which hears of its end.
static void begin(fm__domain *d, fm__msg *m) {
  remote *r = remote_of(m, offsetof(remote, start));
  if (d->closing) {
    r->error = FM_CANCELLING;
    leave(r);
    return;
  }
  fm_frame *f = fm__frame_new(&d->c, r->code);
  memcpy(f + 1, r->bytes, r->size);
  fm_node *a = fm__node_new(d, &d->host, f);
  a->handles = r->home != NULL;
  r->ear.word = FM__HUB;
  r->ear.owner = r->ear.link = &r->ear;
  r->ear.waits = (uintptr_t)a | FM__WJOIN;
  *fm__waiters(a) = (uintptr_t)&r->ear;
  link_guest(d, r, a);
  fm__ready(d, a);
  obey(d, r);
}

// An error that counts as seen is a cancel's: blame.c has made it.
static void note_failure(remote *r, const fm_error *e) {
  if (e != FM_CANCELLING && !fm__error_seen(e)) {
    r->error = fm__error_copy(e);
    return;
  }
  r->error = FM_CANCELLING;
  if (e != FM_CANCELLING)
    memcpy(&r->why, fm_error_value(e), sizeof r->why);
}

void fm__guest_ended(fm__domain *d, fm_node *ear, fm_node *a) {
  remote *r = remote_of(ear, offsetof(remote, ear));
  fm_frame *f = a->leaf;
  a->handles = 0;
  a->word |= FM__ENDED;                           // for whoever asks when home has heard of it
  unlink_guest(d, r);
  if (r->home && fm__has_failed(f))
    note_failure(r, fm__error_in(f));
  else if (f->code->result_size)
    memcpy(r->bytes, fm__result_of(f), f->code->result_size);
  leave(r);
}

void fm__guests_drop(fm__domain *d) {
  while (d->guests) {
    remote *r = d->guests;
    unlink_guest(d, r);
    r->error = FM_CANCELLING;
    leave(r);
  }
}

// ---- proxies ----
static void take_control(fm__domain *d, fm__msg *m) {
  remote *r = remote_of(m, offsetof(remote, control));
  atomic_store(&r->queued, false);
  obey(d, r);
  release(r);
}

// Who wants something puts it into `wanted` first: then a control that is on its way will see it.
static void tell(remote *r) {
  if (atomic_exchange(&r->queued, true))
    return;
  atomic_fetch_add(&r->references, 1);
  r->control.fn = take_control;
  if (!fm__inbox_post(r->away, &r->control))
    release(r);                                   // away has ended, and so has the guest
}

static bool withdraw(fm__domain *d, fm_node *a) {
  remote *r = fm__what(a);
  (void)d;
  atomic_fetch_or(&r->wanted, CANCEL);
  tell(r);
  return false;
}

// If `done` is on its way, that finds no proxy; else it will not be sent.
static void drop(fm__domain *d, fm_node *a) {
  remote *r = fm__what(a);
  int open = OPEN;
  withdraw(d, a);
  a->waits = 0;
  d->from_domains--;
  r->proxy = NULL;
  if (r->came || atomic_compare_exchange_strong(&r->state, &open, ABANDONED))
    release(r);
}

static const fm__wait_kind kind = { "another domain", withdraw, drop, false, false };

remote *fm__proxy(const fm_node *a) {
  if (fm__kind(a) != FM__WDIRECT || a->word & FM__REGION || ((fm__wait *)fm__what(a))->kind != &kind)
    return NULL;
  return fm__what(a);
}

void fm__proxy_pause(remote *r, bool paused) {
  if (paused)
    atomic_fetch_or(&r->wanted, PAUSE);
  else
    atomic_fetch_and(&r->wanted, ~(unsigned)PAUSE);
  tell(r);
}

// ---- spawn on ----
static unsigned wanted_of(const fm_node *a) {
  return (a->word & FM__CANCELLED ? CANCEL : 0) | (a->word & FM__HELD ? PAUSE : 0);
}

// An atomic holds back what runs here; a guest it does not. A domain that has closed gets no guests: they count as cancelled.
static fm_node *make_proxy(fm__domain *d, remote *r, fm_frame *root, unsigned how) {
  fm_node *a = fm__make(d, root, how, (fm_activity){ 0 });
  a->word &= ~(uint64_t)FM__DELAYED;
  r->home = d;
  r->proxy = a;
  r->references = 2;
  r->wanted = wanted_of(a);
  r->wait.kind = &kind;
  fm__wait_set(d, a, &r->wait);
  return a;
}

static void send(fm__domain *d, remote *r) {
  r->start.fn = begin;
  if (fm__inbox_post(r->away, &r->start))
    return;
  r->error = FM_CANCELLING;
  atomic_fetch_sub_explicit(&r->away->load, 1, memory_order_relaxed);
  if (r->home) {
    end_proxy(d, r);
    release(r);
  }
  release(r);
}

fm_task fm__spawn_on(fm_domain *c, fm_frame *root, unsigned how, fm_domain *to) {
  enum { LOST = FM_SPAWN_DETACHED | FM_SPAWN_DROP };
  fm__domain *d = fm__of(c);
  fm_task t = { 0 };
  how &= ~(unsigned)FM_SPAWN_ON;
  if (!to)
    fm__fatal(d, "spawn on no domain");
  if (to == c)
    return fm__spawn(c, root, how, (fm_activity){ 0 });
  remote *r = remote_new(fm__of(to), root);
  if ((how & LOST) == LOST) {
    fm__frame_free(c, root);
  } else {
    t.node = make_proxy(d, r, root, how);
    t.generation = fm__generation(t.node);
  }
  send(d, r);
  return t;
}
