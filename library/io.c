// io.c: bytes from and to descriptors of any kind. A socket itself reports that it would block
// (MSG_DONTWAIT). The others:
//
//     regular files              never report it: a thread for files does the work
//     non-blocking pipes, …      are tried
//     blocking pipes, terminals  are asked by poll(2) first: their mode is not changed, since other
//                                processes (the shell on this terminal) and the C library's streams
//                                may share it
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Transfer { // for a thread
  int fd;
  bool out;    // from the buffer; else to it
  bool placed; // at `at`; else at the file's own position
  void *buf;
  size_t n;
  off_t at;
} Transfer;

// ---- writing to a pipe without a reader would raise SIGPIPE ----
ssize_t fm__write_quietly(int fd, const void *buf, size_t n) {
  sigset_t pipe_only, old, pending;
  sigemptyset(&pipe_only);
  sigaddset(&pipe_only, SIGPIPE);
  sigpending(&pending);
  pthread_sigmask(SIG_BLOCK, &pipe_only, &old);
  ssize_t done = write(fd, buf, n);
  int err = errno;
  if (done < 0 && err == EPIPE && !sigismember(&pending, SIGPIPE))
    while (sigtimedwait(&pipe_only, NULL, &(struct timespec){ 0 }) < 0 &&
           errno == EINTR) {
    }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  errno = err;
  return done;
}

// ---- files, in another thread; returns minus an errno ----
static ssize_t transfer_once(const Transfer *t) {
  if (t->placed)
    return t->out ? pwrite(t->fd, t->buf, t->n, t->at)
                  : pread(t->fd, t->buf, t->n, t->at);
  return t->out ? write(t->fd, t->buf, t->n) : read(t->fd, t->buf, t->n);
}

static intptr_t transfer(void *arg) {
  ssize_t done;
  do
    done = transfer_once(arg);
  while (done < 0 && errno == EINTR);
  return done < 0 ? -(intptr_t)errno : done;
}

static async ssize_t in_thread(Transfer t) throws(struct os_error) {
  intptr_t done = fm__offload(FM__FILES, transfer, &t);
  if (done < 0)
    throw(struct os_error){ (int)-done };
  return done;
}

async ssize_t fm_pread(int fd, void *buf, size_t n, off_t at)
    throws(struct os_error) {
  return in_thread(
      (Transfer){ .fd = fd, .placed = true, .buf = buf, .n = n, .at = at });
}

async ssize_t fm_pwrite(int fd, const void *buf, size_t n, off_t at)
    throws(struct os_error) {
  return in_thread((Transfer){ .fd = fd,
                               .out = true,
                               .placed = true,
                               .buf = (void *)buf,
                               .n = n,
                               .at = at });
}

typedef struct Opening { // for a thread
  const char *path;
  int flags;
  mode_t mode;
  // it would hold the thread until its other end is opened: it is opened without waiting
  bool fifo;
} Opening;

static bool waits_for_other_end(const Opening *o) {
  struct stat s;
  return !(o->flags & O_NONBLOCK) && (o->flags & O_ACCMODE) != O_RDWR &&
         stat(o->path, &s) == 0 && S_ISFIFO(s.st_mode);
}

static intptr_t open_file(void *arg) {
  Opening *o = arg;
  o->fifo = waits_for_other_end(o);
  int fd = open(o->path, o->flags | (o->fifo ? O_NONBLOCK : 0), o->mode);
  if (fd >= 0 && o->fifo)
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  return fd < 0 ? -(intptr_t)errno : fd;
}

async int fm_open(const char *path, int flags, mode_t mode)
    throws(struct os_error) {
  enum { LONGEST = 32 };
  Opening o = { path, flags, mode, false };
  intptr_t fd = fm__offload(FM__FILES, open_file, &o);
  for (uint64_t delay = 1; fd == -ENXIO && o.fifo;
       delay = delay < LONGEST ? delay * 2 : delay) {
    fm_sleep(delay); // nothing reads it yet
    fm_checkpoint();
    fd = fm__offload(FM__FILES, open_file, &o);
  }
  if (fd < 0)
    throw(struct os_error){ (int)-fd };
  return fm__new_fd((int)fd);
}

// ---- descriptors that are not sockets ----
static bool is_file(int fd) {
  struct stat s;
  return fstat(fd, &s) == 0 && (S_ISREG(s.st_mode) || S_ISBLK(s.st_mode));
}

static bool is_blocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

static async ssize_t read_other(int fd, void *buf, size_t n)
    throws(struct os_error) {
  if (is_file(fd))
    return in_thread((Transfer){ .fd = fd, .buf = buf, .n = n });
  for (bool ask = is_blocking(fd);;) {
    if (ask && !fm__ready_now(fd, FM_READABLE)) {
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
      continue;
    }
    ssize_t got = read(fd, buf, n);
    if (got >= 0)
      return got;
    if (errno == EAGAIN)
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}

// A blocking pipe that is ready has room for PIPE_BUF bytes, and would wait for more.
static async ssize_t write_other(int fd, const void *buf, size_t n)
    throws(struct os_error) {
  if (is_file(fd))
    return in_thread(
        (Transfer){ .fd = fd, .out = true, .buf = (void *)buf, .n = n });
  bool ask = is_blocking(fd);
  if (ask && n > PIPE_BUF)
    n = PIPE_BUF;
  for (;;) {
    if (ask && !fm__ready_now(fd, FM_WRITABLE)) {
      fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
      continue;
    }
    ssize_t done = fm__write_quietly(fd, buf, n);
    if (done >= 0)
      return done;
    if (errno == EAGAIN)
      fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}

// ---- descriptors of any kind ----
// The rare cases of fm_read (runtime/wait/read.c). err: what the first try returned; EINTR: nothing
// yet. The kernel reports most errors only once.
async ssize_t fm__read_on(int fd, void *buf, size_t n, int err)
    throws(struct os_error) {
  for (;; err = errno) {
    if (err == EAGAIN)
      fm__wait_fd(fd, FM_READABLE | FM_TRIED);
    else if (err == ENOTSOCK)
      return read_other(fd, buf, n);
    else if (err != EINTR)
      fm__fail_os(err);
    ssize_t got = recv(fd, buf, n, MSG_DONTWAIT);
    if (got >= 0)
      return got;
  }
}

async ssize_t fm_write(int fd, const void *buf, size_t n)
    throws(struct os_error) {
  for (;;) {
    ssize_t done = send(fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (done >= 0)
      return done;
    if (errno == EAGAIN)
      fm__wait_fd(fd, FM_WRITABLE | FM_TRIED);
    else if (errno == ENOTSOCK)
      return write_other(fd, buf, n);
    else if (errno != EINTR)
      fm__fail_os(errno);
  }
}

typedef async ssize_t writer(int fd, const void *buf, size_t n)
    throws(struct os_error);

static async void write_rest(writer *write, int fd, const char *at, size_t n)
    throws(struct os_error) {
  while (n) {
    size_t done = (size_t)write(fd, at, n);
    at += done;
    n -= done;
  }
}

// Usually all of it goes at once.
async void fm_write_all(int fd, const void *buf, size_t n)
    throws(struct os_error) {
  ssize_t done = n ? send(fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
  if (done == (ssize_t)n)
    return;
  if (done >= 0)
    return write_rest(fm_write, fd, (const char *)buf + done, n - (size_t)done);
  if (errno == ENOTSOCK)
    return write_rest(write_other, fd, buf, n);
  // The kernel reports it only once.
  if (errno != EAGAIN && errno != EINTR)
    fm__fail_os(errno);
  return write_rest(fm_write, fd, buf, n);
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
}

// ---- lines ----
void fm_lines_init(fm_lines *l, int fd) {
  l->fd = fd;
  l->at = l->end = 0;
}

// Moves the bytes that are not taken yet to the front, and reads more. false: that was the end. A
// cancel loses nothing.
static async bool fill(fm_lines *l) throws(struct os_error) {
  memmove(l->buf, l->buf + l->at, l->end - l->at);
  l->end -= l->at;
  l->at = 0;
  size_t more = (size_t)fm_read(l->fd, l->buf + l->end, sizeof l->buf - l->end);
  l->end += more;
  return more > 0;
}

// The first n bytes, and one more if the end of the line stands there.
static ssize_t take(fm_lines *l, char *line, size_t n, bool ends) {
  memcpy(line, l->buf + l->at, n);
  line[n] = '\0';
  l->at += n + ends;
  return (ssize_t)n;
}

async ssize_t fm_readline(fm_lines *l, char *line, size_t n)
    throws(struct os_error) {
  size_t most = n - 1 < sizeof l->buf ? n - 1 : sizeof l->buf;
  for (;;) {
    size_t have = l->end - l->at;
    const char *from = l->buf + l->at, *end = memchr(from, '\n', have);
    size_t length = end ? (size_t)(end - from) : have;
    if (length > most || (length == most && !end))
      return take(l, line, most, false);
    if (end)
      return take(l, line, length, true);
    if (!fill(l))
      return have ? take(l, line, have, false) : -1;
  }
}
