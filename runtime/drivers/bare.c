// bare.c: the driver of a domain for which no descriptor is left. It offers time, and other threads
// can wake it, by a futex. It watches no descriptor, so a wait for one gets an error; before that,
// fm__watch tries to replace it by a real driver.
#define _GNU_SOURCE
#include "drivers/drivers.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef struct Bare {
  fm_driver driver;
  _Atomic uint32_t woken;
} Bare;

static void wake(void *ctx) {
  Bare *b = ctx;
  int err = errno;
  b->woken = 1;
  syscall(SYS_futex, &b->woken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  errno = err;
}

// Until that time of the monotonic clock, or until it is woken.
static void sleep_until(Bare *b, uint64_t until) {
  struct timespec t = { (time_t)(until / 1000000000u),
                        (long)(until % 1000000000u) };
  long got = syscall(SYS_futex,
                     &b->woken,
                     FUTEX_WAIT_BITSET_PRIVATE,
                     0,
                     until == FM_FOREVER ? NULL : &t,
                     NULL,
                     FUTEX_BITSET_MATCH_ANY);
  if (got < 0 && errno == EINTR)
    fm_watch_interrupted();
}

static size_t wait_for(void *ctx, uint64_t until) {
  Bare *b = ctx;
  int err = errno;
  if (until && !b->woken)
    sleep_until(b, until);
  b->woken = 0;
  errno = err;
  return 0;
}

static bool pending(void *ctx) {
  (void)ctx;
  return false;
}

static int watch(void *ctx, fm_watch *w) {
  (void)ctx;
  return w->fd < 0 ? EBADF : EMFILE;
}

static void unwatch(void *ctx, fm_watch *w) {
  (void)ctx;
  (void)w;
}

static void forget(void *ctx, int fd) {
  (void)ctx;
  (void)fd;
}

bool fm__is_bare(const fm_driver *driver) {
  return driver->poll == wait_for;
}

fm_driver *fm__driver_bare(void) {
  Bare *b = fm__alloc(sizeof *b);
  if (!b)
    return NULL;
  *b = (Bare){ .driver = FM__DRIVER(b, fm__driver_now, fm__free) };
  return &b->driver;
}
