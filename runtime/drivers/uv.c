// uv.c: the default driver. It waits in real time: for descriptors in an epoll set (epoll.c), and
// for whatever the program itself does with libuv on the loop that fm_uv_loop() returns.
//
// The loop is made when a program first asks for it. While something in it is alive, the domain
// waits in uv_run: the epoll set is then one descriptor among libuv's own (the gate), and the next
// alarm of the domain is one of its timers (the bound). Otherwise the domain waits in the epoll set
// itself, with one system call.
//
// A poll handle of libuv for each descriptor would cost four system calls at first and two for each
// wait, and libuv aborts the process when a descriptor is closed too early.
#include "drivers/epoll.h"
#include <fermata/uv.h>

typedef struct Uv {
  fm_driver driver;
  fm__epoll set;
  bool has_loop; // the next fields are in use
  uv_loop_t loop;
  uv_poll_t gate;
  uv_timer_t bound;
  // in the uv_run that is under way: watches that were ready
  size_t ready;
  bool passed; // in the same uv_run: the gate was readable
} Uv;

static void wake(void *ctx) {
  fm__epoll_wake(&((Uv *)ctx)->set);
}
static int watch(void *ctx, fm_watch *w) {
  return fm__epoll_watch(&((Uv *)ctx)->set, w);
}
static void unwatch(void *ctx, fm_watch *w) {
  fm__epoll_unwatch(&((Uv *)ctx)->set, w);
}
static void forget(void *ctx, int fd) {
  fm__epoll_forget(&((Uv *)ctx)->set, fd);
}

// The driver's own handles are not counted (uv_unref).
static bool loop_alive(Uv *u) {
  return u->has_loop && uv_loop_alive(&u->loop);
}

static bool pending(void *ctx) {
  Uv *u = ctx;
  return u->set.watches || loop_alive(u);
}

// ---- waiting ----
static void through_gate(uv_poll_t *gate, int status, int events) {
  Uv *u = gate->data;
  (void)status;
  (void)events;
  u->passed = true;
  u->ready += fm__epoll_wait(&u->set, 0);
}

static void time_is_up(uv_timer_t *bound) {
  (void)bound;
}

static void bound_by(Uv *u, uint64_t until) {
  uint64_t at = fm__clock();
  uint64_t ns = until > at ? until - at : 0;
  uv_update_time(&u->loop);
  uv_timer_start(&u->bound, time_is_up, ns / 1000000 + (ns % 1000000 != 0), 0);
}

static void run_loop(Uv *u, uint64_t until) {
  if (until == 0) {
    uv_run(&u->loop, UV_RUN_NOWAIT);
    return;
  }
  if (until != FM_FOREVER)
    bound_by(u, until);
  uv_run(&u->loop, UV_RUN_ONCE);
  uv_timer_stop(&u->bound);
}

static size_t wait_in_loop(Uv *u, uint64_t until) {
  u->ready = 0;
  u->passed = false;
  run_loop(u, fm__epoll_before(&u->set, until));
  if (!u->passed)
    fm__epoll_settle(&u->set, u->set.looked);
  return u->ready;
}

static size_t wait_for(void *ctx, uint64_t until) {
  Uv *u = ctx;
  return loop_alive(u) ? wait_in_loop(u, until)
                       : fm__epoll_wait(&u->set, until);
}

// ---- the loop ----
static int make_loop(Uv *u) {
  int err = uv_loop_init(&u->loop);
  if (err)
    return err;
  fm__epoll_share(&u->set);
  if ((err = uv_poll_init(&u->loop, &u->gate, u->set.fd)) != 0) {
    uv_loop_close(&u->loop);
    return err;
  }
  uv_timer_init(&u->loop, &u->bound);
  uv_unref((uv_handle_t *)&u->gate);
  uv_unref((uv_handle_t *)&u->bound);
  u->gate.data = u;
  uv_poll_start(&u->gate, UV_READABLE, through_gate);
  u->has_loop = true;
  return 0;
}

uv_loop_t *fm_uv_loop(void) {
  fm_driver *driver = fm__driver_here();
  Uv *u = driver->ctx;
  // Another driver.
  if (driver->poll != wait_for)
    return NULL;
  return u->has_loop || make_loop(u) == 0 ? &u->loop : NULL;
}

// ---- its life ----
static void close_handle(uv_handle_t *h, void *arg) {
  (void)arg;
  if (!uv_is_closing(h))
    uv_close(h, NULL);
}

// Handles that the program has left open are closed here, without a callback.
static void free_loop(Uv *u) {
  uv_walk(&u->loop, close_handle, NULL);
  while (uv_run(&u->loop, UV_RUN_DEFAULT)) {
  }
  uv_loop_close(&u->loop);
}

static void free_driver(void *ctx) {
  Uv *u = ctx;
  if (u->has_loop)
    free_loop(u);
  fm__epoll_close(&u->set);
  fm__free(u);
}

int fm__uv_wakes(const fm_driver *driver) {
  return driver && driver->poll == wait_for ? ((Uv *)driver->ctx)->set.wakes
                                            : -1;
}

fm_driver *fm_driver_uv(void) {
  Uv *u = fm__alloc(sizeof *u);
  if (!u)
    return NULL;
  u->has_loop = false;
  u->driver = FM__DRIVER(u, fm__driver_now, free_driver);
  if (fm__epoll_open(&u->set, &u->driver))
    return &u->driver;
  fm__free(u);
  return NULL;
}
