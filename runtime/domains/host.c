// host.c: a domain in another main loop: of a GUI, a game, a library. The domain does not wait
// here. The host asks how long it may wait, and for what, and then gives the domain a turn:
//
//     for (;;) {
//       wait for fm_host_fd() and the host's own events, at most fm_host_timeout();
//       …
//       fm_host_turn();
//     }
//
// The driver is an epoll set, which is itself a descriptor that the host can wait for. While the
// host waits, the domain counts as sleeping (inbox.c), so that other threads wake it.
#include "fm.h"
#include "drivers/epoll.h"

#include <limits.h>

typedef struct Hosted {
  fm_driver driver;
  fm__epoll set;
  // informs the host, from any thread; NULL: the descriptor is enough
  void (*tell)(void *);
  void *host;
} Hosted;

// ---- the driver; `poll` waits only if the host uses `run` ----
static size_t wait_for(void *ctx, uint64_t until) {
  return fm__epoll_wait(&((Hosted *)ctx)->set, until);
}
static int watch(void *ctx, fm_watch *w) {
  return fm__epoll_watch(&((Hosted *)ctx)->set, w);
}
static void unwatch(void *ctx, fm_watch *w) {
  fm__epoll_unwatch(&((Hosted *)ctx)->set, w);
}
static void forget(void *ctx, int fd) {
  fm__epoll_forget(&((Hosted *)ctx)->set, fd);
}
static bool pending(void *ctx) {
  return ((Hosted *)ctx)->set.watches > 0;
}

static void wake(void *ctx) {
  Hosted *h = ctx;
  if (h->tell)
    h->tell(h->host);
  fm__epoll_wake(&h->set);
}

static void free_driver(void *ctx) {
  fm__epoll_close(&((Hosted *)ctx)->set);
  fm__free(ctx);
}

fm_driver *fm_driver_hosted(void (*tell)(void *), void *host) {
  Hosted *h = fm__alloc(sizeof *h);
  if (!h)
    return NULL;
  h->tell = tell;
  h->host = host;
  h->driver = FM__DRIVER(h, fm__driver_now, free_driver);
  if (fm__epoll_open(&h->set, &h->driver)) {
    h->set.shared = true;
    return &h->driver;
  }
  fm__free(h);
  return NULL;
}

// ---- the host's side ----
static fm__runtime *hosted(const char *caller) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (d->current)
    fm__fatal(d, caller);
  if (!d->driver || d->driver->poll != wait_for)
    fm__fatal(d,
              "this domain is not hosted: fm_set_driver(fm_driver_hosted(…))");
  return d;
}

static Hosted *host_of(fm__runtime *d) {
  return d->driver->ctx;
}

int fm_host_fd(void) {
  return host_of(hosted("fm_host_fd in an activity"))->set.fd;
}

static bool is_quiet(fm__runtime *d) {
  // a thread that posts from now on wakes the host
  atomic_store(&d->sleeping, 1);
  return !d->base.head && !atomic_load(&d->inbox);
}

int fm_host_timeout(void) {
  fm__runtime *d = hosted("fm_host_timeout in an activity");
  uint64_t until;
  uint64_t at;
  uint64_t ms;
  if (!is_quiet(d))
    return 0;
  until = fm__epoll_before(&host_of(d)->set, fm__alarms_next(d, fm__time(d)));
  if (until == FM_FOREVER)
    return -1;
  at = fm__clock();
  ms = until > at ? (until - at + 999999) / 1000000 : 0;
  return ms < INT_MAX ? (int)ms : INT_MAX;
}

// Runs the ready activities, and those that they make ready, but not for ever: an activity that
// runs alone would keep the host waiting.
static void run_ready(fm__runtime *d) {
  // turns between two readings of the clock; nanoseconds
  enum { SOME = 64, LONGEST = 10000000 };
  uint64_t start = fm__clock();
  d->host_waits = true;
  fm__count_external(&d->base, 1);
  if (d->base.head && fm__needs_tick(d))
    fm__tick_wake(d);
  while (fm__run_some(d, SOME) == SOME && fm__clock() - start < LONGEST)
    ;
  fm__count_external(&d->base, (size_t)-1);
  d->host_waits = false;
}

bool fm_host_turn(void) {
  fm__runtime *d = hosted("fm_host_turn in an activity");
  atomic_store(&d->sleeping, 0);
  fm__inbox_drain(d);
  d->driver->poll(d->driver->ctx, 0);
  if (fm__has_alarms(d))
    fm__alarms_fire(d, fm__time(d));
  run_ready(d);
  d->current = NULL;
  is_quiet(d);
  return d->host.child != NULL;
}
