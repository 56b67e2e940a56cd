// A complete driver of a program's own, over select(2); docs/drivers.md explains it.
#include <fermata.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/time.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

typedef struct Select {
  fm_driver driver;
  int wakes[2];                                   // a pipe: other threads end a select
  fm_watch *watches;                              // all of them, linked by next and back
} Select;

static uint64_t now(void *ctx) {
  struct timespec t;
  (void)ctx;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void wake(void *ctx) {                     // from any thread, also from a signal handler
  Select *s = ctx;
  int err = errno;
  ssize_t n = write(s->wakes[1], "", 1);          // full: it is awake already
  (void)n;
  errno = err;
}

static bool pending(void *ctx) { return ((Select *)ctx)->watches != NULL; }

// ---- watches ----
static int watch(void *ctx, fm_watch *w) {
  Select *s = ctx;
  if (w->fd < 0 || fcntl(w->fd, F_GETFD) < 0) return EBADF;
  if (w->fd >= FD_SETSIZE) return EMFILE;
  w->next = s->watches;
  w->back = &s->watches;
  if (w->next) w->next->back = &w->next;
  s->watches = w;
  return 0;
}

static void unwatch(void *ctx, fm_watch *w) {
  (void)ctx;
  *w->back = w->next;
  if (w->next) w->next->back = w->back;
}

// Calls `ready` of one that has come; true: look again, since that may have changed the list.
static bool call_one(Select *s, fd_set *in, fd_set *out) {
  for (fm_watch *w = s->watches; w; w = w->next) {
    unsigned events = 0;
    if (FD_ISSET(w->fd, in)) events |= FM_READABLE;
    if (FD_ISSET(w->fd, out)) events |= FM_WRITABLE;
    if (!(events & w->events)) continue;
    unwatch(s, w);                                // first: the watch is over
    w->ready(w, events & w->events);
    return true;
  }
  return false;
}

static bool forget_one(Select *s, int fd) {
  for (fm_watch *w = s->watches; w; w = w->next)
    if (w->fd == fd) {
      unwatch(s, w);
      w->ready(w, 0);                             // no event: it is closed
      return true;
    }
  return false;
}

static void forget(void *ctx, int fd) { while (forget_one(ctx, fd)) { } }

// ---- waiting ----
static int collect(Select *s, fd_set *in, fd_set *out) {
  int most = s->wakes[0];
  FD_ZERO(in);
  FD_ZERO(out);
  FD_SET(s->wakes[0], in);
  for (fm_watch *w = s->watches; w; w = w->next) {
    if (w->events & FM_READABLE) FD_SET(w->fd, in);
    if (w->events & FM_WRITABLE) FD_SET(w->fd, out);
    if (w->fd > most) most = w->fd;
  }
  return most + 1;
}

static size_t wait_until(void *ctx, uint64_t until) {
  Select *s = ctx;
  fd_set in, out;
  uint64_t at = now(NULL), ns = until > at ? until - at : 0;
  struct timespec t = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
  char buf[64];
  size_t ready = 0;
  struct timespec *limit = until == FM_FOREVER ? NULL : &t;
  int n = pselect(collect(s, &in, &out), &in, &out, NULL, limit, NULL);
  if (n < 0 && errno == EINTR) fm_watch_interrupted();
  if (n <= 0) return 0;                           // the time has come, or a signal
  if (FD_ISSET(s->wakes[0], &in))
    while (read(s->wakes[0], buf, sizeof buf) > 0) { }
  while (call_one(s, &in, &out)) ready++;
  return ready;
}

// ---- its life ----
static void free_select(void *ctx) {
  Select *s = ctx;
  close(s->wakes[0]);
  close(s->wakes[1]);
  free(s);
}

static fm_driver *driver_select(void) {
  Select *s = calloc(1, sizeof *s);
  if (!s || pipe(s->wakes)) return NULL;
  fcntl(s->wakes[0], F_SETFL, O_NONBLOCK);
  fcntl(s->wakes[1], F_SETFL, O_NONBLOCK);
  s->driver = (fm_driver){
    .ctx = s, .now = now, .poll = wait_until, .wake = wake, .pending = pending,
    .watch = watch, .unwatch = unwatch, .forget = forget, .free = free_select
  };
  return &s->driver;
}

// ---- a program that uses it ----
static intptr_t elsewhere(void *arg) {
  usleep(2000);
  return (intptr_t)arg;
}

static async int pong(int fd) throws(struct os_error) {
  char c;
  int n = 0;
  for (; fm_read(fd, &c, 1) == 1; n++) fm_write_all(fd, &c, 1);
  return n;
}

static async void play(void) throws(struct os_error) {
  int fds[2];
  char c = 'x';
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) throw (struct os_error){ errno };
  auto t = spawn pong(fds[1]);
  for (int i = 0; i < 5; i++) {
    fm_write_all(fds[0], &c, 1);
    fm_read(fds[0], &c, 1);
    fm_sleep(1);
  }
  fm_close(fds[0]);
  printf("%d\n", await t);                        // expect: 5
  fm_close(fds[1]);
  printf("%d\n", (int)fm_offload(elsewhere, (void *)7)); // expect: 7
}

int main(void) {
  fm_set_driver(driver_select());
  try {
    run play();
  } catch (struct os_error e) {
    printf("failed: %s\n", strerror(e.code));
  }
  return 0;
}
