// signal.c: waiting for signals. A handler counts them and writes to an eventfd of each activity
// that waits. It may run in any thread at any time, so it reads a table of atomics, which never
// shrinks.
//
// A signal is caught from the first wait for it on, and stays so: otherwise a signal between two
// waits of a loop would kill the process. Such a signal is kept: `seen` is the count up to which
// signals were given to an activity.
#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WAITERS = 64, SIGNALS = 65 };

static struct {
  _Atomic int signo;
  _Atomic int fd;
} waiters[WAITERS]; // signo 0: free; -1: about to be used
static _Atomic unsigned counts[SIGNALS];
static unsigned seen[SIGNALS]; // under the lock, as is `caught`
static bool caught[SIGNALS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int signo) {
  uint64_t one = 1;
  int err = errno;
  atomic_fetch_add(&counts[signo], 1);
  for (int i = 0; i < WAITERS; i++)
    if (atomic_load(&waiters[i].signo) == signo) {
      ssize_t n = write(atomic_load(&waiters[i].fd), &one, sizeof one);
      (void)n;
    }
  errno = err;
}

static void catch_signal(int signo) throws(struct os_error) {
  struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  int err = 0;
  pthread_mutex_lock(&lock);
  if (!caught[signo] && sigaction(signo, &action, NULL) < 0)
    err = errno;
  else
    caught[signo] = true;
  pthread_mutex_unlock(&lock);
  if (err)
    throw(struct os_error){ err };
}

// Whether a signal has come that no activity was given.
static bool take_kept(int signo) {
  pthread_mutex_lock(&lock);
  unsigned count = atomic_load(&counts[signo]);
  bool kept = count != seen[signo];
  seen[signo] = count;
  pthread_mutex_unlock(&lock);
  return kept;
}

static int enter(int signo, int fd) throws(struct os_error) {
  for (int i = 0, empty = 0; i < WAITERS; i++, empty = 0)
    if (atomic_compare_exchange_strong(&waiters[i].signo, &empty, -1)) {
      atomic_store(&waiters[i].fd, fd);
      atomic_store(&waiters[i].signo, signo);
      return i;
    }
  throw(struct os_error){ EAGAIN }; // too many wait for signals
}

static void leave(int i) {
  atomic_store(&waiters[i].signo, 0);
}

async int fm_wait_signal(int signo) throws(struct os_error) {
  if (signo <= 0 || signo >= SIGNALS)
    throw(struct os_error){ EINVAL };
  catch_signal(signo);
  if (take_kept(signo))
    return signo;
  int fd = fm__new_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  defer fm_close(fd);
  int place = enter(signo, fd);
  defer leave(place);
  if (!take_kept(signo)) { // it may have come before the handler saw this entry
    fm_wait_readable(fd);
    take_kept(signo); // another activity may have taken it, if several wait
  }
  return signo;
}
