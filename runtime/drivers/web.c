// web.c: the driver of a domain in a page: time, and nothing else. Events of the page come as calls
// of functions, see runtime/web/. It cannot wait, because the page runs only when this program has
// returned. Waits inside `run` and atomic, where the program cannot return: time passes anyway, and
// everything else would hang the page.
#include "web/web.h"
#include "drivers/drivers.h"

#include <errno.h>
#include <time.h>

uint64_t fm__clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t fm__driver_now(void *ctx) {
  (void)ctx;
  return fm__clock();
}

static size_t wait_for(void *ctx, uint64_t until) {
  (void)ctx;
  if (until == FM_FOREVER)
    fm__fatal(fm__runtime_of(fm__here()),
              "a wait inside `run` or atomic that only the page can end: it "
              "would hang the page; wait in an async function outside of them");
  while (until && fm__clock() < until)
    continue;
  return 0;
}

static void wake(void *ctx) {
  (void)ctx;
  if (!fm__page_in_turn())
    fm__page_order_turn(fm__runtime_of(fm__here()));
}

static bool pending(void *ctx) {
  (void)ctx;
  return fm__page_holds() > 0;
}

// A page has no descriptors that become ready; its files always are.
static int watch(void *ctx, fm_watch *w) {
  (void)ctx;
  return w->fd < 0 ? EBADF : EPERM;
}

static void unwatch(void *ctx, fm_watch *w) {
  (void)ctx;
  (void)w;
}

static void forget(void *ctx, int fd) {
  (void)ctx;
  (void)fd;
}

// Nothing here opens descriptors that the program has not asked for.
int fm__above_standard(int fd) {
  return fd;
}

bool fm__is_web_driver(const fm_driver *driver) {
  return driver->poll == wait_for;
}

bool fm__is_bare(const fm_driver *driver) {
  (void)driver;
  return false;
}

static fm_driver *make(void) {
  fm_driver *driver = fm__alloc(sizeof *driver);
  if (driver)
    *driver = FM__DRIVER(driver, fm__driver_now, fm__free);
  return driver;
}

// The names by which idle.c and virtual.c know the drivers of other platforms.
fm_driver *fm_driver_uv(void) {
  return make();
}

fm_driver *fm_driver_poll(void) {
  return make();
}

fm_driver *fm__driver_bare(void) {
  return make();
}
