// read.c: async ssize_t fm_read(int fd, void *buf, size_t n) throws(struct os_error) and
// fm_recvfrom, in the form that fmcc gives to async functions (abi.h).
//
// Reads from a socket or a pipe, and waits until it is readable, by itself. Everything else is done
// in library/io.c: errors by fm__read_on, descriptors of other kinds (kind.h) by fm__read_other;
// errors of fm_recvfrom in library/net.c. They could be written in the language, but a server does
// this for each request: one frame holds the call and the wait, and goes on by itself.
//
// FM_LIBRARY: code of the program uses the frames that are made here.
#define FM_LIBRARY
#include "wait/watch.h"

#include <errno.h>
#include <fermata/abi-chan.h>
#include <sys/socket.h>

typedef struct ReadFrame {
  WatchFrame w; // fd is w.watch.fd
  void *buf;
  size_t n;
  struct sockaddr *from; // of fm_recvfrom, and so is this
  socklen_t *length;
  ssize_t result;
} ReadFrame;

enum { WAITS = 1, READS_ON = 2 }; // states

ssize_t
fm__read_on__fm_call(fm_domain *c, int fd, void *buf, size_t n, int err);
ssize_t fm__read_on__fm_atomic(int fd, void *buf, size_t n, int err);
ssize_t fm__read_other__fm_call(
    fm_domain *c, int fd, void *buf, size_t n, size_t done, bool as_posix);
ssize_t fm__recvfrom_on__fm_call(fm_domain *c,
                                 int fd,
                                 void *buf,
                                 size_t n,
                                 struct sockaddr *from,
                                 socklen_t *length,
                                 int err);
ssize_t fm__recvfrom_on__fm_atomic(int fd,
                                   void *buf,
                                   size_t n,
                                   struct sockaddr *from,
                                   socklen_t *length,
                                   int err);

static void read_resume(fm_domain *c, fm_frame *h);
static void recvfrom_resume(fm_domain *c, fm_frame *h);
static const uint32_t read_lines[] = { 0, 0, 0 };
#define CODE(f, resumes)                                                   \
  {                                                                        \
    .resume = resumes, .name = #f, .file = "fermata", .lines = read_lines, \
    .nstates = 3, .size = sizeof(ReadFrame),                               \
    .result = offsetof(ReadFrame, result), .result_size = sizeof(ssize_t), \
    .lands = FM_OF_LIBRARY,                                                \
  }
static const fm_code read_code = CODE(fm_read, read_resume);
static const fm_code recvfrom_code = CODE(fm_recvfrom, recvfrom_resume);

static inline bool is_pipe(int fd) {
  return fm__kind_of(fd, FM__TO_READ) == FM__BY_EVENTS;
}

static inline bool is_other(int fd) {
  return fm__kind_of(fd, FM__TO_READ) > FM__BY_EVENTS;
}

// Reads a pipe. Unusual cases, also the end, go to fm__read_other, as if nothing had been tried.
static ssize_t read_pipe(int fd, void *buf, size_t n) {
  ssize_t got = fm__read_now(fd, buf, n, -1);
  if (got > 0 || (got < 0 && errno == EAGAIN))
    return got;
  errno = ENOTSOCK;
  return -1;
}

static inline void
note(fm__runtime *d, int fd, size_t n, bool waited, ssize_t got) {
  enum { BOTH = FM_TOLD | FM_STREAM };
  uint8_t *hints = got > 0 ? fm__hints_of(d, fd) : NULL;
  if (!hints)
    return;
  if ((size_t)got < n && (*hints & BOTH) == BOTH)
    *hints |= FM_DRAINED;
  else
    fm__note_received(d, hints, waited);
}

static inline ssize_t
receive(fm__runtime *d, int fd, void *buf, size_t n, bool waited) {
  ssize_t got =
      fm__unlikely(is_pipe(fd)) ? read_pipe(fd, buf, n) : fm__recv(fd, buf, n);
  note(d, fd, n, waited, got);
  return got;
}

static void can_read(fm_watch *w, unsigned events) {
  WatchFrame *f = w->arg;
  fm_node *a = f->node;
  // It has been closed: EBADF.
  if (fm__unlikely(!events))
    w->fd = -1;
  fm__wait_over(fm__runtime_here(), a, fm__arming(a));
}

static bool withdraw_read(fm__runtime *d, fm_node *a) {
  fm__unwatch(d, &fm__watch_frame_of(a)->watch);
  a->waits = 0;
  return true;
}

static void drop_read(fm__runtime *d, fm_node *a) {
  withdraw_read(d, a);
}

static const fm__wait_kind readable = {
  .what = "a descriptor",
  .withdraw = withdraw_read,
  .drop = drop_read,
};

static inline int
wait_to_read(fm__runtime *d, ReadFrame *f, int fd, unsigned events) {
  f->w.h.state = WAITS;
  return fm__wait_by(d, &f->w, fd, FM_READABLE | events, can_read, &readable);
}

// The first wait of a call; tried: in vain.
static inline unsigned events_of_wait(fm__runtime *d, int fd, bool tried) {
  uint8_t *hints = fm__hints_of(d, fd);
  if (!hints)
    return FM_TRIED;
  if (!tried)
    return *hints & FM_LEVEL ? FM_STAYS : FM_TRIED;
  fm__learn_stream(d, fd);
  return FM_TRIED | fm__note_none(hints);
}

// Of a message: it is likely that each wait brings one.
static inline unsigned events_of_message(fm__runtime *d, int fd, bool tried) {
  uint8_t *hints = fm__hints_of(d, fd);
  if (hints && tried)
    fm__note_none(hints);
  return tried ? FM_TRIED | FM_STAYS : FM_STAYS;
}

// A file; usually all that was asked for is there.
static ssize_t read_other(fm_domain *c, int fd, void *buf, size_t n) {
  ssize_t got = 0;
  if (fm__kind_of(fd, FM__TO_READ) == FM__BY_CACHE && fm__goes_in_place(fd, n))
    got = fm__read_now(fd, buf, n, -1);
  if (got > 0 && (size_t)got == n)
    return got;
  size_t done = got > 0 ? (size_t)got : 0;
  const bool as_posix = false;
  return fm__read_other__fm_call(c, fd, buf, n, done, as_posix);
}

static FM_COLD ssize_t leave(fm__runtime *d) {
  fm__throw_cancel(d);
  return 0;
}

ssize_t fm_read__fm_call(fm_domain *c, int fd, void *buf, size_t n) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__is_late(c))
    return leave(d);
  if (fm__unlikely(is_other(fd)))
    return read_other(c, fd, buf, n);
  bool tried = !fm__is_drained(d, fd);
  if (tried) {
    const bool waited = false;
    ssize_t got = receive(d, fd, buf, n, waited);
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
  if (fm__unlikely(wait_to_read(d, f, fd, events_of_wait(d, fd, tried)))) {
    fm__frame_free(c, &f->w.h);
    // It fails in the same way.
    return fm__read_on__fm_call(c, fd, buf, n, EAGAIN);
  }
  fm__paused(c, &f->w.h);
  return 0;
}

static FM_COLD void went_on(fm_domain *c, ReadFrame *f) {
  if (!fm__stopped(c) || fm__below(c) != FM_PAUSED)
    c->result = &f->result;
  else if (fm__unwinds(c))
    fm__passes(f->w.h.code, READS_ON);
  else
    fm__paused_here(c, &f->w.h, READS_ON);
}

static FM_COLD void read_on(fm_domain *c, ReadFrame *f) {
  f->result = fm__read_on__fm_call(c, f->w.watch.fd, f->buf, f->n, errno);
  went_on(c, f);
}

static FM_COLD void recvfrom_on(fm_domain *c, ReadFrame *f) {
  f->result = fm__recvfrom_on__fm_call(
      c, f->w.watch.fd, f->buf, f->n, f->from, f->length, errno);
  went_on(c, f);
}

static FM_COLD void has_read_on(fm_domain *c, ReadFrame *f) {
  f->result = *(ssize_t *)c->result;
  fm__done(c);
  c->result = &f->result;
}

static void read_resume(fm_domain *c, fm_frame *h) {
  ReadFrame *f = (ReadFrame *)h;
  fm__runtime *d = fm__runtime_of(c);
  if (fm__unlikely(h->state == READS_ON)) {
    has_read_on(c, f);
    return;
  }
  if (fm__unlikely(is_other(f->w.watch.fd))) {
    errno = ENOTSOCK;
    read_on(c, f);
    return;
  }
  ssize_t got = receive(d, f->w.watch.fd, f->buf, f->n, f->w.h.state == WAITS);
  if (fm__likely(got >= 0)) {
    f->result = got;
    c->result = &f->result;
  } else if (errno != EAGAIN || (!fm__wait_ends_here(d) &&
                                 wait_to_read(d, f, f->w.watch.fd, FM_TRIED))) {
    read_on(c, f);
  }
}

ssize_t fm_read__fm_atomic(int fd, void *buf, size_t n) {
  bool socket = fm__kind_of(fd, FM__TO_READ) == FM__BY_SOCKET;
  return fm__read_on__fm_atomic(fd, buf, n, socket ? EINTR : ENOTSOCK);
}

fm_frame *fm_read__fm_start(fm_domain *c, int fd, void *buf, size_t n) {
  ReadFrame *f = (ReadFrame *)fm__frame_new(c, &read_code);
  f->w.watch.fd = fd;
  f->buf = buf;
  f->n = n;
  return &f->w.h;
}

const fm_fn fm_read[1] = { { (void (*)(void))fm_read__fm_call,
                             (void (*)(void))fm_read__fm_atomic,
                             (void (*)(void))fm_read__fm_start,
                             &read_code } };

// ---- async ssize_t fm_recvfrom(int fd, void *buf, size_t n, struct sockaddr *, socklen_t *) ----
ssize_t fm_recvfrom__fm_call(fm_domain *c,
                             int fd,
                             void *buf,
                             size_t n,
                             struct sockaddr *from,
                             socklen_t *length) {
  fm__runtime *d = fm__runtime_of(c);
  if (fm__is_late(c))
    return leave(d);
  bool tried = !fm__is_drained(d, fd);
  if (tried) {
    ssize_t got = fm__recvfrom(fd, buf, n, MSG_DONTWAIT, from, length);
    const bool waited = false;
    note(d, fd, n, waited, got);
    if (got >= 0)
      return got;
    if (errno != EAGAIN)
      return fm__recvfrom_on__fm_call(c, fd, buf, n, from, length, errno);
  }
  if (fm__wait_ends_here(d))
    return 0;
  ReadFrame *f = (ReadFrame *)fm__frame_new(c, &recvfrom_code);
  f->buf = buf;
  f->n = n;
  f->from = from;
  f->length = length;
  if (fm__unlikely(wait_to_read(d, f, fd, events_of_message(d, fd, tried)))) {
    fm__frame_free(c, &f->w.h);
    // It fails in the same way.
    return fm__recvfrom_on__fm_call(c, fd, buf, n, from, length, EAGAIN);
  }
  fm__paused(c, &f->w.h);
  return 0;
}

static void recvfrom_resume(fm_domain *c, fm_frame *h) {
  ReadFrame *f = (ReadFrame *)h;
  fm__runtime *d = fm__runtime_of(c);
  int fd = f->w.watch.fd;
  if (fm__unlikely(h->state == READS_ON)) {
    has_read_on(c, f);
    return;
  }
  ssize_t got =
      fm__recvfrom(fd, f->buf, f->n, MSG_DONTWAIT, f->from, f->length);
  note(d, fd, f->n, h->state == WAITS, got);
  if (fm__likely(got >= 0)) {
    f->result = got;
    c->result = &f->result;
  } else if (errno != EAGAIN ||
             (!fm__wait_ends_here(d) && wait_to_read(d, f, fd, FM_TRIED))) {
    recvfrom_on(c, f);
  }
}

ssize_t fm_recvfrom__fm_atomic(
    int fd, void *buf, size_t n, struct sockaddr *from, socklen_t *length) {
  return fm__recvfrom_on__fm_atomic(fd, buf, n, from, length, EINTR);
}

fm_frame *fm_recvfrom__fm_start(fm_domain *c,
                                int fd,
                                void *buf,
                                size_t n,
                                struct sockaddr *from,
                                socklen_t *length) {
  ReadFrame *f = (ReadFrame *)fm__frame_new(c, &recvfrom_code);
  f->w.watch.fd = fd;
  f->buf = buf;
  f->n = n;
  f->from = from;
  f->length = length;
  return &f->w.h;
}

const fm_fn fm_recvfrom[1] = { { (void (*)(void))fm_recvfrom__fm_call,
                                 (void (*)(void))fm_recvfrom__fm_atomic,
                                 (void (*)(void))fm_recvfrom__fm_start,
                                 &recvfrom_code } };
