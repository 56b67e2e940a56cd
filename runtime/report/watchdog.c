// watchdog.c: a thread that watches the others, if the environment asks for it:
//
//     FERMATA_SLOW=MS   a turn that has lasted for so long is reported, once, with its place
//     FERMATA_DUMP=1    a dump that SIGUSR1 has asked for is made although no activity pauses
//
// The loop counts turns in runtime.turn while FM__SLOW is set; 0: no turn. The watchdog looks at
// the number now and then. To see where a thread stands it interrupts the thread by a signal: the
// handler notes the C stack and waits until the watchdog has printed its report. So nothing is
// printed in a handler, and nothing changes meanwhile. A thread that was interrupted inside the
// library is released, and interrupted again a little later: only then is the tree complete. The
// report is written into memory that was there before, and then to standard error: the interrupted
// thread may hold the locks of malloc and of stderr.
#define _GNU_SOURCE
#include "report/stack.h"
#include "core/forked.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
  IDLE,
  WANTED,
  HELD,
  GIVEN_UP
}; // `state`: the thread that is interrupted
enum { DUMP_AFTER = 100, TRIES = 200 }; // milliseconds; times

static struct {
  pthread_mutex_t lock; // of the list, and while a report is made
  fm__runtime *domains; // that are watched, linked by watch.next
  bool runs;
  unsigned slow; // the limit; 0: off
  sem_t wake;    // a dump is wanted
  _Atomic int state;
  sem_t held, released;
  fm__stack stack; // of the thread that is held
  FILE *to;
  char text[64 << 10];
} dog = { .lock = PTHREAD_MUTEX_INITIALIZER };

// ---- the interrupted thread ----
static int signal_number(void) {
  return SIGRTMAX - 2;
}

static uintptr_t pc_of(const ucontext_t *u) {
#if defined __x86_64__
  return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return u->uc_mcontext.pc;
#else
  (void)u;
  return 0;
#endif
}

// What lies above the interrupted function is the handler's.
static void drop_handler(fm__stack *s, uintptr_t pc) {
  for (size_t i = 0; pc && i < s->count; i++)
    if ((uintptr_t)s->at[i] == pc) {
      s->count -= i;
      memmove(s->at, s->at + i, s->count * sizeof *s->at);
      s->at[0] = (void *)(pc + 1); // as if it were a return address
      return;
    }
}

static void on_interrupt(int signo, siginfo_t *info, void *context) {
  int err = errno;
  int wanted = WANTED;
  (void)signo, (void)info;
  if (atomic_compare_exchange_strong(&dog.state, &wanted, HELD)) {
    fm__stack_take(&dog.stack);
    drop_handler(&dog.stack, pc_of(context));
    sem_post(&dog.held);
    while (sem_wait(&dog.released) != 0)
      continue;
  }
  errno = err;
}

// ---- the watchdog ----
static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

// false: the time has passed.
static bool wait_ms(sem_t *s, uint64_t ms) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)(ms / 1000);
  until.tv_nsec += (long)(ms % 1000) * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000L;
  }
  int failed;
  while ((failed = sem_timedwait(s, &until)) != 0 && errno == EINTR)
    continue;
  return !failed;
}

// false: the thread does not take signals now.
static bool hold(fm__runtime *d) {
  int wanted = WANTED;
  atomic_store(&dog.state, WANTED);
  if (pthread_kill(d->watch.thread, signal_number()) != 0) {
    atomic_store(&dog.state, IDLE);
    return false;
  }
  if (wait_ms(&dog.held, 1000))
    return true;
  if (atomic_compare_exchange_strong(&dog.state, &wanted, GIVEN_UP))
    return false;
  while (sem_wait(&dog.held) != 0) // it has come after all
    continue;
  return true;
}

static void release(void) {
  atomic_store(&dog.state, IDLE);
  sem_post(&dog.released);
}

// Held where the tree is complete.
static bool hold_outside(fm__runtime *d) {
  for (int i = 0; i < TRIES && hold(d); i++) {
    if (!fm__stack_in_library(&dog.stack))
      return true;
    release();
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
  return false;
}

static void write_out(void) {
  fflush(dog.to);
  long n = ftell(dog.to);
  for (long at = 0; at < n;) {
    ssize_t k = write(STDERR_FILENO, dog.text + at, (size_t)(n - at));
    if (k <= 0)
      break;
    at += k;
  }
  rewind(dog.to);
}

static void report_slow(fm__runtime *d, uint64_t ms) {
  bool held = hold_outside(d);
  fprintf(dog.to,
          "fermata: a turn has lasted for %llu ms without a pause\n",
          (unsigned long long)ms);
  if (held) {
    fm__report_running(dog.to, d, &dog.stack);
    release();
  } else {
    fputs("    its thread cannot be interrupted where it is\n", dog.to);
  }
  write_out();
}

static void make_dump(fm__runtime *d) {
  if (!hold_outside(d))
    return;
  if (atomic_fetch_and(&d->attention, ~(unsigned)FM__DUMP) & FM__DUMP) {
    fm__dump(d, dog.to);
    fputs("running, without a pause:\n", dog.to);
    fm__report_running(dog.to, d, &dog.stack);
  }
  release();
  write_out();
}

static void look_at_turn(fm__runtime *d, uint64_t now) {
  fm__watched *w = &d->watch;
  unsigned turn = atomic_load_explicit(&w->turn, memory_order_relaxed);
  if (!turn || turn != w->seen) {
    w->seen = turn;
    w->since = now;
  } else if (dog.slow && w->reported != turn && now - w->since >= dog.slow) {
    w->reported = turn;
    report_slow(d, now - w->since);
  }
}

// Returns whether it is to be looked at soon.
static bool look_at_dump(fm__runtime *d, uint64_t now) {
  fm__watched *w = &d->watch;
  if (!(atomic_load(&d->attention) & FM__DUMP)) {
    w->asked = 0;
    return false;
  }
  if (!w->asked)
    w->asked = now;
  if (now - w->asked >= DUMP_AFTER) {
    w->asked = 0;
    make_dump(d);
  }
  return true;
}

static bool look(void) {
  bool soon = false;
  uint64_t now = now_ms();
  pthread_mutex_lock(&dog.lock);
  for (fm__runtime *d = dog.domains; d; d = d->watch.next) {
    look_at_turn(d, now);
    soon |= look_at_dump(d, now);
  }
  pthread_mutex_unlock(&dog.lock);
  return soon;
}

static void *watch(void *arg) {
  bool soon = false;
  unsigned period = dog.slow / 4 ? dog.slow / 4 : 1;
  (void)arg;
  for (;;) {
    if (soon || dog.slow)
      wait_ms(&dog.wake, soon && (!dog.slow || period > 20) ? 20 : period);
    else
      while (sem_wait(&dog.wake) != 0)
        continue;
    soon = look();
  }
  return NULL;
}

// ---- turns ----
void fm__watchdog_turn(fm__runtime *d, bool begins) {
  fm__watched *w = &d->watch;
  if (begins && !++w->count)
    w->count = 1;
  atomic_store_explicit(&w->turn, begins ? w->count : 0, memory_order_relaxed);
}

// ---- its beginning ----
// The first backtrace loads a library, and the first print takes memory: neither may happen later.
static bool prepare(void) {
  struct sigaction before;
  struct sigaction ours = { .sa_sigaction = on_interrupt,
                            .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
  dog.to = fmemopen(dog.text, sizeof dog.text, "w");
  if (!dog.to || sigaction(signal_number(), NULL, &before) != 0 ||
      before.sa_handler != SIG_DFL)
    return false;
  sem_init(&dog.wake, 0, 0);
  sem_init(&dog.held, 0, 0);
  sem_init(&dog.released, 0, 0);
  fm__stack_take(&dog.stack);
  fputc(' ', dog.to);
  fflush(dog.to);
  rewind(dog.to);
  return sigaction(signal_number(), &ours, NULL) == 0;
}

static bool start_thread(void) {
  pthread_t thread;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&thread, NULL, watch, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (ok)
    pthread_detach(thread);
  return ok;
}

static unsigned read_slow(void) {
  const char *value = fm__setting("FERMATA_SLOW");
  char *end;
  if (!value)
    return 0;
  errno = 0;
  unsigned long ms = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || errno || !ms || ms > 1000000000)
    fm__bad_setting("FERMATA_SLOW", value, "milliseconds");
  return (unsigned)ms;
}

void fm__watchdog_begin(fm__runtime *d, bool dumped) {
  unsigned slow = read_slow();
  if (!slow && !dumped)
    return;
  fm__pthread_lock(&dog.lock);
  if (!dog.runs) {
    dog.slow = slow;
    dog.runs = prepare() && start_thread();
    if (!dog.runs)
      fprintf(stderr,
              "fermata: signal %d is in use, or there is no memory: nothing "
              "watches for long turns\n",
              signal_number());
  }
  if (dog.runs) {
    d->watch = (fm__watched){ .thread = pthread_self(),
                              .next = dog.domains,
                              .watched = true };
    dog.domains = d;
    if (slow)
      atomic_fetch_or(&d->attention, FM__SLOW);
  }
  pthread_mutex_unlock(&dog.lock);
}

void fm__watchdog_end(fm__runtime *d) {
  if (!d->watch.watched || d->forks != fm__forks)
    return;
  pthread_mutex_lock(&dog.lock);
  fm__runtime **at = &dog.domains;
  while (*at != d)
    at = &(*at)->watch.next;
  *at = d->watch.next;
  pthread_mutex_unlock(&dog.lock);
  d->watch.watched = false;
}

void fm__watchdog_wake(void) {
  if (dog.runs)
    sem_post(&dog.wake);
}
