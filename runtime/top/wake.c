// wake.c: how the server wakes a domain that sleeps in its driver. The server has descriptors of
// its own (open.c), and the drivers wake by writing to one of the program's:
//
//     the default driver     the server borrows a copy of its descriptor (pidfd_getfd, Linux 5.6)
//     one without any        it is called as it is
//     another one            a further thread, the waker, calls it; so do all if the kernel refuses
//                            to lend descriptors
//
// The waker shares the program's descriptors, which makes each system call on one some nanoseconds
// slower. So it is made only when it is needed, by a thread of the program: when the socket is
// opened, or when a domain gets such a driver later.
#define _GNU_SOURCE
#include "top/wake.h"
#include "drivers/drivers.h"
#include "drivers/epoll.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
  bool own; // the server has descriptors of its own
  int lends; // a descriptor of this process, from which others are copied; -1: none
  // the waker
  bool runs;
  fm__runtime *_Atomic whom;
  sem_t wanted, done;
} wakes = { .lends = -1 };

// ---- the waker ----
static void *wake_on_demand(void *arg) {
  (void)arg;
  for (;;) {
    while (sem_wait(&wakes.wanted) != 0)
      continue;
    fm__runtime *d = atomic_load(&wakes.whom);
    d->driver->wake(d->driver->ctx);
    sem_post(&wakes.done);
  }
  return NULL;
}

void fm__waker_start(void) {
  pthread_t thread;
  sigset_t before;
  if (wakes.runs)
    return;
  sem_init(&wakes.wanted, 0, 0);
  sem_init(&wakes.done, 0, 0);
  fm__block_signals(&before);
  wakes.runs = pthread_create(&thread, NULL, wake_on_demand, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (wakes.runs)
    pthread_detach(thread);
}

void fm__wakes_forget(void) {
  wakes.runs = false;
}

static void by_waker(fm__runtime *d) {
  if (!wakes.runs)
    return; // there was no memory for it: the domain answers when it wakes
  atomic_store(&wakes.whom, d);
  sem_post(&wakes.wanted);
  while (sem_wait(&wakes.done) != 0)
    continue;
}

// ---- borrowed descriptors ----
#if defined SYS_pidfd_open && defined SYS_pidfd_getfd
static int open_process(void) {
  return (int)syscall(SYS_pidfd_open, getpid(), 0);
}
static int borrow(int fd) {
  return (int)syscall(SYS_pidfd_getfd, wakes.lends, fd, 0);
}
#else
static int open_process(void) {
  return -1;
}
static int borrow(int fd) {
  (void)fd;
  return -1;
}
#endif

bool fm__wakes_begin(bool own, int some) {
  wakes.own = own;
  if (!own)
    return true;
  wakes.lends = open_process();
  int copy = wakes.lends >= 0 ? borrow(some) : -1;
  if (copy >= 0) {
    close(copy);
    return true;
  }
  if (wakes.lends >= 0)
    close(wakes.lends);
  wakes.lends = -1;
  return false;
}

static bool by_descriptor(int wakes_fd) {
  uint64_t one = 1;
  int fd = wakes.lends >= 0 ? borrow(wakes_fd) : -1;
  if (fd < 0)
    return false;
  ssize_t n = write(fd, &one, sizeof one);
  close(fd);
  return n == (ssize_t)sizeof one;
}

bool fm__needs_waker(fm__runtime *d) {
  return fm__uv_wakes(d->driver) < 0 && !fm__is_bare(d->driver);
}

void fm__wake_from_server(fm__runtime *d) {
  int fd = fm__uv_wakes(d->driver);
  if (!wakes.own || fm__is_bare(d->driver))
    d->driver->wake(d->driver->ctx);
  else if (fd < 0 || !by_descriptor(fd))
    by_waker(d);
}
