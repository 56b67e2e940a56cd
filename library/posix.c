// posix.c: the POSIX functions that block, for async code (see posix.h). Each tries the system call first, in a way that cannot
// block, and waits when that says EAGAIN. In functions called fm_posix_… the libc names mean libc's own.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <fermata/posix.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool non_blocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 || flags & O_NONBLOCK;         // of no descriptor at all the system call tells
}

// False: errno says why not.
static async bool wait_for(int fd, unsigned events) {
  try {
    fm__wait_fd(fd, events);
    return true;
  } catch (struct os_error e) {
    errno = e.code;
    return false;
  }
}

static bool would_block(ssize_t r) {
  return r < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

// ---- bytes ----
async ssize_t fm_posix_read(int fd, void *buf, size_t n) {
  if (non_blocking(fd))
    return read(fd, buf, n);
  try {
    return fm_read(fd, buf, n);
  } catch (struct os_error e) {
    errno = e.code;
    return -1;
  }
}

// What was written before an error counts: the next call will tell.
async ssize_t fm_posix_write(int fd, const void *buf, size_t n) {
  size_t done = 0;
  if (non_blocking(fd))
    return write(fd, buf, n);
  try {
    do
      done += (size_t)fm_write(fd, (const char *)buf + done, n - done);
    while (done < n);
  } catch (struct os_error e) {
    if (done == 0) {
      errno = e.code;
      return -1;
    }
  }
  return (ssize_t)done;
}

async ssize_t fm_posix_readv(int fd, const struct iovec *v, int n) {
  if (n > 0 && !non_blocking(fd) && !fm__ready_now(fd, FM_READABLE) && !wait_for(fd, FM_READABLE))
    return -1;
  return readv(fd, v, n);
}

async ssize_t fm_posix_writev(int fd, const struct iovec *v, int n) {
  ssize_t all = 0;
  if (non_blocking(fd))
    return writev(fd, v, n);
  for (int i = 0; i < n; i++) {
    ssize_t r = v[i].iov_len ? fm_posix_write(fd, v[i].iov_base, v[i].iov_len) : 0;
    if (r < 0)
      return all ? all : -1;
    all += r;
    if ((size_t)r < v[i].iov_len)
      break;
  }
  return all;
}

// ---- sockets ----
async ssize_t fm_posix_recvmsg(int fd, struct msghdr *m, int flags) {
  bool waits = !(flags & MSG_DONTWAIT) && !non_blocking(fd);
  for (;;) {
    ssize_t r = recvmsg(fd, m, flags | (waits ? MSG_DONTWAIT : 0));
    if (!waits || !would_block(r))
      return r;
    if (!wait_for(fd, FM_READABLE))
      return -1;
  }
}

async ssize_t fm_posix_sendmsg(int fd, const struct msghdr *m, int flags) {
  bool waits = !(flags & MSG_DONTWAIT) && !non_blocking(fd);
  for (;;) {
    ssize_t r = sendmsg(fd, m, flags | (waits ? MSG_DONTWAIT : 0));
    if (!waits || !would_block(r))
      return r;
    if (!wait_for(fd, FM_WRITABLE))
      return -1;
  }
}

async ssize_t fm_posix_recvfrom(int fd, void *buf, size_t n, int flags, struct sockaddr *from, socklen_t *length) {
  bool waits = !(flags & MSG_DONTWAIT) && !non_blocking(fd);
  size_t done = 0;
  for (;;) {
    ssize_t r = recvfrom(fd, (char *)buf + done, n - done, (flags & ~MSG_WAITALL) | (waits ? MSG_DONTWAIT : 0), from, length);
    if (waits && would_block(r)) {
      if (!wait_for(fd, FM_READABLE))
        return done ? (ssize_t)done : -1;
      continue;
    }
    if (r <= 0)
      return done ? (ssize_t)done : r;
    done += (size_t)r;
    if (!(flags & MSG_WAITALL) || !waits || done == n)
      return (ssize_t)done;
  }
}

async ssize_t fm_posix_recv(int fd, void *buf, size_t n, int flags) {
  return fm_posix_recvfrom(fd, buf, n, flags, NULL, NULL);
}

async ssize_t fm_posix_sendto(int fd, const void *buf, size_t n, int flags, const struct sockaddr *to, socklen_t length) {
  bool waits = !(flags & MSG_DONTWAIT) && !non_blocking(fd);
  size_t done = 0;
  for (;;) {
    ssize_t r = sendto(fd, (const char *)buf + done, n - done, flags | (waits ? MSG_DONTWAIT : 0), to, length);
    if (waits && would_block(r)) {
      if (!wait_for(fd, FM_WRITABLE))
        return done ? (ssize_t)done : -1;
      continue;
    }
    if (r < 0)
      return done ? (ssize_t)done : r;
    done += (size_t)r;
    if (!waits || done >= n)
      return (ssize_t)done;
  }
}

async ssize_t fm_posix_send(int fd, const void *buf, size_t n, int flags) {
  return fm_posix_sendto(fd, buf, n, flags, NULL, 0);
}

// What was waited for may be gone when it is taken: a listening socket must not block then.
async int fm_posix_accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
  int was = fcntl(fd, F_GETFL), r;
  if (was < 0 || was & O_NONBLOCK)
    return accept4(fd, address, length, flags);
  for (;;) {
    fcntl(fd, F_SETFL, was | O_NONBLOCK);
    r = accept4(fd, address, length, flags);
    int err = errno;
    fcntl(fd, F_SETFL, was);
    errno = err;
    if (r >= 0)
      fm_watch_forget(r);
    if (!would_block(r))
      return r;
    if (!wait_for(fd, FM_READABLE))
      return -1;
  }
}

async int fm_posix_accept(int fd, struct sockaddr *address, socklen_t *length) {
  return fm_posix_accept4(fd, address, length, 0);
}

static int socket_error(int fd) {
  int err = 0;
  socklen_t n = sizeof err;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &n) < 0)
    return -1;
  errno = err;
  return err ? -1 : 0;
}

async int fm_posix_connect(int fd, const struct sockaddr *address, socklen_t length) {
  int was = fcntl(fd, F_GETFL);
  if (was < 0 || was & O_NONBLOCK)
    return connect(fd, address, length);
  fcntl(fd, F_SETFL, was | O_NONBLOCK);
  int r = connect(fd, address, length), err = errno;
  fcntl(fd, F_SETFL, was);
  errno = err;
  if (r == 0 || (err != EINPROGRESS && err != EAGAIN))
    return r;
  return wait_for(fd, FM_WRITABLE) ? socket_error(fd) : -1;
}

async int fm_posix_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **res) {
  return fm_getaddrinfo(node, service, hints, res);
}

// ---- time ----
async unsigned fm_posix_sleep(unsigned seconds) {
  fm_sleep((uint64_t)seconds * 1000);
  return 0;
}

async int fm_posix_usleep(useconds_t us) {
  fm_sleep(((uint64_t)us + 999) / 1000);
  return 0;
}

async int fm_posix_nanosleep(const struct timespec *time, struct timespec *left) {
  if (time->tv_nsec < 0 || time->tv_nsec > 999999999 || time->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  fm_sleep((uint64_t)time->tv_sec * 1000 + ((uint64_t)time->tv_nsec + 999999) / 1000000);
  if (left)
    *left = (struct timespec){ 0 };
  return 0;
}

// ---- many descriptors ----
typedef struct Many {
  fm_watch *watch;
  nfds_t n;
  fm_completion(void) *k;
} Many;

static void one_is_ready(fm_watch *w, unsigned events) {
  (void)events;
  w->fd = -1;                                     // it is watched no more
  fm_complete(((Many *)w->arg)->k);
}

static void stop_all(void *arg) {
  Many *m = arg;
  for (nfds_t i = 0; i < m->n; i++)
    if (m->watch[i].fd >= 0)
      fm_watch_stop(&m->watch[i]);
}

static asyncdirect void begin_all(Many *m, struct pollfd *fds, fm_completion(void) *k) {
  bool failed = false;
  m->k = k;
  for (nfds_t i = 0; i < m->n; i++) {
    fm_watch *w = &m->watch[i];
    *w = (fm_watch){ .fd = fds[i].fd, .ready = one_is_ready, .arg = m };
    w->events = (fds[i].events & (POLLIN | POLLPRI | POLLRDNORM) ? FM_READABLE : 0u) | (fds[i].events & (POLLOUT | POLLWRNORM) ? FM_WRITABLE : 0u);
    if (!w->events)
      w->events = FM_READABLE;                    // an error or hang-up
    if (w->fd >= 0 && fm_watch_start(w) != 0) {
      w->fd = -1;
      failed = true;                              // it is always ready, or no descriptor: poll tells
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

// One round: until one of them may be ready, or the time has come. False: the time has come.
static async bool wait_for_many(struct pollfd *fds, nfds_t n, uint64_t until) {
  Many m = { .watch = malloc((n + 1) * sizeof *m.watch), .n = n };
  defer free(m.watch);
  if (!m.watch) {
    fm_sleep(1);
    return true;
  }
  if (until == UINT64_MAX) {
    wait_for_any(&m, fds);
    return true;
  }
  uint64_t now = fm_now();
  if (now >= until)
    return false;
  race {
    case wait_for_any(&m, fds): return true;
    case fm_sleep((until - now + 999999) / 1000000): return false;
  }
  return false;
}

async int fm_posix_poll(struct pollfd *fds, nfds_t n, int ms) {
  uint64_t until = ms < 0 ? UINT64_MAX : fm_now() + (uint64_t)ms * 1000000;
  for (bool more = ms != 0;;) {
    int r = poll(fds, n, 0);
    if (r != 0 || !more)
      return r;
    more = wait_for_many(fds, n, until);
  }
}

static nfds_t to_poll(struct pollfd *fds, int n, fd_set *r, fd_set *w, fd_set *x) {
  nfds_t k = 0;
  for (int fd = 0; fd < n; fd++) {
    short events = (short)((r && FD_ISSET(fd, r) ? POLLIN : 0) | (w && FD_ISSET(fd, w) ? POLLOUT : 0) | (x && FD_ISSET(fd, x) ? POLLPRI : 0));
    if (events)
      fds[k++] = (struct pollfd){ .fd = fd, .events = events };
  }
  return k;
}

static int from_poll(const struct pollfd *fds, nfds_t n, fd_set *r, fd_set *w, fd_set *x) {
  int count = 0;
  if (r) FD_ZERO(r);
  if (w) FD_ZERO(w);
  if (x) FD_ZERO(x);
  for (nfds_t i = 0; i < n; i++) {
    short got = fds[i].revents, want = fds[i].events;
    if (got & POLLNVAL) {
      errno = EBADF;
      return -1;
    }
    if (want & POLLIN && got & (POLLIN | POLLHUP | POLLERR)) FD_SET(fds[i].fd, r), count++;
    if (want & POLLOUT && got & (POLLOUT | POLLERR)) FD_SET(fds[i].fd, w), count++;
    if (want & POLLPRI && got & POLLPRI) FD_SET(fds[i].fd, x), count++;
  }
  return count;
}

async int fm_posix_select(int n, fd_set *r, fd_set *w, fd_set *x, struct timeval *time) {
  struct pollfd fds[FD_SETSIZE];
  if (n < 0 || n > FD_SETSIZE) {
    errno = EINVAL;
    return -1;
  }
  nfds_t k = to_poll(fds, n, r, w, x);
  int ms = !time ? -1 : (int)(time->tv_sec * 1000 + (time->tv_usec + 999) / 1000);
  int got = fm_posix_poll(fds, k, ms);
  return got < 0 ? got : from_poll(fds, k, r, w, x);
}

// ---- processes ----
async pid_t fm_posix_waitpid(pid_t pid, int *status, int options) {
  for (uint64_t ms = 1;; ms = ms < 50 ? ms * 2 : ms) {
    pid_t r = waitpid(pid, status, options | WNOHANG);
    if (r != 0 || options & WNOHANG)
      return r;
    if (pid > 0 && !(options & (WUNTRACED | WCONTINUED))) {
      try {
        int got = fm_wait_process(pid);
        if (status)
          *status = got;
        return pid;
      } catch (struct os_error e) {
        errno = e.code;
        return -1;
      }
    }
    fm_sleep(ms);                                 // of several the system tells no descriptor to wait for
  }
}

async pid_t fm_posix_wait(int *status) {
  return fm_posix_waitpid(-1, status, 0);
}

// ---- files ----
static intptr_t do_sync(void *fd) { return fsync(*(int *)fd) < 0 ? errno : 0; }
static intptr_t do_data_sync(void *fd) { return fdatasync(*(int *)fd) < 0 ? errno : 0; }

static int in_errno(intptr_t code) {
  errno = (int)code;
  return code ? -1 : 0;
}

async int fm_posix_fsync(int fd) {
  int it = fd;
  return in_errno(fm_offload(do_sync, &it));
}

async int fm_posix_fdatasync(int fd) {
  int it = fd;
  return in_errno(fm_offload(do_data_sync, &it));
}
