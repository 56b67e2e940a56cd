// permits.c: semaphores and rate limiters of sync.h: permits, and activities that want one or
// several of them.
//
// Waiters stand in one queue, in the order in which they came, whatever they want. Always: the
// first one wants more than there is. So a permit that is given back, a token that comes, and a
// first waiter that leaves may let several go on. A line in which that has happened is listed in
// its domain, and fm__lines_serve serves it: at the end of a cancel, when all that were cancelled
// have left. It is never entered twice, so that nothing nests however many races are decided by it.
//
// A waiter that wants one permit of a semaphore is the library's usual one: when it leaves, nobody
// can go on, because there is no permit. All others are *heavy*: they know their line and their
// weight.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/park.h"

typedef void serve_fn(fm__runtime *d, fm__line *l);

// ---- lines that may go on, in the order in which that was noted ----
static fm__line *const end_of_lines = (fm__line *)1;

static void note_change(fm__runtime *d, fm__line *l, serve_fn *serve) {
  l->serve = (void (*)(void))serve;
  if (l->next)
    return;
  l->next = end_of_lines;
  if (d->lines)
    d->last_line->next = l;
  else
    d->lines = l;
  d->last_line = l;
}

void fm__lines_serve(fm__runtime *d) {
  if (d->serves_lines)
    return;
  d->serves_lines = true;
  while (d->lines) {
    fm__line *l = d->lines;
    d->lines = l->next == end_of_lines ? NULL : l->next;
    l->next = NULL;
    ((serve_fn *)l->serve)(d, l);
  }
  d->serves_lines = false;
}

static void changed(fm__runtime *d, fm__line *l, serve_fn *serve) {
  note_change(d, l, serve);
  fm__lines_serve(d);
}

// ---- heavy waiters: a frame that belongs to no call ----
typedef struct Heavy {
  fm_frame h;
  fm__far_waiter far;
  fm__line *line;
  uint64_t weight;
} Heavy;

static const fm_code heavy_code = { .name = "wait",
                                    .file = "fermata",
                                    .size = sizeof(Heavy) };

static Heavy *heavy_of(const fm_node *a) {
  char *far = (char *)fm__far(fm__waiter_of(a));
  return (Heavy *)(void *)(far - offsetof(Heavy, far));
}

static void
wait_heavy(fm__runtime *d, fm__line *l, const fm__wait_kind *kind, uint64_t n) {
  if (fm__wait_ends_here(d))
    return;
  Heavy *h = (Heavy *)fm__frame_new(&d->c, &heavy_code);
  h->line = l;
  h->weight = n;
  fm__park_far(d, &l->queue, &h->far, kind, NULL);
}

static void leave(fm__runtime *d, fm_node *a, serve_fn *serve) {
  Heavy *h = heavy_of(a);
  if (h->line->queue.first == a)
    note_change(d, h->line, serve);
  fm__dequeue(a);
  fm__frame_free(&d->c, &h->h);
  a->waits = 0;
}

static const fm__wait_kind semaphore = FM__KIND("a semaphore");

// Not of a request.
static bool is_heavy(const fm_node *a) {
  return fm__kind_in(fm__waiter_of(a)) != &semaphore;
}

static uint64_t weight_of(fm_node *a) {
  if (fm__is_request(a))
    return *(const uint64_t *)fm__request_value(a);
  return is_heavy(a) ? heavy_of(a)->weight : 1;
}

// The first waiter, which is claimed, gets what it wants. false: it does not want it any more.
static bool serve_first(fm__runtime *d, fm_node *a, uint64_t *left) {
  if (fm__unlikely(a->word & FM__ARM) && fm__match(d, a, NULL) != FM__MATCHED)
    return false;
  *left -= weight_of(a);
  Heavy *h = !fm__is_request(a) && is_heavy(a) ? heavy_of(a) : NULL;
  fm__wake(d, a);
  if (h)
    fm__frame_free(&d->c, &h->h);
  return true;
}

// ---- semaphores ----
static void serve_sem(fm__runtime *d, fm__line *l) {
  fm_sem *s = (fm_sem *)(void *)((char *)l - offsetof(fm_sem, fm__line));
  uint64_t left = s->fm__n;
  for (fm_node *a; (a = l->queue.first) && weight_of(a) <= left;) {
    serve_first(d, a, &left);
    s->fm__n = left;
  }
}

static bool leave_sem(fm__runtime *d, fm_node *a) {
  leave(d, a, serve_sem);
  return true;
}

static void drop_sem(fm__runtime *d, fm_node *a) {
  Heavy *h = heavy_of(a);
  fm__dequeue(a);
  fm__frame_free(&d->c, &h->h);
  a->waits = 0;
}

static const fm__wait_kind permits = {
  .what = "permits of a semaphore",
  .withdraw = leave_sem,
  .drop = drop_sem,
  .inner = true,
};

void fm_sem_init(fm_sem *s, unsigned n) {
  *s = (fm_sem){ .fm__n = n, .fm__owner = fm__owner_here() };
}

size_t fm_sem_value(const fm_sem *s) {
  return s->fm__line.queue.first ? 0 : s->fm__n;
}

static void post(fm__runtime *d, void *o, void *v, size_t size) {
  fm_sem *s = o;
  size_t n = *(const size_t *)v;
  fm_node *a = s->fm__line.queue.first;
  (void)size;
  if (a && n == 1 && !(a->word & FM__ARM) && !is_heavy(a)) {
    fm__wake(d, a);
    return;
  }
  s->fm__n += n;
  if (a)
    changed(d, &s->fm__line, serve_sem);
}

void fm_sem_post_n(fm_sem *s, size_t n) {
  bool own;
  fm__runtime *d = fm__object_user(&s->fm__owner, &own);
  if (own)
    post(d, s, &n, sizeof n);
  else
    fm__request_post(s->fm__owner, post, s, &n, sizeof n);
}

void fm_sem_post(fm_sem *s) {
  fm_sem_post_n(s, 1);
}

static inline bool try_wait(fm_sem *s, uint64_t n) {
  if (s->fm__n < n || s->fm__line.queue.first)
    return n == 0;
  s->fm__n -= n;
  return true;
}

bool fm_sem_try_wait_n(fm_sem *s, size_t n) {
  bool own;
  fm__object_user(&s->fm__owner, &own);
  return own && try_wait(s, n);
}

bool fm_sem_try_wait(fm_sem *s) {
  return fm_sem_try_wait_n(s, 1);
}

static int
attempt_wait(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm_sem *s = o;
  uint64_t n = *(const uint64_t *)v;
  (void)d, (void)size;
  if (n && (s->fm__n < n || s->fm__line.queue.first))
    return FM__REQUEST_WAITS;
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  s->fm__n -= n;
  return FM__REQUEST_DONE;
}

static void sem_was_left(fm__runtime *d, void *o) {
  changed(d, &((fm_sem *)o)->fm__line, serve_sem);
}

static const fm__request_kind request_to_wait = {
  .attempt = attempt_wait,
  .left = sem_was_left,
};

static bool is_done_by_request(fm_domain *c, fm_sem *s, uint64_t n) {
  return fm__done_by_request(
      c, &s->fm__owner, &request_to_wait, s, &s->fm__line.queue, &n, sizeof n);
}

void fm_sem_wait__fm_call(fm_domain *c, fm_sem *o) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (!is_done_by_request(c, o, 1) && !try_wait(o, 1))
    fm__park_far(d, &o->fm__line.queue, NULL, &semaphore, NULL);
}

void fm_sem_wait_n__fm_call(fm_domain *c, fm_sem *o, size_t n) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (n == 1)
    fm_sem_wait__fm_call(c, o);
  else if (!is_done_by_request(c, o, n) && !try_wait(o, n))
    wait_heavy(d, &o->fm__line, &permits, n);
}

FM__LEAF(fm_sem_wait, fm_sem *, void *, 1);
FM__LEAF(fm_sem_wait_n, fm_sem *, size_t, 2);

void fm_sem_wait__fm_last(fm_domain *c, fm_sem *o) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm_sem_wait__fm_call(c, o);
  fm__runtime_of(c)->as_offer = false;
}

void fm_sem_wait_n__fm_last(fm_domain *c, fm_sem *o, size_t n) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm_sem_wait_n__fm_call(c, o, n);
  fm__runtime_of(c)->as_offer = false;
}

// ---- rate limiters ----
// Tokens are counted exactly: a part of a token is a number of nanoseconds times the rate.
typedef unsigned __int128 Wide;

void fm_limiter_init(fm_limiter *l,
                     uint64_t tokens,
                     uint64_t ms,
                     uint64_t burst) {
  if (!tokens || !ms || !burst)
    fm__fatal(fm__runtime_of(fm__here()), "fm_limiter_init with a 0");
  *l = (fm_limiter){
    .fm__owner = fm__owner_here(),
    .fm__rate = tokens,
    .fm__period = fm__nanoseconds(ms),
    .fm__burst = burst,
    .fm__tokens = burst,
  };
}

static void refill(fm_limiter *l, uint64_t now) {
  fm_node *a = l->fm__line.queue.first;
  uint64_t first = a ? weight_of(a) : 0;
  uint64_t most = first > l->fm__burst ? first : l->fm__burst;
  if (fm__unlikely(!l->fm__period))
    fm__misuse("use of a rate limiter that was not initialised: call "
               "fm_limiter_init first");
  Wide units = (Wide)(now - l->fm__when) * l->fm__rate + l->fm__part;
  Wide come = units / l->fm__period;
  l->fm__when = now;
  if (l->fm__tokens >= most || come >= most - l->fm__tokens) {
    l->fm__tokens = most;
    l->fm__part = 0;
  } else {
    l->fm__tokens += (uint64_t)come;
    l->fm__part = (uint64_t)(units % l->fm__period);
  }
}

// ---- the moment when the first waiter has its tokens ----
static void serve_limiter(fm__runtime *d, fm__line *line);

static fm_limiter *limiter_of(void *part, size_t offset) {
  return (fm_limiter *)(void *)((char *)part - offset);
}

static fm__alarm *alarm_of(fm_limiter *l) {
  return (fm__alarm *)(void *)&l->fm__next;
}

static void tokens_came(fm__runtime *d, fm__alarm *t) {
  fm_limiter *l = limiter_of(t, offsetof(fm_limiter, fm__next));
  t->fire = NULL;
  changed(d, &l->fm__line, serve_limiter);
}

static void unset(fm__runtime *d, fm_limiter *l) {
  if (l->fm__next.fire)
    fm__alarm_unset(d, alarm_of(l));
  l->fm__next.fire = NULL;
}

// n: more than there are.
static void set_for(fm__runtime *d, fm_limiter *l, uint64_t n) {
  Wide units = (Wide)(n - l->fm__tokens) * l->fm__period - l->fm__part;
  Wide ns = (units + l->fm__rate - 1) / l->fm__rate;
  unset(d, l);
  alarm_of(l)->fire = tokens_came;
  fm__alarm_set(d,
                alarm_of(l),
                ns < UINT64_MAX ? fm__later(l->fm__when, (uint64_t)ns)
                                : FM_FOREVER);
}

static void serve_limiter(fm__runtime *d, fm__line *line) {
  fm_limiter *l = limiter_of(line, offsetof(fm_limiter, fm__line));
  refill(l, fm__time(d));
  for (fm_node *a; (a = line->queue.first);) {
    if (weight_of(a) > l->fm__tokens) {
      set_for(d, l, weight_of(a));
      return;
    }
    serve_first(d, a, &l->fm__tokens);
  }
  unset(d, l);
}

static bool leave_limiter(fm__runtime *d, fm_node *a) {
  leave(d, a, serve_limiter);
  return true;
}

static void drop_limiter(fm__runtime *d, fm_node *a) {
  fm__line *line = heavy_of(a)->line;
  drop_sem(d, a);
  if (!line->queue.first)
    unset(d, limiter_of(line, offsetof(fm_limiter, fm__line)));
}

static const fm__wait_kind tokens = {
  .what = "a rate limiter",
  .withdraw = leave_limiter,
  .drop = drop_limiter,
};

// ---- taking tokens ----
static bool try_take(fm__runtime *d, fm_limiter *l, uint64_t n) {
  if (l->fm__line.queue.first)
    return n == 0;
  refill(l, fm__time(d));
  if (l->fm__tokens < n)
    return false;
  l->fm__tokens -= n;
  return true;
}

bool fm_limiter_try(fm_limiter *l, uint64_t n) {
  bool own;
  fm__runtime *d = fm__object_user(&l->fm__owner, &own);
  return own && try_take(d, l, n);
}

uint64_t fm_limiter_value(fm_limiter *l) {
  bool own;
  fm__runtime *d = fm__object_user(&l->fm__owner, &own);
  if (!own || l->fm__line.queue.first)
    return 0;
  refill(l, fm__time(d));
  return l->fm__tokens;
}

static void give_back(fm__runtime *d, void *o, void *v, size_t size) {
  fm_limiter *l = o;
  uint64_t n = *(const uint64_t *)v;
  (void)size;
  refill(l, fm__time(d));
  bool overflows = n > UINT64_MAX - l->fm__tokens;
  l->fm__tokens = overflows ? UINT64_MAX : l->fm__tokens + n;
  changed(d, &l->fm__line, serve_limiter);
}

void fm_limiter_give_back(fm_limiter *l, uint64_t n) {
  bool own;
  fm__runtime *d = fm__object_user(&l->fm__owner, &own);
  if (own)
    give_back(d, l, &n, sizeof n);
  else
    fm__request_post(l->fm__owner, give_back, l, &n, sizeof n);
}

static int
attempt_take(fm__runtime *d, fm__offer *by, void *o, void *v, size_t size) {
  fm_limiter *l = o;
  uint64_t n = *(const uint64_t *)v;
  (void)size;
  if (n && l->fm__line.queue.first)
    return FM__REQUEST_WAITS;
  refill(l, fm__time(d));
  if (l->fm__tokens < n) {
    set_for(d, l, n);
    return FM__REQUEST_WAITS;
  }
  if (!fm__claim_take(by->claim, (uintptr_t)by))
    return FM__REQUEST_VOID;
  l->fm__tokens -= n;
  return FM__REQUEST_DONE;
}

static void limiter_was_left(fm__runtime *d, void *o) {
  changed(d, &((fm_limiter *)o)->fm__line, serve_limiter);
}

static const fm__request_kind request_to_take = {
  .attempt = attempt_take,
  .left = limiter_was_left,
};

void fm_limiter_wait_n__fm_call(fm_domain *c, fm_limiter *o, uint64_t n) {
  fm__runtime *d = fm__runtime_of(c);
  c->result = NULL;
  if (fm__done_by_request(c,
                          &o->fm__owner,
                          &request_to_take,
                          o,
                          &o->fm__line.queue,
                          &n,
                          sizeof n) ||
      try_take(d, o, n) || fm__wait_ends_here(d))
    return;
  if (!o->fm__line.queue.first)
    set_for(d, o, n);
  wait_heavy(d, &o->fm__line, &tokens, n);
}

void fm_limiter_wait__fm_call(fm_domain *c, fm_limiter *o) {
  fm_limiter_wait_n__fm_call(c, o, 1);
}

FM__LEAF(fm_limiter_wait, fm_limiter *, void *, 1);
FM__LEAF(fm_limiter_wait_n, fm_limiter *, uint64_t, 2);

void fm_limiter_wait_n__fm_last(fm_domain *c, fm_limiter *o, uint64_t n) {
  if (!fm__is_arm(c) || fm__arm_goes_on(c))
    fm_limiter_wait_n__fm_call(c, o, n);
  fm__runtime_of(c)->as_offer = false;
}

void fm_limiter_wait__fm_last(fm_domain *c, fm_limiter *o) {
  fm_limiter_wait_n__fm_last(c, o, 1);
}
