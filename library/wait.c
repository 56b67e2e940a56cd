// wait.c: waiting for descriptors: the one place where an activity meets the driver. The watch stands in the frame of
// fm__wait_fd, which is made only when there is something to wait for.
#include "library.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void fm__fail_os(int code) throws(struct os_error) {
  throw (struct os_error){ code };
}

// Whatever had this number before is gone.
int fm__new_fd(int fd) throws(struct os_error) {
  if (fd < 0)
    throw (struct os_error){ errno };
  fm_watch_forget(fd);
  return fd;
}

typedef struct Wait {
  fm_watch watch;
  fm_completion(int) *k;                          // of the events, or minus an errno
} Wait;

static void is_ready(fm_watch *w, unsigned events) {
  Wait *wait = w->arg;
  fm_complete(wait->k, (int)events);
}

static void withdraw(void *w) {
  fm_watch_stop(w);
}

static asyncdirect int begin(Wait *w, fm_completion(int) *k) {
  w->k = k;
  int err = fm_watch_start(&w->watch);
  if (err)
    fm_complete(k, -err);
  else
    fm_on_cancel(k, withdraw, &w->watch);
}

async void fm__wait_fd(int fd, unsigned events) throws(struct os_error) {
  Wait w = { .watch = { .fd = fd, .events = events, .ready = is_ready } };
  w.watch.arg = &w;
  int got = begin(&w);
  if (got <= 0 && got != -EPERM)                  // EPERM: always ready
    throw (struct os_error){ got ? -got : EBADF };
  fm_checkpoint();
}

bool fm__ready_now(int fd, unsigned events) {
  struct pollfd p = { .fd = fd, .events = (short)((events & FM_READABLE ? POLLIN : 0) | (events & FM_WRITABLE ? POLLOUT : 0)) };
  return poll(&p, 1, 0) == 1;
}

// The driver may say so too early: an event of a descriptor that had the number before.
static async void wait_until(int fd, unsigned events) throws(struct os_error) {
  while (!fm__ready_now(fd, events))
    fm__wait_fd(fd, events | FM_TRIED);
}

async void fm_wait_readable(int fd) throws(struct os_error) {
  wait_until(fd, FM_READABLE);
}

async void fm_wait_writable(int fd) throws(struct os_error) {
  wait_until(fd, FM_WRITABLE);
}

async void fm_wait_more(int fd) throws(struct os_error) {
  fm__wait_fd(fd, FM_READABLE | FM_TRIED);
}

void fm_close(int fd) {
  int err = errno;
  fm_watch_forget(fd);
  close(fd);
  errno = err;
}
