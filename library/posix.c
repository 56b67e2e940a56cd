// posix.c: the POSIX functions that block, for async code (see posix.h). Each tries the system call
// first, in a way that cannot block, and waits when that returns EAGAIN. In functions called
// fm_posix_… the libc names mean libc's own.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <fermata/posix.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static bool non_blocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  // For an invalid descriptor the system call itself fails.
  return flags < 0 || flags & O_NONBLOCK;
}

// How long a blocking socket waits at most, in milliseconds (SO_RCVTIMEO, SO_SNDTIMEO); 0: for
// ever, as descriptors of other kinds do.
static uint64_t time_limit(int fd, unsigned events) {
  struct timeval limit = { 0 };
  socklen_t size = sizeof limit;
  if (getsockopt(fd,
                 SOL_SOCKET,
                 events & FM_READABLE ? SO_RCVTIMEO : SO_SNDTIMEO,
                 &limit,
                 &size) < 0)
    return 0;
  return (uint64_t)limit.tv_sec * 1000 + ((uint64_t)limit.tv_usec + 999) / 1000;
}

static async bool ready_within(int fd, unsigned events, uint64_t ms)
    throws(struct os_error) {
  race {
  case fm__wait_fd(fd, events):
    return true;
  case fm_sleep(ms):
    errno = EAGAIN;
  }
  return false;
}

static int failed(struct os_error e) {
  errno = e.code;
  return -1;
}

// false: errno says why; EAGAIN: the time is over.
static async bool wait_for(int fd, unsigned events) {
  uint64_t limit = time_limit(fd, events);
  try {
    if (limit)
      return ready_within(fd, events, limit);
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

static bool no_socket(ssize_t r) {
  return r < 0 && errno == ENOTSOCK;
}

// ---- sockets ----
// Sockets are tried without waiting; whether they may wait matters only when that is not enough.
static bool may_wait(int fd, int flags) {
  return !(flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) && !non_blocking(fd);
}

// After EAGAIN. false: errno says why no more will come.
static async bool wait_longer(int fd, unsigned events, int flags) {
  if (may_wait(fd, flags))
    return wait_for(fd, events | FM_TRIED);
  errno = EAGAIN;
  return false;
}

// MSG_WAITALL is for streams; a call that only peeks would see the same bytes again.
static bool wants_all(int fd, int flags) {
  int type = 0;
  socklen_t size = sizeof type;
  return flags & MSG_WAITALL && !(flags & MSG_PEEK) && may_wait(fd, flags) &&
         getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
         type == SOCK_STREAM;
}

async ssize_t fm_posix_recvfrom(int fd,
                                void *buf,
                                size_t n,
                                int flags,
                                struct sockaddr *from,
                                socklen_t *length) {
  size_t done = 0;
  LEAVE_LOST_RACE();
  for (;;) {
    ssize_t r = fm__recvfrom(fd,
                             (char *)buf + done,
                             n - done,
                             (flags & ~MSG_WAITALL) | MSG_DONTWAIT,
                             from,
                             length);
    if (would_block(r) && wait_longer(fd, FM_READABLE, flags))
      continue;
    if (r <= 0)
      return done ? (ssize_t)done : r;
    done += (size_t)r;
    if (done == n || !wants_all(fd, flags))
      return (ssize_t)done;
  }
}

async ssize_t fm_posix_recv(int fd, void *buf, size_t n, int flags) {
  return fm_posix_recvfrom(fd, buf, n, flags, NULL, NULL);
}

// No SIGPIPE: one connection that is gone must not end them all.
async ssize_t fm_posix_sendto(int fd,
                              const void *buf,
                              size_t n,
                              int flags,
                              const struct sockaddr *to,
                              socklen_t length) {
  size_t done = 0;
  LEAVE_LOST_RACE();
  for (;;) {
    ssize_t r = fm__sendto(fd,
                           (const char *)buf + done,
                           n - done,
                           flags | MSG_NOSIGNAL | MSG_DONTWAIT,
                           to,
                           length);
    if (would_block(r) && wait_longer(fd, FM_WRITABLE, flags))
      continue;
    if (r < 0)
      return done ? (ssize_t)done : r;
    done += (size_t)r;
    if (done >= n)
      return (ssize_t)done;
  }
}

async ssize_t fm_posix_send(int fd, const void *buf, size_t n, int flags) {
  return fm_posix_sendto(fd, buf, n, flags, NULL, 0);
}

typedef enum {
  RECEIVE,
  SEND,
} Direction;

// The rest of a message of a stream, after its first `done` bytes. Returns how much of it is done
// in the end; the next call reports an error.
static async ssize_t move_rest(
    int fd, const struct msghdr *m, ssize_t done, int flags, Direction way) {
  size_t skip = (size_t)done;
  for (size_t i = 0; i < m->msg_iovlen; i++) {
    char *at = (char *)m->msg_iov[i].iov_base + skip;
    size_t n = m->msg_iov[i].iov_len;
    if (skip >= n) {
      skip -= n;
      continue;
    }
    n -= skip;
    skip = 0;
    ssize_t r = way == SEND ? fm_posix_send(fd, at, n, flags)
                            : fm_posix_recv(fd, at, n, flags);
    if (r > 0)
      done += r;
    if (r < (ssize_t)n)
      break;
  }
  return done;
}

async ssize_t fm_posix_recvmsg(int fd, struct msghdr *m, int flags) {
  LEAVE_LOST_RACE();
  for (;;) {
    ssize_t r = recvmsg(fd, m, (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
    if (r > 0 && wants_all(fd, flags))
      return move_rest(fd, m, r, flags, RECEIVE);
    if (!would_block(r) || !wait_longer(fd, FM_READABLE, flags))
      return r;
  }
}

async ssize_t fm_posix_sendmsg(int fd, const struct msghdr *m, int flags) {
  LEAVE_LOST_RACE();
  for (;;) {
    ssize_t r = sendmsg(fd, m, flags | MSG_NOSIGNAL | MSG_DONTWAIT);
    if (r > 0)
      return move_rest(fd, m, r, flags, SEND);
    if (!would_block(r) || !wait_longer(fd, FM_WRITABLE, flags))
      return r;
  }
}

// ---- bytes ----
static bool seems_socket(int fd, int way) {
  return fm__kind_of(fd, way) == FM__BY_SOCKET;
}

static async ssize_t read_other(int fd, void *buf, size_t n) {
  LEAVE_LOST_RACE();
  try {
    return fm__read_other(fd, buf, n, 0, FM__AS_POSIX);
  } catch (struct os_error e) {
    return failed(e);
  }
}

async ssize_t fm_posix_read(int fd, void *buf, size_t n) {
  if (n == 0)
    return read(fd, buf, 0);
  bool socket = seems_socket(fd, FM__TO_READ);
  for (;; socket = !socket) {
    ssize_t r = socket ? fm_posix_recvfrom(fd, buf, n, 0, NULL, NULL)
                       : read_other(fd, buf, n);
    if (!no_socket(r))
      return r;
  }
}

// Bytes written before an error count: the next call reports the error.
static async ssize_t write_other(int fd, const char *buf, size_t n) {
  size_t done = 0;
  LEAVE_LOST_RACE();
  try {
    do
      done += (size_t)fm__write_other(fd, buf + done, n - done, FM__AS_POSIX);
    while (done < n);
  } catch (struct os_error e) {
    if (done == 0)
      return failed(e);
  }
  return (ssize_t)done;
}

async ssize_t fm_posix_write(int fd, const void *buf, size_t n) {
  for (bool socket = seems_socket(fd, FM__TO_WRITE);; socket = !socket) {
    ssize_t r = socket ? fm_posix_sendto(fd, buf, n, 0, NULL, 0)
                       : write_other(fd, buf, n);
    if (!no_socket(r))
      return r;
  }
}

// A descriptor that is not a socket cannot wait for several buffers at once: their bytes go through
// one. NULL: errno says why.
static char *one_buffer(const struct iovec *v, int n, size_t *size) {
  *size = 0;
  if (n < 0 || n > IOV_MAX) {
    errno = EINVAL;
    return NULL;
  }
  for (int i = 0; i < n; i++)
    *size += v[i].iov_len;
  return malloc(*size + 1);
}

static void scatter(const struct iovec *v, const char *from, size_t n) {
  for (; n; v++) {
    size_t part = v->iov_len < n ? v->iov_len : n;
    memcpy(v->iov_base, from, part);
    from += part;
    n -= part;
  }
}

static void gather(const struct iovec *v, int n, char *to) {
  for (int i = 0; i < n; i++) {
    memcpy(to, v[i].iov_base, v[i].iov_len);
    to += v[i].iov_len;
  }
}

async ssize_t fm_posix_readv(int fd, const struct iovec *v, int n) {
  struct msghdr m = { .msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n };
  bool socket = seems_socket(fd, FM__TO_READ);
  ssize_t r = socket ? fm_posix_recvmsg(fd, &m, 0) : -1;
  size_t size;
  if (socket && !no_socket(r))
    return r;
  if (non_blocking(fd))
    return readv(fd, v, n);
  char *all = one_buffer(v, n, &size);
  if (!all)
    return -1;
  defer free(all);
  r = fm_posix_read(fd, all, size);
  if (r > 0)
    scatter(v, all, (size_t)r);
  return r;
}

async ssize_t fm_posix_writev(int fd, const struct iovec *v, int n) {
  struct msghdr m = { .msg_iov = (struct iovec *)v, .msg_iovlen = (size_t)n };
  bool socket = seems_socket(fd, FM__TO_WRITE);
  ssize_t r = socket ? fm_posix_sendmsg(fd, &m, 0) : -1;
  size_t size;
  if (socket && !no_socket(r))
    return r;
  char *all = one_buffer(v, n, &size);
  if (!all)
    return -1;
  defer free(all);
  gather(v, n, all);
  return fm_posix_write(fd, all, size);
}

// ---- connections ----
static bool some_handler_interrupts(void) {
  struct sigaction a;
  for (int signo = 1; signo < NSIG; signo++)
    if (sigaction(signo, NULL, &a) == 0 && a.sa_handler != SIG_DFL &&
        a.sa_handler != SIG_IGN && !(a.sa_flags & SA_RESTART))
      return true;
  return false;
}

// false: errno says why.
static async bool wait_for_connection(int fd) {
  fm__interrupt i;
  for (;;) {
    bool came;
    race {
    case came = wait_for(fd, FM_READABLE | FM_TRIED):
      return came;
    case fm__until_signal(&i):
      if (!some_handler_interrupts())
        break;
      errno = EINTR;
      return false;
    }
  }
}

// The connection that was waited for may be gone when it is taken: a listening socket must not
// block then.
async int fm_posix_accept4(int fd,
                           struct sockaddr *address,
                           socklen_t *length,
                           int flags) {
  LEAVE_LOST_RACE();
  int was = fcntl(fd, F_GETFL);
  int r;
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
    if (!wait_for_connection(fd))
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

// Like a blocking socket: a connection that cannot be made at once is under way, or, for a local
// socket whose queue is full, not even begun (EAGAIN).
static int
try_connect(int fd, int was, const struct sockaddr *address, socklen_t length) {
  fcntl(fd, F_SETFL, was | O_NONBLOCK);
  int r = connect(fd, address, length);
  int err = errno;
  fcntl(fd, F_SETFL, was);
  errno = err;
  return r;
}

async int
fm_posix_connect(int fd, const struct sockaddr *address, socklen_t length) {
  enum { SOON = 2 };
  int was = fcntl(fd, F_GETFL);
  int r;
  if (was < 0 || was & O_NONBLOCK)
    return connect(fd, address, length);
  // Nothing reports when there is room.
  while ((r = try_connect(fd, was, address, length)) < 0 && errno == EAGAIN &&
         address->sa_family == AF_UNIX)
    fm_sleep(SOON);
  if (r == 0 || errno != EINPROGRESS)
    return r;
  if (wait_for(fd, FM_WRITABLE))
    return socket_error(fd);
  if (errno == EAGAIN)
    errno = EINPROGRESS;
  return -1;
}

async int fm_posix_getaddrinfo(const char *node,
                               const char *service,
                               const struct addrinfo *hints,
                               struct addrinfo **res) {
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

async int fm_posix_nanosleep(const struct timespec *time,
                             struct timespec *left) {
  if (time->tv_nsec < 0 || time->tv_nsec > 999999999 || time->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  fm_sleep((uint64_t)time->tv_sec * 1000 +
           ((uint64_t)time->tv_nsec + 999999) / 1000000);
  if (left)
    *left = (struct timespec){ 0 };
  return 0;
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
        return failed(e);
      }
    }
    // For several processes the system has no descriptor to wait for.
    fm_sleep(ms);
  }
}

async pid_t fm_posix_wait(int *status) {
  return fm_posix_waitpid(-1, status, 0);
}

// ---- files ----
// Ends the waits for it: the number may soon name another descriptor.
async int fm_posix_close(int fd) {
  fm_watch_forget(fd);
  return close(fd);
}

async ssize_t fm_posix_pread(int fd, void *buf, size_t n, off_t at) {
  try {
    return fm_pread(fd, buf, n, at);
  } catch (struct os_error e) {
    return failed(e);
  }
}

async ssize_t fm_posix_pwrite(int fd, const void *buf, size_t n, off_t at) {
  try {
    return fm_pwrite(fd, buf, n, at);
  } catch (struct os_error e) {
    return failed(e);
  }
}

static intptr_t do_sync(void *fd) {
  return fsync(*(int *)fd) < 0 ? errno : 0;
}
static intptr_t do_data_sync(void *fd) {
  return fdatasync(*(int *)fd) < 0 ? errno : 0;
}

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
