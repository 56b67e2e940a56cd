// watch.c: waiting for a descriptor, and the watches of pool.h. The wait is a frame that belongs to
// no call: it holds the watch, and is made only when there is something to wait for. When the
// descriptor is ready, the activity goes on as after a yield. A cancel that has come by then is met
// first, so that nothing is received that the program would not get.
//
// A completion (completion.c) could do the same, but a server does this for each request.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#define _GNU_SOURCE
#include "wait/leaf.h"
#include "wait/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>

static const fm_code watch_code = { .name = "fm__wait_fd",
                                    .file = "fermata",
                                    .size = sizeof(WatchFrame) };

_Atomic uint8_t fm__kinds[FM__KINDS];
_Atomic uint16_t fm__moving[FM__KINDS];

// ---- the watches of pool.h ----
int fm__watch(fm__runtime *d, fm_watch *w) {
  fm_driver *driver = d->driver;
  if (fm__unlikely(!driver || !driver->hinted))
    driver = fm__driver_for_descriptors(d);
  int err = driver->watch ? driver->watch(driver->ctx, w) : ENOSYS;
  if (!err)
    fm__looks(d);
  return err;
}

void fm__unwatch(fm__runtime *d, fm_watch *w) {
  d->driver->unwatch(d->driver->ctx, w);
}

int fm_watch_start(fm_watch *w) {
  return fm__watch(fm__runtime_of(fm__here()), w);
}
void fm_watch_stop(fm_watch *w) {
  fm__unwatch(fm__runtime_of(fm__here()), w);
}

void fm_watch_forget(int fd) {
  fm__forget_kind(fd);
  // a thread without a domain watches nothing
  fm__runtime *d = fm__runtime_here();
  fm_driver *driver = d ? d->driver : NULL;
  if (driver && driver->forget)
    driver->forget(driver->ctx, fd);
}

// ---- signals ----
// set by library/posix.c, if the program uses it
void (*_Atomic fm__interrupt_hook)(void);

void fm_watch_interrupted(void) {
  void (*hook)(void) = fm__interrupt_hook;
  if (hook)
    hook();
}

// ---- hints ----
bool fm_watch_drained(int fd, unsigned what) {
  fm__runtime *d = fm__runtime_here();
  uint8_t *hints = d ? fm__hints_of(d, fd) : NULL;
  if (!hints)
    return false;
  if (what == FM_NEW_STREAM)
    *hints |= FM_STREAM;
  else if (what == FM_SHORT_READ)
    fm__note_short_read(d, fd);
  return *hints & FM_DRAINED;
}

// Of a stream, a read that gives less than it could takes all. (A packet pipe gives packets.)
void fm__ask_stream(uint8_t *hints, int fd) {
  int saved = errno;
  int type = 0;
  socklen_t size = sizeof type;
  struct stat s;
  bool stream = getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0
                    ? type == SOCK_STREAM
                    : fstat(fd, &s) == 0 && S_ISFIFO(s.st_mode) &&
                          !(fcntl(fd, F_GETFL) & O_DIRECT);
  *hints |= FM_ASKED | (stream ? FM_STREAM : 0);
  errno = saved;
}

// ---- the wait ----
static fm_error *os_error(int code) {
  return fm__error_new(&(struct os_error){ code },
                       sizeof(struct os_error),
                       "os_error",
                       "fermata",
                       0);
}

// No event: the descriptor has been closed. Then the frame holds the error, like that of an
// activity that has failed.
static void is_ready(fm_watch *w, unsigned events) {
  WatchFrame *f = w->arg;
  fm_node *a = f->node;
  fm__runtime *d = fm__runtime_here();
  if (fm__unlikely(!events)) {
    f->h.spare = 1;
    fm__fail_with(&f->h, os_error(EBADF));
    fm__wait_over(d, a, (uintptr_t)f | FM__WRESULT | FM__ARMED);
    return;
  }
  fm__frame_free(&d->c, &f->h);
  fm__wait_over(d, a, fm__arming(a));
}

static bool withdraw(fm__runtime *d, fm_node *a) {
  WatchFrame *f = fm__watch_frame_of(a);
  fm__unwatch(d, &f->watch);
  fm__frame_free(&d->c, &f->h);
  a->waits = 0;
  return true;
}

static void drop(fm__runtime *d, fm_node *a) {
  withdraw(d, a);
}

static const fm__wait_kind ready = {
  .what = "a descriptor",
  .withdraw = withdraw,
  .drop = drop,
};

static FM_COLD void not_watched(fm__runtime *d, WatchFrame *f, int err) {
  fm__frame_free(&d->c, &f->h);
  if (err == EPERM) // always ready
    return;
  fm__rethrow(os_error(err));
  fm__start_unwinding(d);
}

// ---- async void fm__wait_fd(int fd, unsigned events) throws(struct os_error) ----
// In the form that fmcc gives to async functions (abi.h).
// A leaf wait: the caller does not see the frame.
void fm__wait_fd__fm_call(fm_domain *c, int fd, unsigned events) {
  fm__runtime *d = fm__runtime_of(c);
  fm__nothing_to_read(d);
  if (fm__wait_ends_here(d))
    return;
  WatchFrame *f = (WatchFrame *)fm__frame_new(c, &watch_code);
  int err = fm__wait_by(d, f, fd, events, is_ready, &ready);
  if (fm__unlikely(err))
    not_watched(d, f, err);
}

FM__LEAF(fm__wait_fd, int, unsigned, 2);
