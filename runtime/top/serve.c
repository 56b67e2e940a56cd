// serve.c: the server: a thread that waits for viewers and answers their requests (requests.c), one
// after the other. No wait of it is longer than the patience that requests.c has with a domain.
// What a viewer does not read is kept, and no further request of that viewer is read meanwhile: an
// answer has a bound, so memory has. A viewer that has gone, or breaks the protocol, is dropped.
//
// While there are viewers, the server grants turns to be counted (count.c). When the last one has
// gone, the domains forget their counts, and the server sleeps.
#define _GNU_SOURCE
#include "top/viewer.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// ---- viewers come and go ----
// The directory lets nobody else in; this holds even if it is opened later.
static bool may_watch(int fd) {
  struct ucred peer;
  socklen_t n = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 &&
         (peer.uid == geteuid() || peer.uid == 0);
}

static size_t viewers(const fm__top_server *s) {
  size_t n = 0;
  for (size_t i = 0; i < FM__MOST_VIEWERS; i++)
    n += s->viewers[i] != NULL;
  return n;
}

static void refuse(int fd) {
  static const char why[] =
      "{\"type\":\"error\",\"why\":\"too many viewers\"}\n";
  ssize_t n = send(fd, why, sizeof why - 1, MSG_NOSIGNAL);
  (void)n;
  close(fd);
}

static void accept_viewer(fm__top_server *s, int listening) {
  int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  size_t i = 0;
  if (fd < 0)
    return;
  while (i < FM__MOST_VIEWERS && s->viewers[i])
    i++;
  fm__top_viewer *v = NULL;
  if (may_watch(fd) && i < FM__MOST_VIEWERS)
    v = fm__alloc(sizeof *v);
  if (!v) {
    refuse(fd);
    return;
  }
  memset(v, 0, sizeof *v);
  v->fd = fd;
  s->viewers[i] = v;
  fm__top_hello(v);
}

static void drop_viewer(fm__top_server *s, size_t i) {
  fm__top_viewer *v = s->viewers[i];
  close(v->fd);
  fm__top_drop_shots(v);
  fm__free(v->folds.list);
  fm__free(v->view.seen);
  fm__free(v->out.at);
  fm__free(v);
  s->viewers[i] = NULL;
}

// Nobody watches: nothing is kept, and nothing is counted.
static void forget_all(fm__top_server *s) {
  fm__top_grant(false);
  for (size_t i = 0; i < s->domains; i++) {
    fm__top_known *k = &s->known[i];
    fm__top_ask *q = fm__top_asks(k->outside.domain, FM__ASK_FORGET, 0);
    if (q)
      fm__top_ask_unref(q);
    if (k->pending)
      fm__top_ask_unref(k->pending);
    if (k->last && --k->last->references == 0)
      fm__top_shot_free(k->last);
  }
  s->domains = 0;
}

// ---- reading and writing ----
static bool would_wait(void) {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

// false: the viewer has gone.
static bool write_out(fm__top_viewer *v) {
  while (v->sent < v->out.used) {
    ssize_t n = send(v->fd,
                     v->out.at + v->sent,
                     v->out.used - v->sent,
                     MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0)
      return would_wait();
    v->sent += (size_t)n;
  }
  v->out.used = v->sent = 0;
  return !v->leaving;
}

// Lines are answered until an answer is not taken at once.
static bool answer_lines(fm__top_server *s, fm__top_viewer *v) {
  char *end;
  while (!v->out.used && (end = memchr(v->in, '\n', v->got))) {
    size_t n = (size_t)(end - v->in) + 1;
    *end = '\0';
    fm__top_request(s, v, v->in);
    memmove(v->in, v->in + n, v->got - n);
    v->got -= n;
    if (v->out.failed || !write_out(v))
      return false;
  }
  if (v->got == sizeof v->in && !v->out.used) {
    fm__top_error(v, "a request is too long");
    v->leaving = true;
    return write_out(v);
  }
  return true;
}

static bool read_in(fm__top_server *s, fm__top_viewer *v) {
  if (v->got < sizeof v->in) {
    ssize_t n =
        recv(v->fd, v->in + v->got, sizeof v->in - v->got, MSG_DONTWAIT);
    if (n == 0 || (n < 0 && !would_wait()))
      return false;
    v->got += n > 0 ? (size_t)n : 0;
  }
  return answer_lines(s, v);
}

static bool serve_viewer(fm__top_server *s, fm__top_viewer *v, short events) {
  if (events & POLLOUT && (!write_out(v) || !answer_lines(s, v)))
    return false;
  if (events & (POLLIN | POLLHUP | POLLERR) && !v->out.used)
    return read_in(s, v);
  return !(events & (POLLHUP | POLLERR));
}

// ---- the loop ----
// Between 30 and 70 milliseconds, so that it does not fall into step with the program.
static void grant(fm__top_server *s, uint64_t now) {
  enum { LEAST = FM__COUNT_EVERY * 600000, MORE = FM__COUNT_EVERY * 800000 };
  if (now < s->next_grant)
    return;
  fm__top_grant(true);
  s->random = s->random * 6364136223846793005u + 1442695040888963407u;
  s->next_grant = now + LEAST + (s->random >> 33) % MORE;
}

static size_t
prepare(const fm__top_server *s, int listening, struct pollfd *p) {
  size_t n = 0;
  p[n++] = (struct pollfd){ .fd = listening, .events = POLLIN };
  for (size_t i = 0; i < FM__MOST_VIEWERS; i++) {
    const fm__top_viewer *v = s->viewers[i];
    p[n++] = (struct pollfd){ .fd = v ? v->fd : -1,
                              .events = v && v->out.used ? POLLOUT : POLLIN };
  }
  return n;
}

static void serve_all(fm__top_server *s, const struct pollfd *p) {
  for (size_t i = 0; i < FM__MOST_VIEWERS; i++)
    if (s->viewers[i] && p[i + 1].revents &&
        !serve_viewer(s, s->viewers[i], p[i + 1].revents))
      drop_viewer(s, i);
}

static int timeout(const fm__top_server *s, uint64_t now) {
  if (!viewers(s))
    return -1;
  return now < s->next_grant ? (int)((s->next_grant - now) / 1000000) + 1 : 0;
}

// All servers, so that searches for leaks find what they keep: also in a child of fork, where
// nothing else leads to it.
static fm__top_server *_Atomic servers;

void fm__top_serve(int listening) {
  fm__top_server *s = fm__alloc(sizeof *s);
  if (!s)
    fm__out_of_memory("fermata top", "", sizeof *s);
  memset(s, 0, sizeof *s);
  s->next = atomic_exchange(&servers, s);
  for (;;) {
    struct pollfd p[1 + FM__MOST_VIEWERS];
    size_t n = prepare(s, listening, p);
    size_t before = viewers(s);
    if (poll(p, n, timeout(s, fm__clock())) < 0)
      continue;
    serve_all(s, p);
    if (p[0].revents)
      accept_viewer(s, listening);
    if (viewers(s))
      grant(s, fm__clock());
    else if (before)
      forget_all(s);
  }
}
