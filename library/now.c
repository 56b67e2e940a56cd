// now.c: writing without waiting, and without SIGPIPE, whatever the descriptor is.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Since Linux 6.18: EPIPE without SIGPIPE.
#ifndef RWF_NOSIGNAL
#  define RWF_NOSIGNAL 0x100
#endif

static inline ssize_t
write_flagged(int fd, const void *buf, size_t n, off_t at, int flags) {
  struct iovec v = { (void *)buf, n };
  long low = (long)at;
  long high = (long)((unsigned long long)at >> 32);
  return fm__kernel(SYS_pwritev2, fd, (long)&v, 1, low, high, flags);
}

// ---- writing to a pipe without a reader would raise SIGPIPE ----
// Whether the kernel knows RWF_NOSIGNAL, found out once. A kernel that does not know it reports
// EOPNOTSUPP, as for a descriptor that does not know RWF_NOWAIT.
static bool try_flag(void) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) < 0)
    return false;
  bool known = write_flagged(fds[1], "", 1, -1, RWF_NOSIGNAL) == 1;
  close(fds[0]);
  close(fds[1]);
  return known;
}

static _Atomic int has_flag; // 0: not known; 1: yes; -1: no

static FM_COLD int find_flag(void) {
  int err = errno;
  int has = try_flag() ? 1 : -1;
  has_flag = has;
  errno = err;
  return has;
}

static inline bool knows_flag(void) {
  int has = atomic_load_explicit(&has_flag, memory_order_relaxed);
  return fm__likely(has > 0) || (!has && find_flag() > 0);
}

typedef struct Silence {
  sigset_t old;
  bool pending; // before
} Silence;

static void only_pipe(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGPIPE);
}

// A signal that is not blocked is not pending for long.
static void silence(Silence *s) {
  sigset_t set;
  only_pipe(&set);
  pthread_sigmask(SIG_BLOCK, &set, &s->old);
  s->pending = sigismember(&s->old, SIGPIPE) && sigpending(&set) == 0 &&
               sigismember(&set, SIGPIPE);
}

static void unsilence(const Silence *s, bool raised) {
  int err = errno;
  sigset_t set;
  only_pipe(&set);
  if (raised && !s->pending)
    while (sigtimedwait(&set, NULL, &(struct timespec){ 0 }) < 0 &&
           errno == EINTR) {
    }
  pthread_sigmask(SIG_SETMASK, &s->old, NULL);
  errno = err;
}

static FM_COLD ssize_t write_silenced(int fd,
                                      const void *buf,
                                      size_t n,
                                      off_t at) {
  Silence s;
  silence(&s);
  ssize_t done = write_flagged(fd, buf, n, at, RWF_NOWAIT);
  unsilence(&s, done < 0 && errno == EPIPE);
  return done;
}

ssize_t fm__write_now(int fd, const void *buf, size_t n, off_t at) {
  if (knows_flag())
    return write_flagged(fd, buf, n, at, RWF_NOWAIT | RWF_NOSIGNAL);
  return write_silenced(fd, buf, n, at);
}

ssize_t fm__write_quietly(int fd, const void *buf, size_t n) {
  Silence s;
  if (knows_flag()) {
    ssize_t done = write_flagged(fd, buf, n, -1, RWF_NOSIGNAL);
    if (done >= 0 || errno != EOPNOTSUPP)
      return done;
  }
  silence(&s);
  ssize_t done = write(fd, buf, n);
  unsilence(&s, done < 0 && errno == EPIPE);
  return done;
}
