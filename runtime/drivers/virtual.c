// virtual.c: the driver of virtual time, for tests. Its clock moves only when the domain would
// wait. Another driver watches the descriptors and wakes the domain.
#include "drivers/drivers.h"

#include <errno.h>

typedef struct Virtual {
  fm_driver driver;
  fm_driver *real; // for everything but time
  uint64_t time;
} Virtual;

static uint64_t now(void *ctx) {
  return ((Virtual *)ctx)->time;
}

// Descriptors first: time stands still while something is ready. If none is watched, that takes no
// system call.
static size_t wait_for(void *ctx, uint64_t until) {
  Virtual *v = ctx;
  size_t ready = 0;
  if (until == FM_FOREVER || v->real->pending(v->real->ctx))
    ready = v->real->poll(v->real->ctx, until == FM_FOREVER ? FM_FOREVER : 0);
  if (!ready && until != FM_FOREVER && until > v->time)
    v->time = until;
  return ready;
}

static void wake(void *ctx) {
  Virtual *v = ctx;
  v->real->wake(v->real->ctx);
}

static bool pending(void *ctx) {
  Virtual *v = ctx;
  return v->real->pending(v->real->ctx);
}

static int watch(void *ctx, fm_watch *w) {
  Virtual *v = ctx;
  return v->real->watch(v->real->ctx, w);
}

static void unwatch(void *ctx, fm_watch *w) {
  Virtual *v = ctx;
  v->real->unwatch(v->real->ctx, w);
}

static void forget(void *ctx, int fd) {
  Virtual *v = ctx;
  v->real->forget(v->real->ctx, fd);
}

static void free_driver(void *ctx) {
  Virtual *v = ctx;
  v->real->free(v->real->ctx);
  fm__free(v);
}

fm_driver *fm_driver_virtual(uint64_t seed) {
  Virtual *v = fm__alloc(sizeof *v);
  if (!v)
    return NULL;
  *v = (Virtual){ .driver = FM__DRIVER(v, now, free_driver),
                  .real = fm_driver_poll() };
  v->driver.seed = seed;
  if (!v->real && errno && errno != ENOMEM)
    v->real = fm__driver_bare();
  if (!v->real) {
    fm__free(v);
    return NULL;
  }
  return &v->driver;
}
