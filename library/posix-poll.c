// posix-poll.c: poll, select and pause of posix.h: waits for several descriptors at once, which a
// signal ends. Each round watches all descriptors, and asks libc's poll when one of them may be
// ready.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fermata/posix.h>
#include <stdlib.h>

// ---- signals ----
// Waits that a signal ends, with EINTR, when its handler has run: poll, select and pause always,
// accept if there is a handler without SA_RESTART. As in POSIX, a signal that comes while nothing
// waits ends nothing.
extern void (*_Atomic fm__interrupt_hook)(void); // runtime/wait/watch.c

static _Thread_local fm__interrupt *interruptible; // of this thread's domain

static void take_out(void *arg) {
  fm__interrupt *i = arg;
  *i->back = i->next;
  if (i->next)
    i->next->back = i->back;
}

static void interrupt_all(void) {
  while (interruptible) {
    fm__interrupt *i = interruptible;
    take_out(i);
    fm_complete(i->k);
  }
}

asyncdirect void fm__until_signal(fm__interrupt *i, fm_completion(void) * k) {
  *i = (fm__interrupt){ k, interruptible, &interruptible };
  if (i->next)
    i->next->back = &i->next;
  interruptible = i;
  fm__interrupt_hook = interrupt_all;
  fm_on_cancel(k, take_out, i);
}

async int fm_posix_pause(void) {
  fm__interrupt i;
  fm__until_signal(&i);
  errno = EINTR;
  return -1;
}

// ---- many descriptors ----
enum { IN = POLLIN | POLLRDNORM, OUT = POLLOUT | POLLWRNORM, LOOK = 20 };

typedef struct Many {
  fm_watch *watch;
  nfds_t n;
  fm_completion(void) * k;
} Many;

static void one_is_ready(fm_watch *w, unsigned events) {
  (void)events;
  w->fd = -1; // it is watched no more
  fm_complete(((Many *)w->arg)->k);
}

static void stop_all(void *arg) {
  Many *m = arg;
  for (nfds_t i = 0; i < m->n; i++)
    if (m->watch[i].fd >= 0)
      fm_watch_stop(&m->watch[i]);
}

static asyncdirect void
begin_all(Many *m, struct pollfd *fds, fm_completion(void) * k) {
  bool failed = false;
  m->k = k;
  for (nfds_t i = 0; i < m->n; i++) {
    fm_watch *w = &m->watch[i];
    *w = (fm_watch){
      .fd = fds[i].fd,
      .ready = one_is_ready,
      .arg = m,
    };
    w->events = (fds[i].events & IN ? FM_READABLE : 0u) |
                (fds[i].events & OUT ? FM_WRITABLE : 0u);
    if (!w->events)
      w->fd = -1;
    if (w->fd >= 0 && fm_watch_start(w) != 0) {
      w->fd = -1;
      // It is always ready, or no descriptor: poll reports it.
      failed = true;
    }
  }
  if (failed)
    fm_complete(k);
  else
    fm_on_cancel(k, stop_all, m);
}

static async void wait_for_any(Many *m, struct pollfd *fds) {
  begin_all(m, fds);
  stop_all(m);
}

// A driver reports what can be read or written. The rest (urgent data, a hang-up alone) is looked
// for every LOOK milliseconds.
static bool has_to_look(const struct pollfd *fds, nfds_t n) {
  for (nfds_t i = 0; i < n; i++)
    if (fds[i].fd >= 0 &&
        (fds[i].events & POLLPRI || !(fds[i].events & (IN | OUT))))
      return true;
  return false;
}

enum { AGAIN, TIME_IS_UP, INTERRUPTED };

// One round: until one of them may be ready, the time has come, or a signal.
static async int wait_for_many(struct pollfd *fds, nfds_t n, uint64_t until) {
  Many m = { .watch = malloc((n + 1) * sizeof *m.watch), .n = n };
  fm__interrupt i;
  defer free(m.watch);
  if (!m.watch) {
    fm_sleep(1);
    return AGAIN;
  }
  uint64_t now = fm_now();
  uint64_t ms =
      until == UINT64_MAX ? UINT64_MAX : (until - now + 999999) / 1000000;
  bool look = has_to_look(fds, n) && ms > LOOK;
  uint64_t wait = look ? LOOK : ms;
  if (now >= until)
    return TIME_IS_UP;
  if (wait == UINT64_MAX)
    race {
    case wait_for_any(&m, fds):
      return AGAIN;
    case fm__until_signal(&i):
      return INTERRUPTED;
    }
  race {
  case wait_for_any(&m, fds):
    return AGAIN;
  case fm__until_signal(&i):
    return INTERRUPTED;
  case fm_sleep(wait):
    return look ? AGAIN : TIME_IS_UP;
  }
  return AGAIN;
}

// libc's own, because this function is not async.
static int poll_now(struct pollfd *fds, nfds_t n) {
  return poll(fds, n, 0);
}

static async int poll_until(struct pollfd *fds, nfds_t n, uint64_t until) {
  for (int how = until ? AGAIN : TIME_IS_UP;;) {
    int r = poll_now(fds, n);
    if (r != 0 || how == TIME_IS_UP)
      return r;
    if (how == INTERRUPTED) {
      errno = EINTR;
      return -1;
    }
    how = wait_for_many(fds, n, until);
  }
}

async int fm_posix_poll(struct pollfd *fds, nfds_t n, int ms) {
  return poll_until(fds,
                    n,
                    ms < 0    ? UINT64_MAX
                    : ms == 0 ? 0
                              : fm_now() + (uint64_t)ms * 1000000);
}

static nfds_t
to_poll(struct pollfd *fds, int n, fd_set *r, fd_set *w, fd_set *x) {
  nfds_t k = 0;
  for (int fd = 0; fd < n; fd++) {
    short events = (short)((r && FD_ISSET(fd, r) ? POLLIN : 0) |
                           (w && FD_ISSET(fd, w) ? POLLOUT : 0) |
                           (x && FD_ISSET(fd, x) ? POLLPRI : 0));
    if (events)
      fds[k++] = (struct pollfd){ .fd = fd, .events = events };
  }
  return k;
}

// The events of select, from the result of poll. A hang-up does not count if only POLLOUT or
// POLLPRI was asked for.
static short selected(const struct pollfd *p) {
  return (short)((p->revents & (POLLIN | POLLHUP | POLLERR) ? p->events & POLLIN
                                                            : 0) |
                 (p->revents & (POLLOUT | POLLERR) ? p->events & POLLOUT : 0) |
                 (p->events & p->revents & POLLPRI));
}

// false: none is ready, and descriptors that poll would find again and again are left out from now
// on.
static bool any_selected(struct pollfd *fds, nfds_t n) {
  bool any = false;
  for (nfds_t i = 0; i < n; i++) {
    if (selected(&fds[i]) || fds[i].revents & POLLNVAL)
      any = true;
    else if (fds[i].revents)
      fds[i].fd = -1;
  }
  return any;
}

static int
from_poll(const struct pollfd *fds, nfds_t n, fd_set *r, fd_set *w, fd_set *x) {
  int count = 0;
  for (nfds_t i = 0; i < n; i++)
    if (fds[i].revents & POLLNVAL) {
      errno = EBADF;
      return -1;
    }
  if (r)
    FD_ZERO(r);
  if (w)
    FD_ZERO(w);
  if (x)
    FD_ZERO(x);
  for (nfds_t i = 0; i < n; i++) {
    short ready = selected(&fds[i]);
    if (ready & POLLIN)
      FD_SET(fds[i].fd, r), count++;
    if (ready & POLLOUT)
      FD_SET(fds[i].fd, w), count++;
    if (ready & POLLPRI)
      FD_SET(fds[i].fd, x), count++;
  }
  return count;
}

static uint64_t nanoseconds(const struct timeval *t) {
  return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

// Stores the time that is left, as Linux does.
async int
fm_posix_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *time) {
  enum { LONGEST = 1000000000 }; // seconds; more is for ever
  struct pollfd fds[FD_SETSIZE];
  if (n < 0 || n > FD_SETSIZE ||
      (time && (time->tv_sec < 0 || time->tv_usec < 0))) {
    errno = EINVAL;
    return -1;
  }
  nfds_t k = to_poll(fds, n, r, w, x);
  uint64_t until = !time || time->tv_sec > LONGEST ? UINT64_MAX
                   : nanoseconds(time) ? fm_now() + nanoseconds(time)
                                       : 0;
  int got;
  do
    got = poll_until(fds, k, until);
  while (got > 0 && !any_selected(fds, k));
  if (until != UINT64_MAX) {
    uint64_t now = fm_now();
    uint64_t left = until > now ? until - now : 0;
    *time = (struct timeval){ (time_t)(left / 1000000000),
                              (suseconds_t)(left % 1000000000 / 1000) };
  }
  return got < 0 ? got : from_poll(fds, k, r, w, x);
}
