// poll.c: the driver over poll(2) and the monotonic clock. The watched descriptors stand in one
// array, as poll wants them; the first is an eventfd, by which other threads wake the domain. poll
// takes time in proportion to the number of descriptors: for thousands there are better drivers.
#define _GNU_SOURCE
#include "drivers/drivers.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

typedef struct Poll {
  fm_driver driver;
  // the eventfd, apart from the array, which may move while other threads use it
  int wakes;
  struct pollfd *fds; // [0]: the eventfd
  fm_watch **watches; // by the same index; [0]: NULL
  size_t n;
  size_t room;
} Poll;

enum { FIRST_ROOM = 16 };

static void wake(void *ctx) {
  Poll *p = ctx;
  uint64_t one = 1;
  int err = errno;
  // It fails only if it is woken already.
  ssize_t n = write(p->wakes, &one, sizeof one);
  (void)n;
  errno = err;
}

static bool pending(void *ctx) {
  return ((Poll *)ctx)->n > 1;
}

// ---- descriptors ----
static bool resize(Poll *p, size_t room) {
  struct pollfd *fds = fm__realloc(p->fds, room * sizeof *fds);
  if (!fds)
    return false;
  p->fds = fds;
  fm_watch **watches = fm__realloc(p->watches, room * sizeof *watches);
  if (!watches)
    return false;
  p->watches = watches;
  p->room = room;
  return true;
}

static void add(Poll *p, int fd, short events, fm_watch *w) {
  p->fds[p->n] = (struct pollfd){ fd, events, 0 };
  p->watches[p->n++] = w;
}

static int watch(void *ctx, fm_watch *w) {
  Poll *p = ctx;
  // poll would ignore it.
  if (w->fd < 0)
    return EBADF;
  if (p->n == p->room && !resize(p, p->room * 2))
    return ENOMEM;
  w->at = p->n;
  add(p,
      w->fd,
      (w->events & FM_READABLE ? POLLIN | POLLRDHUP : 0) |
          (w->events & FM_WRITABLE ? POLLOUT : 0),
      w);
  return 0;
}

static void unwatch(void *ctx, fm_watch *w) {
  Poll *p = ctx;
  size_t last = --p->n;
  p->fds[w->at] = p->fds[last];
  p->watches[w->at] = p->watches[last];
  p->watches[w->at]->at = w->at;
}

// From the end, as in call_ready.
static void forget(void *ctx, int fd) {
  Poll *p = ctx;
  for (size_t i = p->n; i-- > 1;) {
    fm_watch *w = i < p->n ? p->watches[i] : NULL;
    if (!w || w->fd != fd)
      continue;
    unwatch(p, w);
    w->ready(w, 0);
  }
}

static unsigned events_of(short got) {
  if (got & (POLLERR | POLLHUP | POLLNVAL))
    return FM_READABLE | FM_WRITABLE;
  return (got & (POLLIN | POLLRDHUP) ? FM_READABLE : 0u) |
         (got & POLLOUT ? FM_WRITABLE : 0u);
}

// From the end: `ready` may remove watches or add some. Those it adds, and the last one, which
// fills a hole, have been looked at already, or are not due. If it removes a watch that is still to
// come, the last one, which has been looked at, takes its place.
static size_t call_ready(Poll *p) {
  size_t ready = 0;
  for (size_t i = p->n; i-- > 1;) {
    if (i >= p->n)
      continue;
    fm_watch *w = p->watches[i];
    unsigned events = events_of(p->fds[i].revents) & w->events;
    if (!events)
      continue;
    unwatch(p, w);
    w->ready(w, events);
    ready++;
  }
  return ready;
}

// ---- waiting ----
static void drain_wakes(Poll *p) {
  uint64_t count;
  if (p->fds[0].revents & POLLIN) {
    ssize_t n = read(p->wakes, &count, sizeof count);
    (void)n;
  }
}

// NULL: for ever.
static struct timespec *timeout_of(uint64_t until, struct timespec *t) {
  uint64_t at;
  uint64_t ns;
  if (until == FM_FOREVER)
    return NULL;
  at = until ? fm__clock() : 0;
  ns = until > at ? until - at : 0;
  *t =
      (struct timespec){ (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
  return t;
}

static size_t wait_for(void *ctx, uint64_t until) {
  Poll *p = ctx;
  struct timespec t;
  int err = errno;
  int got = ppoll(p->fds, p->n, timeout_of(until, &t), NULL);
  if (got < 0 && errno == EINTR)
    fm_watch_interrupted();
  errno = err;
  // The time has come, or a signal has.
  if (got <= 0)
    return 0;
  drain_wakes(p);
  return call_ready(p);
}

// ---- its life ----
static void free_driver(void *ctx) {
  Poll *p = ctx;
  if (p->n)
    close(p->wakes);
  fm__free(p->fds);
  fm__free(p->watches);
  fm__free(p);
}

fm_driver *fm_driver_poll(void) {
  Poll *p = fm__alloc(sizeof *p);
  if (!p)
    return NULL;
  *p = (Poll){ .driver = FM__DRIVER(p, fm__driver_now, free_driver) };
  if (!resize(p, FIRST_ROOM) ||
      (p->wakes = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0) {
    free_driver(p);
    return NULL;
  }
  add(p, p->wakes, POLLIN, NULL);
  return &p->driver;
}
