// wait.c: waiting for descriptors until they really are ready. The wait itself is fm__wait_fd, in
// runtime/wait/watch.c.
#include "library.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void fm__fail_os(int code) throws(struct os_error) {
  throw(struct os_error){ code };
}

// The descriptor that had this number before is gone.
int fm__new_fd(int fd) throws(struct os_error) {
  if (fd < 0)
    throw(struct os_error){ errno };
  fm_watch_forget(fd);
  return fd;
}

// As poll(2) reports them.
static int events_now(int fd, unsigned events) {
  struct pollfd p = { .fd = fd,
                      .events = (short)((events & FM_READABLE ? POLLIN : 0) |
                                        (events & FM_WRITABLE ? POLLOUT : 0)) };
  return poll(&p, 1, 0) == 1 ? p.revents : 0;
}

bool fm__ready_now(int fd, unsigned events) {
  return events_now(fd, events) != 0;
}

// The driver may be too early: an event of a descriptor that had the number before.
static async void wait_until(int fd, unsigned events) throws(struct os_error) {
  int now;
  while (!(now = events_now(fd, events)))
    fm__wait_fd(fd, events | FM_TRIED);
  if (now & POLLNVAL)
    throw(struct os_error){ EBADF };
}

async void fm_wait_readable(int fd) throws(struct os_error) {
  wait_until(fd, FM_READABLE);
}

async void fm_wait_writable(int fd) throws(struct os_error) {
  wait_until(fd, FM_WRITABLE);
}

async void fm_wait_more(int fd) throws(struct os_error) {
  return fm__wait_fd(fd, FM_READABLE | FM_TRIED); // a tail call: no frame
}

async void fm_wait_room(int fd) throws(struct os_error) {
  return fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
}

void fm_close(int fd) {
  int err = errno;
  fm_watch_forget(fd);
  close(fd);
  errno = err;
}
