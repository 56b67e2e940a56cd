// io.c: bytes from and to descriptors of any kind. A socket itself reports that it would block
// (MSG_DONTWAIT). The others are first asked for what they can do without waiting (RWF_NOWAIT,
// now.c), and then:
//
//     files              file.c
//     pipes, …           an event reports when there is more
//     terminals, FIFOs   refuse to be asked, and poll(2) is asked instead: their mode is not
//                        changed, since other processes (the shell on this terminal) and the C
//                        library's streams may share it
//
// The kind of a descriptor is guessed from its number (runtime/wait/kind.h), so that usually the
// first system call is the right one, and the only one.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- kinds ----
// By what fstat reports. A descriptor that is not open: the system call itself fails.
static unsigned look_at(int fd, struct stat *s) {
  if (fstat(fd, s) < 0)
    *s = (struct stat){ 0 };
  if (S_ISSOCK(s->st_mode))
    return FM__BY_SOCKET;
  bool file = S_ISREG(s->st_mode) || S_ISBLK(s->st_mode) || S_ISDIR(s->st_mode);
  return file ? FM__BY_CACHE : FM__BY_EVENTS;
}

static bool is_blocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

static unsigned event_of(const fm__transfer *t) {
  return t->out ? FM_WRITABLE : FM_READABLE;
}

// The call has to wait.
static async void wait_for(const fm__transfer *t, bool as_posix)
    throws(struct os_error) {
  if (as_posix && !is_blocking(t->fd))
    fm__fail_os(EAGAIN);
  return fm__wait_fd(t->fd, event_of(t) | FM_TRIED);
}

// ---- by RWF_NOWAIT and events ----
// A FIFO that nothing has ever opened for writing seems to be at its end; poll(2) knows better.
static bool waits_for_writer(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode) &&
         !fm__ready_now(fd, FM_READABLE);
}

static ssize_t try_now(const fm__transfer *t) {
  ssize_t r;
  do
    r = t->out ? fm__write_now(t->fd, t->buf, t->n, -1)
               : fm__read_now(t->fd, t->buf, t->n, -1);
  while (r < 0 && errno == EINTR);
  if (r == 0 && t->n && !t->out && waits_for_writer(t->fd)) {
    errno = EAGAIN;
    return -1;
  }
  return r;
}

// Returns -1 if the kind must be another. After a wait that was of no use the kind is looked at: no
// event comes for a file.
static async ssize_t move_by_events(const fm__transfer *t, bool as_posix)
    throws(struct os_error) {
  for (bool waited = false;; waited = true) {
    struct stat s;
    ssize_t r = try_now(t);
    if (r >= 0)
      return r;
    if (errno == EOPNOTSUPP) {
      fm__set_kind(t->fd, fm__way_of(t), FM__BY_ASKING);
      return -1;
    }
    if (errno != EAGAIN)
      fm__fail_os(errno);
    if (waited && look_at(t->fd, &s) != FM__BY_EVENTS)
      return -1;
    wait_for(t, as_posix);
  }
}

// ---- by poll(2): terminals, FIFOs and others that refuse RWF_NOWAIT ----
// One that blocks and is ready has room for PIPE_BUF bytes, and would wait for more.
static async ssize_t move_polled(fm__transfer *t, bool as_posix)
    throws(struct os_error) {
  bool small = !t->out || t->n <= PIPE_BUF;
  bool polls = small || is_blocking(t->fd);
  if (!small && polls)
    t->n = PIPE_BUF;
  for (;;) {
    ssize_t r = -1;
    errno = EAGAIN;
    if (!polls || fm__ready_now(t->fd, event_of(t)))
      r = t->out ? fm__write_quietly(t->fd, t->buf, t->n)
                 : read(t->fd, t->buf, t->n);
    if (r >= 0)
      return r;
    if (errno == EAGAIN)
      wait_for(t, as_posix);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}

// ---- descriptors that are not sockets ----
static bool leaves_some(int err) {
  return err == EAGAIN || err == EOPNOTSUPP;
}

// Tries the kind that was guessed first; then fstat decides. Returns -1 if it is a socket.
static async ssize_t move_other(fm__transfer *t, bool as_posix)
    throws(struct os_error) {
  unsigned guess = fm__kind_of(t->fd, fm__way_of(t));
  unsigned kind = guess;
  struct stat s;
  int err = guess == FM__BY_CACHE ? fm__transfer_now(t) : EAGAIN;
  if (!err)
    return (ssize_t)t->done;
  if (!leaves_some(err))
    fm__fail_os(err);
  if (guess != FM__BY_EVENTS)
    kind = look_at(t->fd, &s);
  if (kind == FM__BY_CACHE)
    return fm__transfer_file(t, &s, guess == FM__BY_CACHE ? err : 0);
  if (t->done)
    return (ssize_t)t->done;
  if (kind == FM__BY_EVENTS && guess != FM__BY_ASKING) {
    fm__set_kind(t->fd, fm__way_of(t), kind);
    ssize_t r = move_by_events(t, as_posix);
    if (r >= 0)
      return r;
    kind = look_at(t->fd, &s);
  }
  if (kind == FM__BY_CACHE)
    return fm__transfer_file(t, &s, 0);
  if (kind == FM__BY_EVENTS)
    return move_polled(t, as_posix);
  fm__set_kind(t->fd, fm__way_of(t), FM__BY_SOCKET);
  return -1;
}

// posix.c goes on with a socket by itself.
static void not_for_posix(ssize_t r, bool as_posix) throws(struct os_error) {
  if (r < 0 && as_posix)
    throw(struct os_error){ ENOTSOCK };
}

async ssize_t
fm__read_other(int fd, void *buf, size_t n, size_t done, bool as_posix)
    throws(struct os_error) {
  fm__transfer t = {
    .fd = fd, .buf = (char *)buf + done, .n = n - done, .done = done
  };
  ssize_t r = move_other(&t, as_posix);
  not_for_posix(r, as_posix);
  return r >= 0 ? r : fm__read_on(fd, buf, n, EINTR);
}

async ssize_t fm__write_other(int fd, const void *buf, size_t n, bool as_posix)
    throws(struct os_error) {
  fm__transfer t = {
    .fd = fd,
    .out = true,
    .buf = (void *)buf,
    .n = n,
  };
  ssize_t r = move_other(&t, as_posix);
  not_for_posix(r, as_posix);
  return r >= 0 ? r : fm_write(fd, buf, n);
}

// ---- descriptors of any kind ----
// The rare cases of fm_read (runtime/wait/read.c). err: the error of the first try; EINTR: nothing
// was tried. The first error counts, because the kernel reports most errors only once.
async ssize_t fm__read_on(int fd, void *buf, size_t n, int err)
    throws(struct os_error) {
  for (;; err = errno) {
    if (err == EAGAIN)
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
    else if (err == ENOTSOCK)
      return fm__read_other(fd, buf, n, 0, FM__AS_FERMATA);
    else if (err != EINTR)
      fm__fail_os(err);
    ssize_t got = fm__recv(fd, buf, n);
    if (got >= 0)
      return got;
  }
}

async ssize_t fm_write(int fd, const void *buf, size_t n)
    throws(struct os_error) {
  LEAVE_LOST_RACE();
  unsigned kind = fm__kind_of(fd, FM__TO_WRITE);
  if (kind == FM__BY_EVENTS) {
    ssize_t done = fm__write_now(fd, buf, n, -1);
    if (done >= 0)
      return done;
    if (errno != EAGAIN && errno != EOPNOTSUPP && errno != EINTR)
      fm__fail_os(errno); // reported only once
  }
  if (kind != FM__BY_SOCKET)
    return fm__write_other(fd, buf, n, FM__AS_FERMATA);
  for (;;) {
    ssize_t done = fm__send(fd, buf, n);
    if (done >= 0)
      return done;
    if (errno == EAGAIN)
      fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
    else if (errno == ENOTSOCK)
      return fm__write_other(fd, buf, n, FM__AS_FERMATA);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}

static async void write_rest(int fd, const char *at, size_t n)
    throws(struct os_error) {
  while (n) {
    size_t done = (size_t)fm_write(fd, at, n);
    at += done;
    n -= done;
  }
}

// Usually all of it goes at once.
async void fm_write_all(int fd, const void *buf, size_t n)
    throws(struct os_error) {
  if (!n || fm__kind_of(fd, FM__TO_WRITE) != FM__BY_SOCKET)
    return write_rest(fd, buf, n);
  LEAVE_LOST_RACE();
  ssize_t done = fm__send(fd, buf, n);
  if (done == (ssize_t)n)
    return;
  // The kernel reports it only once.
  if (done < 0 && errno != EAGAIN && errno != EINTR && errno != ENOTSOCK)
    fm__fail_os(errno);
  size_t sent = done < 0 ? 0 : (size_t)done;
  return write_rest(fd, (const char *)buf + sent, n - sent);
}

async size_t fm_read_exact(int fd, void *buf, size_t n)
    throws(struct os_error) {
  size_t got = 0;
  while (got < n) {
    size_t more = (size_t)fm_read(fd, (char *)buf + got, n - got);
    if (!more)
      break;
    got += more;
  }
  return got;
}

void fm_pipe(int fds[2]) throws(struct os_error) {
  if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) < 0)
    throw(struct os_error){ errno };
  fm__new_fd(fds[0]);
  fm__new_fd(fds[1]);
  fm__set_kind(fds[0], FM__TO_READ, FM__BY_EVENTS);
  fm__set_kind(fds[1], FM__TO_WRITE, FM__BY_EVENTS);
}
