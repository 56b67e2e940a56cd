// remote.c: spawn on: activities in other domains. Two threads never touch the memory of one
// activity. At *home*, where the spawn stands, a *proxy* takes the place of the child in the tree:
// an activity that does not run, but waits; its first frame is the one in which the child would
// have started. *Away*, in the other domain, the *guest* is a root that runs in a copy of that
// frame. Messages connect the two (remote.h): start brings the arguments and makes the guest; done
// brings its result, or a copy of its error, and only then does the proxy end.
//
// So for waiting, cancelling and the tree, a proxy is a child like any other, whose wait cannot be
// withdrawn. A detached guest whose task nobody holds has no proxy: its errors belong to its own
// domain.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "domains/starts.h"

#include <string.h>

typedef fm__errand errand;

static errand *errand_of(void *part, size_t offset) {
  return (errand *)(void *)((char *)part - offset);
}

// ---- the object ----
errand *
fm__errand_new(const fm__errand_kind *e, fm__runtime *away, size_t size) {
  errand *r = fm__alloc(sizeof *r + size);
  if (r)
    *r = (errand){
      .references = 1,
      .kind = e,
      .away = away,
      .size = size,
    };
  return r;
}

void fm__errand_release(errand *r) {
  if (atomic_fetch_sub(&r->references, 1) != 1)
    return;
  // The activity that would have been thrown it has been dropped.
  if (r->error && r->error != FM_CANCELLING && !r->proxy)
    fm__report_error(r->error);
  fm__error_drop(r->error);
  fm__free(r->more);
  fm__locals_free(r->locals);
  fm__offer_release(&r->offer);
  if (r->away)
    fm__runtime_unref(r->away);
  fm__free(r);
}

// ---- done: away → home ----
static void came_home(fm__runtime *d, fm__msg *m) {
  errand *r = errand_of(m, offsetof(errand, done));
  // Activities that wait for the proxy may be gone; it is soon dropped itself.
  if (r->proxy && d->dropping) {
    r->came = true;
    return;
  }
  if (r->proxy)
    r->kind->comes(d, r);
  fm__errand_release(r);
}

void fm__errand_finish(errand *r) {
  int open = FM__OPEN;
  if (r->home && atomic_compare_exchange_strong(&r->state, &open, FM__DONE)) {
    r->done.fn = came_home;
    // home's inbox stays open until this has come
    fm__inbox_post(r->home, &r->done);
  }
  fm__errand_release(r);
}

// ---- away ----
void fm__errand_link(fm__runtime *d, errand *r, fm_node *a) {
  r->guest = a;
  if ((r->next = d->guests))
    r->next->prev = r;
  d->guests = r;
}

void fm__errand_unlink(fm__runtime *d, errand *r) {
  r->guest = NULL;
  if (r->prev)
    r->prev->next = r->next;
  else
    d->guests = r->next;
  if (r->next)
    r->next->prev = r->prev;
}

void fm__errand_listen(errand *r, fm_node *a, unsigned kind) {
  fm_node *ear = &r->ear;
  fm_node *last = fm__last_waiter(a);
  ear->word = FM__HUB;
  ear->owner = ear; // distinguishes it from a stand-in of a hub
  ear->waits = (uintptr_t)a | kind;
  ear->link = last ? last->link : ear;
  if (last)
    last->link = ear;
  *fm__waiters(a) = (uintptr_t)ear;
}

void fm__ear_hears(fm__runtime *d, fm_node *ear, fm_node *a) {
  errand *r = errand_of(ear, offsetof(errand, ear));
  fm__errand_unlink(d, r);
  r->kind->hears(d, r, a);
}

void fm__errand_obey(fm__runtime *d, errand *r) {
  unsigned wanted = atomic_load(&r->wanted);
  unsigned changed = wanted ^ r->obeyed;
  r->obeyed = wanted;
  if (r->guest && changed)
    r->kind->obey(d, r, changed);
}

static void take_control(fm__runtime *d, fm__msg *m) {
  errand *r = errand_of(m, offsetof(errand, control));
  atomic_store(&r->queued, false);
  fm__errand_obey(d, r);
  fm__errand_release(r);
}

// ---- home ----
// The caller has put the wish into `wanted` first: a control that is on its way will see it.
// A start that no domain has taken needs none: the domain that takes it sets `away` first, and then
// reads `wanted`.
static void tell(errand *r) {
  fm__runtime *away = atomic_load(&r->away);
  if (!away || atomic_exchange(&r->queued, true))
    return;
  atomic_fetch_add(&r->references, 1);
  r->control.fn = take_control;
  // away has ended, and so has the guest.
  if (!fm__inbox_post(away, &r->control))
    fm__errand_release(r);
}

bool fm__errand_withdraw(fm__runtime *d, fm_node *a) {
  errand *r = fm__waited_for(a);
  (void)d;
  atomic_fetch_or(&r->wanted, FM__WANT_CANCEL);
  tell(r);
  return false;
}

// If `done` is on its way, it finds no proxy; otherwise it will not be sent.
void fm__errand_drop(fm__runtime *d, fm_node *a) {
  errand *r = fm__waited_for(a);
  int open = FM__OPEN;
  fm__errand_withdraw(d, a);
  a->waits = 0;
  d->from_domains--;
  r->proxy = NULL;
  if (r->came ||
      atomic_compare_exchange_strong(&r->state, &open, FM__ABANDONED))
    fm__errand_release(r);
}

const fm__wait_kind fm__errand_wait = {
  .what = "another domain",
  .withdraw = fm__errand_withdraw,
  .drop = fm__errand_drop,
};

errand *fm__proxy(const fm_node *a) {
  if (fm__waits_kind(a) != FM__WOBJECT || a->word & FM__REGION ||
      fm__wait_kind_of(a) != &fm__errand_wait)
    return NULL;
  return fm__waited_for(a);
}

void fm__proxy_pause(errand *r) {
  atomic_fetch_or(&r->wanted, FM__WANT_PAUSE);
  tell(r);
}

void fm__proxy_resume(errand *r) {
  atomic_fetch_and(&r->wanted, ~(unsigned)FM__WANT_PAUSE);
  tell(r);
}

static unsigned wanted_of(const fm_node *a) {
  return (a->word & FM__CANCELLED ? FM__WANT_CANCEL : 0) |
         (a->word & FM__HELD ? FM__WANT_PAUSE : 0);
}

// An atomic holds back activities that run in this domain, but not those of another one.
// FM__DELAYED stays set for a proxy that was made in an atomic: cancels from outside are held back
// from it.
void fm__errand_waits(fm__runtime *d, errand *r, fm_node *a) {
  r->home = d;
  r->proxy = a;
  r->references = 2;
  r->wanted = wanted_of(a);
  r->wait.kind = &fm__errand_wait;
  fm__wait_set(d, a, &r->wait);
}

// ---- guests ----
static void lighten(errand *r) {
  atomic_fetch_sub_explicit(&r->away->load, 1, memory_order_relaxed);
}

static void leave(errand *r) {
  lighten(r);
  fm__errand_finish(r);
}

// Pauses of the guest itself and pauses of the proxy are not distinguished.
static void guest_obeys(fm__runtime *d, errand *r, unsigned changed) {
  fm_activity a = { r->guest, fm__generation(r->guest) };
  if (changed & FM__WANT_PAUSE)
    (r->obeyed & FM__WANT_PAUSE ? fm_pause : fm_resume)(a);
  if (changed & FM__WANT_CANCEL)
    fm__cancel(d, r->guest);
}

// The guest has a handle, which stands for the proxy: its errors are read. And it has an ear, which
// hears of its end.
static fm_node *guest_new(fm__runtime *d, errand *r) {
  fm_frame *f = fm__frame_new(&d->c, r->code);
  memcpy(f + 1, r->bytes, r->size);
  fm_node *a = fm__node_new(d, &d->host, f);
  a->handles = r->home != NULL;
  fm__locals_give(d, a, r->locals);
  r->locals = NULL;
  fm__errand_listen(r, a, FM__WJOIN);
  fm__errand_link(d, r, a);
  return a;
}

static void begin(fm__runtime *d, fm__msg *m) {
  errand *r = errand_of(m, offsetof(errand, start));
  if (d->closing) {
    r->error = FM_CANCELLING;
    leave(r);
    return;
  }
  fm__ready(d, guest_new(d, r));
  fm__errand_obey(d, r);
}

// At home: the proxy has its first frame, and all marks of an activity that has not begun. Nothing
// else knows the errand. FM__POOLED: its end lightens this domain.
static fm_node *proxy_begins(fm__runtime *d, errand *r) {
  fm_node *a = r->proxy;
  fm__wait_unset(d, a);
  a->waits = fm__arming(a);
  a->word = (a->word & ~(uint64_t)FM__DELAYED) | FM__POOLED;
  fm__errand_release(r);
  fm__errand_release(r);
  return a;
}

fm_node *fm__start_begins(fm__runtime *d, errand *r) {
  if (r->home == d && r->proxy)
    return proxy_begins(d, r);
  atomic_fetch_add(&d->references, 1);
  atomic_store(&r->away, d);
  fm_node *a = guest_new(d, r);
  fm__errand_obey(d, r);
  return a;
}

fm_node *fm__start_here(fm__runtime *d, const fm_node *proxy) {
  errand *r = fm__proxy(proxy);
  return r && fm__start_reclaim(d, r) ? proxy_begins(d, r) : NULL;
}

const char *fm__proxy_wants(const fm_node *a) {
  errand *r = fm__proxy(a);
  return !r                       ? NULL
         : atomic_load(&r->queue) ? "a domain of its pool"
                                  : fm__errand_wait.what;
}

static void note_failure(errand *r, const fm_node *a, const fm_error *e) {
  if (e != FM_CANCELLING && !fm__error_is_cancel_of(e, a)) {
    r->error = fm__error_copy(e);
    return;
  }
  r->error = FM_CANCELLING;
  if (e != FM_CANCELLING)
    memcpy(&r->why, fm_error_value(e), sizeof r->why);
}

static void guest_ended(fm__runtime *d, errand *r, fm_node *a) {
  fm_frame *f = a->leaf;
  (void)d;
  a->handles = 0;
  a->word |= FM__ENDED; // for questions that come after home has heard of it
  if (r->home && fm__has_failed(f))
    note_failure(r, a, fm__error_in(f));
  else if (f->code->result_size)
    memcpy(r->bytes, fm__result_of(f), f->code->result_size);
  leave(r);
}

// ---- proxies ----
static void fail_proxy(fm__runtime *d, errand *r, fm_frame *root) {
  fm__fail_with(root, r->error);
  if (r->error == FM_CANCELLING)
    fm__cut_short(r->proxy);
  if (r->error == FM_CANCELLING && (r->why.file || r->why.by.node) &&
      !(r->proxy->word & FM__TARGET))
    fm__cancel_origin_set(d, r->proxy, r->why);
  r->error = NULL;
}

static void end_proxy(fm__runtime *d, errand *r) {
  fm_node *a = r->proxy;
  fm_frame *root = a->leaf;
  fm__wait_unset(d, a);
  if (r->error)
    fail_proxy(d, r, root);
  else if (root->code->result_size)
    memcpy(fm__result_of(root), r->bytes, root->code->result_size);
  fm__end_body(d, a, root);
}

static const fm__errand_kind spawned = { guest_obeys, guest_ended, end_proxy };

// Guests, and activities whose end another domain waits for.
void fm__guests_drop(fm__runtime *d) {
  while (d->guests) {
    errand *r = d->guests;
    fm__errand_unlink(d, r);
    r->error = FM_CANCELLING;
    if (r->kind == &spawned)
      lighten(r);
    if (r->offer.claim && !fm__claim_take(r->offer.claim, (uintptr_t)&r->offer))
      fm__errand_release(r);
    else
      fm__errand_finish(r);
  }
}

// ---- spawn on ----
static errand *
errand_for_spawn(fm__runtime *d, fm__runtime *away, const fm_frame *root) {
  size_t size = root->code->size - sizeof(fm_frame);
  size_t least = root->code->result_size;
  errand *r = fm__errand_new(&spawned, away, (size < least ? least : size) + 1);
  if (!r)
    fm__out_of_memory("spawn on of ", root->code->name, sizeof *r + size);
  r->code = root->code;
  r->size = size;
  r->locals = fm__locals_copy(d);
  memcpy(r->bytes, root + 1, size);
  return r;
}

// The task, if any, is that of the proxy.
static fm_task
home_begins(fm__runtime *d, errand *r, fm_frame *root, unsigned how) {
  enum { LOST = FM_SPAWN_DETACHED | FM_SPAWN_DROP };
  if ((how & LOST) == LOST) {
    fm__frame_free(&d->c, root);
    return (fm_task){ 0 };
  }
  fm_node *a = fm__make(d, root, how, (fm_activity){ 0 });
  fm__errand_waits(d, r, a);
  return (fm_task){ a, fm__generation(a) };
}

// A domain that is closed or has ended gets no guests: they count as cancelled.
static void refused(fm__runtime *d, errand *r) {
  r->error = FM_CANCELLING;
  if (r->home) {
    end_proxy(d, r);
    fm__errand_release(r);
  }
  fm__errand_release(r);
}

static void check_place(fm__runtime *d, const void *place) {
  if (!place)
    fm__fatal(d,
              "spawn on(NULL): perhaps the domain or pool could not be made");
}

fm_task
fm__spawn_on(fm_domain *c, fm_frame *root, unsigned how, fm_domain *to) {
  fm__runtime *d = fm__runtime_of(c);
  fm__runtime *away;
  how &= ~(unsigned)FM_SPAWN_ON;
  check_place(d, to);
  if (to == c)
    return fm__spawn(c, root, how, (fm_activity){ 0 });
  away = fm__runtime_of(to);
  if (fm__runtime_hold(away))
    atomic_fetch_add_explicit(&away->load, 1, memory_order_relaxed);
  else
    away = NULL;
  errand *r = errand_for_spawn(d, away, root);
  fm_task t = home_begins(d, r, root, how);
  r->start.fn = begin;
  if (away && fm__inbox_post(away, &r->start))
    return t;
  if (away)
    lighten(r);
  refused(d, r);
  return t;
}

// An atomic of this domain may wait for it, while this domain takes no start.
fm_task
fm__spawn_in_pool(fm_domain *c, fm_frame *root, unsigned how, fm_pool *p) {
  fm__runtime *d = fm__runtime_of(c);
  how &= ~(unsigned)FM_SPAWN_ON;
  check_place(d, p);
  fm__runtime *to = fm__pool_pick(p, d);
  if (to == d && fm__in_atomic(d))
    return fm__spawn(c, root, how, (fm_activity){ 0 });
  errand *r = errand_for_spawn(d, NULL, root);
  fm_task t = home_begins(d, r, root, how);
  if (!fm__starts_put(to, r))
    refused(d, r);
  return t;
}
