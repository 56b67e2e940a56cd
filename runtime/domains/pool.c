// pool.c: domains that have a thread of their own, and pools of them. Such a domain serves others:
// it always counts as waiting for something outside, so when nothing is ready it sleeps in its
// driver until a message comes. The last message is the order to stop. Then the activities in it
// are cancelled and unwind, and the thread ends.
#include "domains/starts.h"
#include "core/forked.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

typedef struct fm__service {
  fm__msg stop;
  fm_driver *driver;   // from the program; NULL: none
  fm__starts *starts;  // of its pool; NULL: none
  fm__runtime *domain; // a reference to its memory
  pthread_t thread;
  pthread_mutex_t lock; // of ready
  pthread_cond_t changed;
  bool ready;   // domain is set
  bool stopped; // this and the next ones: under the lock of `all`
  bool over;    // the thread is about to end
  // of the thread; IS_JOINED: another thread waits for its end
  enum { RUNS, IS_JOINED, HAS_ENDED } state;
  struct fm__service *next, *prev; // in the list of all
} service;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t ended; // a thread has ended
  service *first;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER,
          .ended = PTHREAD_COND_INITIALIZER };

// ---- the thread ----
static void on_stop(fm__runtime *d, fm__msg *m) {
  (void)m;
  d->attention |= FM__STOP_LOOP;
}

static void announce(service *s, fm__runtime *d) {
  d->service = s;
  d->starts = s->starts;
  d->references++;
  fm__pthread_lock(&s->lock);
  s->domain = d;
  s->ready = true;
  pthread_cond_signal(&s->changed);
  pthread_mutex_unlock(&s->lock);
}

static void count_others(fm__runtime *d, size_t change) {
  d->from_domains += change;
  fm__count_external(&d->base, change);
}

static void serves_no_more(void *arg) {
  fm__pthread_lock(&all.lock);
  ((service *)arg)->over = true;
  pthread_cond_broadcast(&all.ended);
  pthread_mutex_unlock(&all.lock);
}

static void *serve(void *arg) {
  service *s = arg;
  // also if an activity calls pthread_exit
  pthread_cleanup_push(serves_no_more, s);
  fm__runtime *d = fm__runtime_of(fm__here());
  if (s->driver)
    fm_set_driver(s->driver);
  count_others(d, 1);
  announce(s, d);
  fm__loop(d);
  fm__starts_close(d);
  count_others(d, (size_t)-1);
  fm__unwind_all(d);
  fm__runtime_free(d);
  pthread_cleanup_pop(1);
  return NULL;
}

void fm__block_signals(sigset_t *before) {
  static const int own[] = { SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                             SIGTRAP, SIGABRT, SIGPROF };
  sigset_t most;
  sigfillset(&most);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    sigdelset(&most, own[i]);
  pthread_sigmask(SIG_SETMASK, &most, before);
}

static bool start_thread(service *s) {
  sigset_t before;
  fm__block_signals(&before);
  bool ok = pthread_create(&s->thread, NULL, serve, s) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return ok;
}

// ---- domains ----
static void destroy(service *s) {
  pthread_cond_destroy(&s->changed);
  pthread_mutex_destroy(&s->lock);
  fm__free(s);
}

static void remember(service *s) {
  fm__pthread_lock(&all.lock);
  if ((s->next = all.first))
    s->next->prev = s;
  all.first = s;
  pthread_mutex_unlock(&all.lock);
}

// The lock is held.
static void forget(service *s) {
  *(s->prev ? &s->prev->next : &all.first) = s->next;
  if (s->next)
    s->next->prev = s->prev;
}

static fm__runtime *domain_new(fm_driver *driver, fm__starts *q) {
  service *s = fm__alloc(sizeof *s);
  if (!s)
    return NULL;
  *s = (service){ .driver = driver, .starts = q };
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  if (!start_thread(s)) {
    destroy(s);
    return NULL;
  }
  fm__pthread_lock(&s->lock);
  while (!s->ready)
    pthread_cond_wait(&s->changed, &s->lock);
  pthread_mutex_unlock(&s->lock);
  remember(s);
  return s->domain;
}

fm_domain *fm_domain_new(fm_driver *driver) {
  fm__runtime *d = domain_new(driver, NULL);
  return d ? &d->c : NULL;
}

// ---- their end ----
// fm_domain_free ends one, the end of main all of them, perhaps at the same time. The lock is held.
static void stop(service *s) {
  if (s->stopped)
    return;
  s->stopped = true;
  s->stop.fn = on_stop;
  fm__inbox_post(s->domain, &s->stop);
}

// At most a millisecond. An activity that unwinds in the other domain may have to take back a
// request to this thread's domain, which therefore keeps answering.
static void wait_for_some_end(void) {
  fm__runtime *d = fm__runtime_here();
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&all.ended, &all.lock, &until);
  pthread_mutex_unlock(&all.lock);
  if (d)
    fm__look(d);
  fm__pthread_lock(&all.lock);
}

// Or waits until another thread's join is over. Then s may be gone, unless the caller is to free
// it.
static void join(service *s) {
  fm__check_ours(s->domain);
  if (s->state == IS_JOINED) {
    wait_for_some_end();
    return;
  }
  s->state = IS_JOINED;
  while (!s->over)
    wait_for_some_end();
  pthread_mutex_unlock(&all.lock);
  pthread_join(s->thread, NULL);
  fm__pthread_lock(&all.lock);
  s->state = HAS_ENDED;
  pthread_cond_broadcast(&all.ended);
}

// In its own thread a domain would wait for itself.
static service *service_of(fm_domain *c, const char *what) {
  fm__runtime *d = fm__runtime_of(c);
  fm__runtime *here = fm__runtime_here();
  if (!atomic_load(&d->references) || !d->service || d == here)
    fm__fatal(here ? here : fm__runtime_of(fm__here()), what);
  return d->service;
}

static void wait_for_end(service *s) {
  while (s->state != HAS_ENDED)
    join(s);
}

static void free_stopped(service *s) {
  wait_for_end(s);
  forget(s);
  fm__runtime_unref(s->domain);
  destroy(s);
}

void fm_domain_free(fm_domain *c) {
  if (!c)
    return;
  service *s =
      service_of(c,
                 "fm_domain_free of a domain that fm_domain_new did not make, "
                 "that has ended, or that is the caller's own");
  fm__pthread_lock(&all.lock);
  stop(s);
  free_stopped(s);
  pthread_mutex_unlock(&all.lock);
}

static service *running(void) {
  service *s = all.first;
  while (s && s->state == HAS_ENDED)
    s = s->next;
  return s;
}

// The program may free them later, so their memory stays. While one is joined, others may be freed
// or made.
void fm__services_end(void) {
  fm__pthread_lock(&all.lock);
  for (service *s = all.first; s; s = s->next)
    stop(s);
  for (service *s; (s = running());) {
    stop(s);
    join(s);
  }
  pthread_mutex_unlock(&all.lock);
}

// ---- pools ----
typedef struct member {
  fm__runtime *domain;
  fm__starts starts; // the domain's
} member;

struct fm_pool {
  // how many there are; they look at each other while the last ones are made
  _Atomic int n;
  _Atomic unsigned turn; // where the search for the least loaded begins
  _Atomic bool waking;   // see starts.c
  member members[];
};

static int cpus(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n > 0 ? (int)n : 1;
}

static bool add_member(fm_pool *p) {
  member *m = &p->members[p->n];
  fm__starts_init(&m->starts, p);
  if (!(m->domain = domain_new(NULL, &m->starts))) {
    fm__starts_free(&m->starts);
    return false;
  }
  p->n++;
  return true;
}

fm_pool *fm_pool_new(int domains) {
  int n = domains > 0 ? domains : cpus();
  fm_pool *p = fm__alloc(sizeof *p + (size_t)n * sizeof *p->members);
  if (!p)
    return NULL;
  *p = (fm_pool){ 0 };
  while (p->n < n)
    if (!add_member(p)) {
      fm_pool_free(p);
      return NULL;
    }
  return p;
}

// All of them stop together: one may have guests in another. None is freed before all have ended:
// they look at each other.
void fm_pool_free(fm_pool *p) {
  if (!p)
    return;
  fm__pthread_lock(&all.lock);
  for (int i = 0; i < p->n; i++)
    stop(service_of(&p->members[i].domain->c,
                    "fm_pool_free in one of its own domains"));
  for (int i = 0; i < p->n; i++)
    wait_for_end(p->members[i].domain->service);
  for (int i = 0; i < p->n; i++) {
    free_stopped(p->members[i].domain->service);
    fm__starts_free(&p->members[i].starts);
  }
  pthread_mutex_unlock(&all.lock);
  fm__free(p);
}

int fm_pool_size(const fm_pool *p) {
  return p->n;
}

fm_domain *fm_pool_domain(const fm_pool *p, int i) {
  return i >= 0 && i < p->n ? &p->members[i].domain->c : NULL;
}

fm__runtime *fm__pool_member(const fm_pool *p, int i) {
  return p->members[i].domain;
}

fm__starts *fm__pool_starts(fm_pool *p, int i) {
  return &p->members[i].starts;
}

_Atomic bool *fm__pool_waking(fm_pool *p) {
  return &p->waking;
}

static size_t load_of(const fm__runtime *d) {
  return atomic_load_explicit(&d->load, memory_order_relaxed);
}

// Domains with the same load take turns.
static fm__runtime *least_loaded(fm_pool *p) {
  unsigned n = (unsigned)p->n;
  unsigned first =
      atomic_fetch_add_explicit(&p->turn, 1, memory_order_relaxed) % n;
  fm__runtime *best = fm__pool_member(p, (int)first);
  for (unsigned i = 1; i < n; i++) {
    fm__runtime *d = fm__pool_member(p, (int)((first + i) % n));
    if (load_of(d) < load_of(best))
      best = d;
  }
  return best;
}

// An activity that a domain of the pool spawns costs least in that domain. Other domains take it
// from the queue when they have nothing to do. But activities that live long, and often wait, are
// to be spread.
fm__runtime *fm__pool_pick(fm_pool *p, fm__runtime *d) {
  enum { FEW = 4 };
  if (!d->starts || d->starts->pool != p)
    return least_loaded(p);
  if (load_of(d) <= FEW)
    return d;
  fm__runtime *least = least_loaded(p);
  return load_of(least) + FEW < load_of(d) - load_of(d) / 4 ? least : d;
}
