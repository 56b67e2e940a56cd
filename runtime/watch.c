// watch.c: waiting for a descriptor, the read that waits for one, and the watches of pool.h. What waits holds the watch in a frame, which is
// made only when there is something to wait for; of fm__wait_fd it belongs to no call. When the descriptor is ready the activity goes on as
// after a yield: a cancel that has come by then is met first, so that nothing is received that no one would get.
//
// The same could be written with a completion (direct.c), and fm_read in the language, but this is what a server does for each request.
#define FM_LIBRARY                                // the program's code uses the frames that are made here
#include "fm.h"

#include <errno.h>
#include <sys/socket.h>

typedef struct WatchFrame {
  fm_frame h;
  fm_node *node;                                  // who waits
  _Alignas(16) fm__wait wait;                     // as nodes and frames are, for the low bits of fm_node.waits
  fm_watch watch;
} WatchFrame;

static const fm_code watch_code = { .name = "fm__wait_fd", .file = "fermata", .size = sizeof(WatchFrame) };

// ---- the watches of pool.h ----
int fm__watch(fm__domain *d, fm_watch *w) {
  fm_driver *driver = fm__driver(d);
  int err = driver->watch ? driver->watch(driver->ctx, w) : ENOSYS;
  if (!err)
    fm__looks(d);
  return err;
}

void fm__unwatch(fm__domain *d, fm_watch *w) {
  d->driver->unwatch(d->driver->ctx, w);
}

int fm_watch_start(fm_watch *w) { return fm__watch(fm__of(fm__here()), w); }
void fm_watch_stop(fm_watch *w) { fm__unwatch(fm__of(fm__here()), w); }

void fm_watch_forget(int fd) {
  fm__domain *d = fm__domain_here();              // a thread that has none watches nothing
  fm_driver *driver = d ? d->driver : NULL;
  if (driver && driver->forget)
    driver->forget(driver->ctx, fd);
}

// ---- signals ----
void (*_Atomic fm__interrupt_hook)(void);         // library/posix.c, if that is used

void fm_watch_interrupted(void) {
  void (*hook)(void) = fm__interrupt_hook;
  if (hook)
    hook();
}

// ---- hints ----
static uint8_t *hints_of(fm__domain *d, int fd) { // NULL: there are none
  fm_driver *driver = d->driver;
  return driver && (size_t)fd < driver->hinted ? &driver->hints[fd] : NULL;
}

static inline bool is_drained(fm__domain *d, int fd) {
  uint8_t *hints = hints_of(d, fd);
  return hints && *hints & FM_DRAINED;
}

static inline void note_short_read(fm__domain *d, int fd) {
  uint8_t *hints = hints_of(d, fd);
  if (hints && (*hints & (FM_TOLD | FM_STREAM)) == (FM_TOLD | FM_STREAM))
    *hints |= FM_DRAINED;
}

bool fm_watch_drained(int fd, unsigned what) {
  fm__domain *d = fm__domain_here();
  uint8_t *hints = d ? hints_of(d, fd) : NULL;
  if (!hints)
    return false;
  if (what == FM_NEW_STREAM)
    *hints |= FM_STREAM;
  else if (what == FM_SHORT_READ)
    note_short_read(d, fd);
  return *hints & FM_DRAINED;
}

// ---- the wait ----
static fm_error *os_error(int code) {
  return fm__error_new(&(struct os_error){ code }, sizeof(struct os_error), "os_error", "fermata", 0);
}

static WatchFrame *frame_of(fm_node *a) {
  return (WatchFrame *)(void *)((char *)fm__what(a) - offsetof(WatchFrame, wait));
}

// The current activity waits, by f. 0, or an errno.
static inline int wait_by(fm__domain *d, WatchFrame *f, int fd, unsigned events, void (*ready)(fm_watch *, unsigned),
                          const fm__wait_kind *kind) {
  f->node = d->current;
  f->wait.kind = kind;
  f->watch.fd = fd;
  f->watch.events = events;
  f->watch.ready = ready;
  f->watch.arg = f;
  int err = fm__watch(d, &f->watch);
  if (fm__likely(!err))
    fm__wait_begin(d, &f->wait);
  return err;
}

// No event: it has been closed. The frame then holds the error, as that of an activity that has failed.
static void is_ready(fm_watch *w, unsigned events) {
  WatchFrame *f = w->arg;
  fm_node *a = f->node;
  fm__domain *d = fm__domain_here();
  if (fm__unlikely(!events)) {
    f->h.spare = 1;
    fm__fail_with(&f->h, os_error(EBADF));
    fm__wait_over(d, a, (uintptr_t)f | FM__WRESULT | FM__ARMED, NULL);
    return;
  }
  fm__frame_free(&d->c, &f->h);
  fm__wait_over(d, a, fm__arming(a), NULL);
}

static bool withdraw(fm__domain *d, fm_node *a) {
  WatchFrame *f = frame_of(a);
  fm__unwatch(d, &f->watch);
  fm__frame_free(&d->c, &f->h);
  a->waits = 0;
  return true;
}

static void drop(fm__domain *d, fm_node *a) {
  withdraw(d, a);
}

static const fm__wait_kind ready = { "a descriptor", withdraw, drop, false, false };

static FM_COLD void not_watched(fm__domain *d, WatchFrame *f, int err) {
  fm__frame_free(&d->c, &f->h);
  if (err == EPERM)                               // always ready
    return;
  fm__rethrow(os_error(err));
  fm__start_unwinding(d);
}

// ---- async void fm__wait_fd(int fd, unsigned events) throws(struct os_error), in the form that fmcc gives its own (abi.h) ----
void fm__wait_fd__fm_call(fm_domain *c, int fd, unsigned events) { // a leaf wait: the caller need not know of any frame
  fm__domain *d = fm__of(c);
  fm__nothing_to_read(d);
  if (fm__wait_ends_here(d))
    return;
  WatchFrame *f = (WatchFrame *)fm__frame_new(c, &watch_code);
  int err = wait_by(d, f, fd, events, is_ready, &ready);
  if (fm__unlikely(err))
    not_watched(d, f, err);
}

void fm__wait_fd__fm_atomic(int fd, unsigned events) {
  fm_domain *c = fm__here();
  fm__wait_fd__fm_call(c, fd, events);
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED)
    fm__atomic_pump(c);
}

typedef struct WaitStart { fm_frame h; int fd; unsigned events; } WaitStart;

static void wait_resume(fm_domain *c, fm_frame *h) {
  WaitStart *f = (WaitStart *)h;
  c->result = NULL;
  if (h->state)
    return;
  fm__wait_fd__fm_call(c, f->fd, f->events);
  h->state = 1;
  if (fm__stopped(c) && fm__below(c) == FM_PAUSED && !fm__unwinds(c))
    fm__paused(c, h);
}

static const uint32_t wait_lines[] = { 0, 0 };
static const fm_code wait_code = { wait_resume, "fm__wait_fd", "fermata", wait_lines, 2, sizeof(WaitStart), 0, 0, FM_OF_LIBRARY };

fm_frame *fm__wait_fd__fm_start(fm_domain *c, int fd, unsigned events) {
  WaitStart *f = (WaitStart *)fm__frame_new(c, &wait_code);
  f->fd = fd;
  f->events = events;
  return &f->h;
}

const fm_fn fm__wait_fd[1] = { { (void (*)(void))fm__wait_fd__fm_call, (void (*)(void))fm__wait_fd__fm_atomic,
                                 (void (*)(void))fm__wait_fd__fm_start, &wait_code } };

// ---- async ssize_t fm_read(int fd, void *buf, size_t n) throws(struct os_error), likewise ----
// Reads from a connection, and waits for what can be read, by itself. Everything else (other descriptors, errors) is fm__read_on's, in
// library/io.c.
typedef struct ReadFrame {
  WatchFrame w;                                   // fd: w.watch.fd
  void *buf;
  size_t n;
  ssize_t result;
} ReadFrame;

enum { WAITS = 1, READS_ON = 2 };                 // states

ssize_t fm__read_on__fm_call(fm_domain *c, int fd, void *buf, size_t n, int err);
ssize_t fm__read_on__fm_atomic(int fd, void *buf, size_t n, int err);

static void read_resume(fm_domain *c, fm_frame *h);
static const uint32_t read_lines[] = { 0, 0, 0 };
static const fm_code read_code = { read_resume, "fm_read", "fermata", read_lines, 3, sizeof(ReadFrame), offsetof(ReadFrame, result),
                                   sizeof(ssize_t), FM_OF_LIBRARY };

static inline ssize_t receive(fm__domain *d, int fd, void *buf, size_t n) {
  ssize_t got = recv(fd, buf, n, MSG_DONTWAIT);
  if (got > 0 && (size_t)got < n)
    note_short_read(d, fd);
  return got;
}

static void can_read(fm_watch *w, unsigned events) {
  WatchFrame *f = w->arg;
  fm_node *a = f->node;
  if (fm__unlikely(!events))
    w->fd = -1;                                   // it has been closed: EBADF
  fm__wait_over(fm__domain_here(), a, fm__arming(a), NULL);
}

static bool withdraw_read(fm__domain *d, fm_node *a) {
  fm__unwatch(d, &frame_of(a)->watch);
  a->waits = 0;
  return true;
}

static void drop_read(fm__domain *d, fm_node *a) {
  withdraw_read(d, a);
}

static const fm__wait_kind readable = { "a descriptor", withdraw_read, drop_read, false, false };

static inline int wait_to_read(fm__domain *d, ReadFrame *f, int fd) {
  f->w.h.state = WAITS;
  return wait_by(d, &f->w, fd, FM_READABLE | FM_TRIED, can_read, &readable);
}

ssize_t fm_read__fm_call(fm_domain *c, int fd, void *buf, size_t n) {
  fm__domain *d = fm__of(c);
  if (!is_drained(d, fd)) {
    ssize_t got = receive(d, fd, buf, n);
    if (got >= 0)
      return got;
    if (errno != EAGAIN)
      return fm__read_on__fm_call(c, fd, buf, n, errno);
  }
  if (fm__wait_ends_here(d))
    return 0;
  ReadFrame *f = (ReadFrame *)fm__frame_new(c, &read_code);
  f->buf = buf;
  f->n = n;
  if (fm__unlikely(wait_to_read(d, f, fd))) {
    fm__frame_free(c, &f->w.h);
    return fm__read_on__fm_call(c, fd, buf, n, EAGAIN); // which fails in the same way
  }
  fm__paused(c, &f->w.h);
  return 0;
}

static FM_COLD void read_on(fm_domain *c, ReadFrame *f) {
  f->result = fm__read_on__fm_call(c, f->w.watch.fd, f->buf, f->n, errno);
  if (!fm__stopped(c) || fm__below(c) != FM_PAUSED)
    c->result = &f->result;
  else if (fm__unwinds(c))
    fm__passes(&read_code, READS_ON);
  else
    fm__paused_here(c, &f->w.h, READS_ON);
}

static void read_resume(fm_domain *c, fm_frame *h) {
  ReadFrame *f = (ReadFrame *)h;
  fm__domain *d = fm__of(c);
  if (fm__unlikely(h->state == READS_ON)) {
    f->result = *(ssize_t *)c->result;
    fm__done(c);
    c->result = &f->result;
    return;
  }
  ssize_t got = receive(d, f->w.watch.fd, f->buf, f->n);
  if (fm__likely(got >= 0)) {
    f->result = got;
    c->result = &f->result;
  } else if (errno != EAGAIN || (!fm__wait_ends_here(d) && wait_to_read(d, f, f->w.watch.fd))) {
    read_on(c, f);
  }
}

ssize_t fm_read__fm_atomic(int fd, void *buf, size_t n) {
  return fm__read_on__fm_atomic(fd, buf, n, EINTR);
}

fm_frame *fm_read__fm_start(fm_domain *c, int fd, void *buf, size_t n) {
  ReadFrame *f = (ReadFrame *)fm__frame_new(c, &read_code);
  f->w.watch.fd = fd;
  f->buf = buf;
  f->n = n;
  return &f->w.h;
}

const fm_fn fm_read[1] = { { (void (*)(void))fm_read__fm_call, (void (*)(void))fm_read__fm_atomic, (void (*)(void))fm_read__fm_start,
                             &read_code } };
