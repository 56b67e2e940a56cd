// open.c: when the socket for `fermata top` is opened, and which domains there are.
//
//     FERMATA_TOP=1   the first domain opens it
//     (not set)       SIGUSR2 opens it, if nothing else in the program handles that signal
//     FERMATA_TOP=0   never
//
// While it is closed there is no thread, no descriptor and no file: only the list of domains, and a
// handler of SIGUSR2. Of itself that signal ends a process, so a handler takes nothing away from a
// program that does not use it. A program that does is left alone: the handler is set only over the
// default action, and not over SIG_IGN; a program that sets its own later replaces ours; one that
// blocks the signal to wait for it goes on to do so; exec gives the default back. Only a program
// that wants to be ended by SIGUSR2 sees a difference, and has FERMATA_TOP=0. A program with more
// rights than its user opens nothing.
//
// The handler posts a message to the first domain, and no more: the socket is opened by that
// domain's loop. The server's thread then takes the socket over into a table of descriptors of its
// own. So the program's own numbers are as they were, its children inherit nothing, and the kernel
// need not count users of descriptors, which a second thread would make it do (see tick.c).
#define _GNU_SOURCE
#include "top/top.h"
#include "core/forked.h"
#include "top/top-path.h"
#include "top/wake.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static struct {
  pthread_mutex_t lock; // of the list and the path
  fm__runtime *domains; // newest first, linked by viewed.next
  bool begun;           // the first domain has read the setting
  _Atomic bool open;    // a server runs
  char path[FM__TOP_PATH];
  // for the handler of the signal
  fm__runtime *_Atomic opener; // the domain that opens the socket
  _Atomic int handlers;        // how many are under way
  _Atomic bool asked;          // the message is posted
  fm__msg message;
} top = { .lock = PTHREAD_MUTEX_INITIALIZER };

// ---- the directory ----
static bool make_private(const char *dir, uid_t user) {
  return (mkdir(dir, 0700) == 0 || errno == EEXIST) &&
         fm__top_is_private(dir, user);
}

// false: `dir` is the one that could not be used.
static bool choose_dir(char dir[FM__TOP_PATH]) {
  uid_t user = geteuid();
  return (fm__top_dir_in(dir, secure_getenv("XDG_RUNTIME_DIR"), user) &&
          make_private(dir, user)) ||
         (fm__top_dir_in_tmp(dir, user) && make_private(dir, user));
}

// ---- the socket ----
// A file of that name is from a process that had the same number, or from us before an exec.
static int listen_at(const char *path) {
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = fm__above_standard(
      socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd < 0)
    return -1;
  strcpy(address.sun_path, path);
  unlink(path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
      chmod(path, 0600) == 0 && listen(fd, 8) == 0)
    return fd;
  int err = errno;
  close(fd);
  errno = err;
  return -1;
}

typedef struct Handover {
  int fd;
  bool taken;       // the thread has descriptors of its own
  bool needs_waker; // and cannot borrow any, see wake.c
  sem_t done;
} Handover;

// The standard descriptors stay in use, so that no viewer gets such a number: what a sanitizer or
// the C library prints on this thread is not for a viewer.
static inline void keep_standard_numbers(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
    dup2(null, fd);
  if (null > STDERR_FILENO)
    close(null);
}

// Nothing but the socket, which is above the standard descriptors. Before Linux 5.9 all stay
// shared; also under TSan, which knows one table of descriptors only.
static bool keep_only(int fd) {
#if defined SYS_close_range && !defined FM_TSAN
  enum { UNSHARE = 2 }; // CLOSE_RANGE_UNSHARE of <linux/close_range.h>
  if (syscall(SYS_close_range, fd + 1, ~0U, UNSHARE) != 0)
    return false;
  if (fd > STDERR_FILENO + 1)
    syscall(SYS_close_range, STDERR_FILENO + 1, fd - 1, 0);
  keep_standard_numbers();
  return true;
#else
  (void)fd;
  return false;
#endif
}

static void *server(void *arg) {
  Handover *h = arg;
  int fd = h->fd;
  h->taken = keep_only(fd);
  h->needs_waker = !fm__wakes_begin(h->taken, fd);
  sem_post(&h->done); // h is gone from here on
  fm__top_serve(fd);
}

static bool any_by_waker(void) {
  for (const fm__runtime *d = top.domains; d; d = d->viewed.next)
    if (d->viewed.by_waker)
      return true;
  return false;
}

static bool start_server(int fd) {
  Handover h = { .fd = fd };
  pthread_t thread;
  sigset_t before;
  sem_init(&h.done, 0, 0);
  fm__block_signals(&before);
  int err = pthread_create(&thread, NULL, server, &h);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!err) {
    pthread_detach(thread);
    while (sem_wait(&h.done) != 0)
      continue;
  }
  sem_destroy(&h.done);
  if (err || h.taken)
    close(fd);
  if (!err && h.taken && (h.needs_waker || any_by_waker()))
    fm__waker_start();
  errno = err;
  return !err;
}

static void remove_file(void) {
  if (top.path[0])
    unlink(top.path);
}

static bool is_served(void) {
  return atomic_load(&top.open) && access(top.path, F_OK) == 0;
}

static void complain(const char *who, const char *dir) {
  fprintf(stderr,
          "fermata: %s: no socket for `fermata top` in %s: %s\n",
          who,
          dir,
          errno == EPERM ? "it is not a directory of this user alone (0700)"
                         : strerror(errno));
}

// The lock is held. `who` has asked for it.
static void open_socket(const char *who) {
  static bool exits;
  char dir[FM__TOP_PATH];
  int err = errno;
  if (is_served())
    return;
  errno = EPERM;
  int fd = -1;
  if (choose_dir(dir)) {
    int n = snprintf(top.path, sizeof top.path, "%s/%ld", dir, (long)getpid());
    errno = ENAMETOOLONG;
    if (n > 0 && (size_t)n < sizeof top.path)
      fd = listen_at(top.path);
  }
  if (fd < 0 || !start_server(fd)) {
    complain(who, dir);
    remove_file();
    top.path[0] = '\0';
  } else {
    atomic_store(&top.open, true);
    if (!exits)
      atexit(remove_file);
    exits = true;
  }
  errno = err;
}

// ---- SIGUSR2 ----
static void on_message(fm__runtime *d, fm__msg *m) {
  (void)d, (void)m;
  atomic_store(&top.asked, false);
  fm__pthread_lock(&top.lock);
  open_socket("SIGUSR2");
  pthread_mutex_unlock(&top.lock);
}

static void on_signal(int signo) {
  int err = errno;
  (void)signo;
  atomic_fetch_add(&top.handlers, 1);
  fm__runtime *d = atomic_load(&top.opener);
  if (d && !atomic_exchange(&top.asked, true)) {
    if (!fm__inbox_post(d, &top.message))
      atomic_store(&top.asked, false);
    else if (d->tick)
      fm__end_slice(d);
  }
  atomic_fetch_sub(&top.handlers, 1);
  errno = err;
}

static void catch_signal(void) {
  struct sigaction before;
  struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
  top.message.fn = on_message;
  if (sigaction(SIGUSR2, NULL, &before) == 0 &&
      !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
    sigaction(SIGUSR2, &ours, NULL);
}

// ---- fork ----
static void before_fork(void) {
  pthread_mutex_lock(&top.lock);
}

static void in_parent(void) {
  pthread_mutex_unlock(&top.lock);
}

// The server and the file are the parent's.
static void in_child(void) {
  fm__runtime *d = fm__runtime_here();
  top.domains = d;
  top.path[0] = '\0';
  atomic_store(&top.open, false);
  atomic_store(&top.opener, d);
  atomic_store(&top.asked, false);
  atomic_store(&top.handlers, 0);
  fm__wakes_forget();
  if (d) {
    d->viewed.next = NULL;
    atomic_store(&d->viewed.counted, false);
    atomic_fetch_and(&d->attention, ~(unsigned)FM__COUNT);
  }
  pthread_mutex_unlock(&top.lock);
}

// ---- the first domain ----
// The lock is held.
static void begin(void) {
  const char *value = fm__setting("FERMATA_TOP");
  top.begun = true;
  if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
    fm__bad_setting("FERMATA_TOP", value, "1, or 0 for never");
  if (getauxval(AT_SECURE) || fm__setting("FERMATA_EXPLORE") ||
      (value && *value == '0'))
    return;
  pthread_atfork(before_fork, in_parent, in_child);
  catch_signal();
  if (value)
    open_socket("FERMATA_TOP=1");
}

void fm__top_domain(fm__runtime *d) {
  fm__runtime *none = NULL;
  fm__pthread_lock(&top.lock);
  d->viewed.thread = gettid();
  d->viewed.next = top.domains;
  top.domains = d;
  atomic_compare_exchange_strong(&top.opener, &none, d);
  if (!top.begun)
    begin();
  pthread_mutex_unlock(&top.lock);
}

// A handler that still knows d has to be over before the memory of d is used again.
void fm__top_domain_end(fm__runtime *d) {
  fm__pthread_lock(&top.lock);
  fm__runtime **at = &top.domains;
  while (*at && *at != d)
    at = &(*at)->viewed.next;
  if (*at)
    *at = d->viewed.next;
  fm__runtime *ended = d;
  bool was = atomic_compare_exchange_strong(&top.opener, &ended, top.domains);
  pthread_mutex_unlock(&top.lock);
  while (was && atomic_load(&top.handlers))
    sched_yield();
  fm__counts_free(d);
}

void fm__top_driver(fm__runtime *d) {
  if (!fm__needs_waker(d))
    return;
  fm__pthread_lock(&top.lock);
  d->viewed.by_waker = true;
  if (atomic_load(&top.open))
    fm__waker_start();
  pthread_mutex_unlock(&top.lock);
}

bool fm__top_holds(fm__runtime *d) {
  if (!d->stopped)
    d->viewed.paused = false;
  return d->viewed.paused && atomic_load(&top.open);
}

// ---- what the server asks ----
// The domain may be changing both meanwhile. An aligned word is read as a whole, and nodes remain
// nodes: whichever value it is, it is a number that an activity has or had.
#if defined __clang__ || __GNUC__ >= 8
__attribute__((noinline, no_sanitize("thread")))
#endif
static uint64_t
running_in(fm__runtime *d) {
  const volatile fm_node *a = *(fm_node *volatile *)&d->current;
  return a && a != &d->host ? a->word >> FM__FLAGS : 0;
}

static void look_at(fm__runtime *d, fm__top_outside *to) {
  *to = (fm__top_outside){ .domain = d->life,
                           .thread = d->viewed.thread,
                           .sleeping = atomic_load(&d->sleeping),
                           .running = running_in(d) };
}

size_t fm__top_domains(fm__top_outside *to, size_t n) {
  size_t count = 0;
  pthread_mutex_lock(&top.lock);
  for (fm__runtime *d = top.domains; d; d = d->viewed.next)
    count++;
  size_t at = count;
  for (fm__runtime *d = top.domains; d; d = d->viewed.next)
    if (--at < n)
      look_at(d, &to[at]);
  pthread_mutex_unlock(&top.lock);
  return count < n ? count : n;
}

void fm__top_grant(bool on) {
  pthread_mutex_lock(&top.lock);
  for (fm__runtime *d = top.domains; d; d = d->viewed.next)
    if (on)
      fm__counts_grant(d);
    else
      atomic_fetch_and(&d->attention, ~(unsigned)FM__COUNT);
  pthread_mutex_unlock(&top.lock);
}

bool fm__top_with(uint64_t domain, bool (*fn)(fm__runtime *, void *), void *x) {
  pthread_mutex_lock(&top.lock);
  fm__runtime *d = top.domains;
  while (d && d->life != domain)
    d = d->viewed.next;
  bool ok = d && fn(d, x);
  pthread_mutex_unlock(&top.lock);
  return ok;
}
