// domain.c: the domain of a thread. The thread makes it when it first needs one, and it is freed
// when the thread ends; the main thread's domain lives as long as the process. A new domain
// measures its stack and reads the environment (environment.c):
//
//     FERMATA_SCHED=fifo|random:SEED   the order in which ready activities run
//     FERMATA_TICK=off|MS|always       milliseconds of a slice (10); always, for tests: every
//                                      automatic yield switches
//     FERMATA_DRIVER=uv|virtual        where events come from, see idle.c
//     FERMATA_DUMP=1                   SIGUSR1 prints the tree of activities, see watchdog.c
//     FERMATA_SLOW=MS                  reports turns that last longer, see watchdog.c
//     FERMATA_DEPTH=N|off              how deep a recursion may be, see depth.c
//     FERMATA_TRACE=FILE               writes a trace, see trace-file.c
//     FERMATA_EXPLORE=FILE             for `fermata explore`, see explore.c
//     FERMATA_TOP=1|0                  opens the socket for `fermata top`; never, see top/open.c
#define _GNU_SOURCE
#include "fm.h"
#include "core/forked.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Thread_local fm__runtime *here;
// An ELF note: another copy of the runtime, in a shared library, finds this copy by it. See once.c.
static const struct {
  uint32_t name_size;
  uint32_t size;
  uint32_t type;
  char name[8];
} note __attribute__((used, aligned(4), section(".note.fermata"))) = {
  8, 0, 1, FM__NOTE
};

// The domain that SIGUSR1 dumps, which is the first one; NULL: the signal is not ours.
static fm__runtime *dumped;

// ---- the environment ----
static bool read_number(const char *text, uint64_t *n) {
  char *end;
  if (*text < '0' || *text > '9')
    return false;
  errno = 0;
  *n = strtoull(text, &end, 10);
  return *end == '\0' && errno == 0;
}

static void read_sched(fm__runtime *d) {
  const char *value = fm__setting("FERMATA_SCHED");
  uint64_t seed;
  if (!value || strcmp(value, "fifo") == 0)
    return;
  if (strncmp(value, "random:", 7) != 0 || !read_number(value + 7, &seed))
    fm__bad_setting("FERMATA_SCHED", value, "fifo or random:SEED");
  d->random = seed * 2862933555777941757u + 3037000493u;
  d->attention = FM__RANDOM;
}

static void read_tick(fm__runtime *d) {
  const char *value = fm__setting("FERMATA_TICK");
  uint64_t ms = 10;
  d->rest = d->limit;
  if (value && strcmp(value, "always") == 0) {
    d->rest = FM_STOP;
    ms = 0;
  } else if (value && strcmp(value, "off") == 0)
    ms = 0;
  else if (value && (!read_number(value, &ms) || ms == 0 || ms > 1000000))
    fm__bad_setting("FERMATA_TICK", value, "off, always or milliseconds");
  d->tick = (unsigned)ms;
  d->asleep = ms != 0;
}

// The driver itself is made when it is needed.
static void read_driver(void) {
  const char *value = fm__setting("FERMATA_DRIVER");
  if (value && strcmp(value, "uv") != 0 && strcmp(value, "virtual") != 0)
    fm__bad_setting("FERMATA_DRIVER", value, "uv or virtual");
}

static void on_sigusr1(int signo) {
  (void)signo;
  dumped->attention |= FM__DUMP;
  fm__end_slice(dumped);
  if (dumped->sleeping)
    dumped->driver->wake(dumped->driver->ctx);
  fm__watchdog_wake();
}

static void read_dump(fm__runtime *d) {
  const char *value = fm__setting("FERMATA_DUMP");
  struct sigaction action = { .sa_handler = on_sigusr1,
                              .sa_flags = SA_RESTART };
  if (dumped || !value || strcmp(value, "1") != 0 || getpid() != gettid())
    return;
  dumped = d;
  sigaction(SIGUSR1, &action, NULL);
}

// ---- its memory ----
// A program may use a fm_domain * after the domain has ended, and other threads may be about to. So
// the memory remains a domain: it is kept for the next one. Meanwhile the only legal request is for
// a reference, which is refused.
static struct {
  pthread_mutex_t lock;
  fm__runtime *idle; // linked by next_stalled
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

static fm__runtime *take_kept(void) {
  fm__pthread_lock(&kept.lock);
  fm__runtime *d = kept.idle;
  if (d)
    kept.idle = d->next_stalled;
  pthread_mutex_unlock(&kept.lock);
  return d;
}

// All zero, with no references yet.
static fm__runtime *memory_new(void) {
  fm__runtime *d = take_kept();
  if (!d) {
    if (!(d = fm__alloc(sizeof *d)))
      fm__out_of_memory("domain", "", sizeof *d);
    atomic_init(&d->references, 0);
  }
  memset(d, 0, offsetof(fm__runtime, references));
  return d;
}

bool fm__runtime_hold(fm__runtime *d) {
  int n = atomic_load(&d->references);
  while (n && !atomic_compare_exchange_weak(&d->references, &n, n + 1))
    continue;
  return n;
}

void fm__runtime_unref(fm__runtime *d) {
  if (atomic_fetch_sub(&d->references, 1) != 1)
    return;
  fm__pthread_lock(&kept.lock);
  d->next_stalled = kept.idle;
  kept.idle = d;
  pthread_mutex_unlock(&kept.lock);
}

void fm__runtimes_forget(void) {
  for (fm__runtime *d; (d = take_kept());)
    fm__free(d);
  fm__nodes_forget();
}

// ---- its life ----
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ends(void *d) {
  here = NULL;
  fm__runtime_free(d);
}

static bool several_processors;

static void make_key(void) {
  cpu_set_t ours;
  several_processors =
      sched_getaffinity(0, sizeof ours, &ours) != 0 || CPU_COUNT(&ours) > 1;
  pthread_key_create(&at_thread_end, thread_ends);
}

bool fm__several_processors(void) {
  return several_processors;
}

static void begin_trace(fm__runtime *d) {
  if (FM__IS_LINKED(fm__trace_domain))
    fm__trace_domain(d);
  else if (fm__setting("FERMATA_TRACE"))
    fputs("fermata: FERMATA_TRACE: this program has no traces, because it "
          "calls no function of <fermata/trace.h> that makes one\n",
          stderr);
}

static fm__runtime *domain_new(void) {
  static _Atomic uint64_t lives;
  int err = errno;
  fm__runtime *d = memory_new();
  d->life = atomic_fetch_add(&lives, 1) + 1;
  d->set = &d->base;
  d->err = &errno;
  d->naps = 1;
  fm__count_forks();
  d->forks = fm__forks;
  fm__measure_stack(d);
  read_sched(d);
  read_tick(d);
  read_driver();
  fm__set_guard(d, d->rest);
  if (!FM__PAGE) {
    read_dump(d);
    pthread_once(&once, make_key);
    pthread_setspecific(at_thread_end, d);
  }
  atomic_store(&d->references, 1);
  fm__count_domain(1);
  fm__overflow_begin(d);
  fm__watchdog_begin(d, dumped == d);
  begin_trace(d);
  fm__explore_begin(d);
  fm__top_domain(d);
  errno = err;
  return d;
}

fm_domain *fm__here(void) {
  if (fm__unlikely(!here))
    here = domain_new();
  return &here->c;
}

fm__runtime *fm__runtime_here(void) {
  return here;
}

void fm__runtime_free(fm__runtime *d) {
  fm__watchdog_end(d);
  fm__tick_free(d);
  fm__drop_all(d);
  d->closing = true;
  fm__nodes_disown(d);
  fm__asks_end(d);
  fm__inbox_close(d);
  fm__top_domain_end(d);
  fm__desks_end(d);
  fm__requests_drop(d);
  fm__error_unwanted(d,
                     NULL,
                     fm__drop_kept(d, &d->host),
                     "which nobody has awaited");
  fm__alarms_free(d);
  fm__slots_free(d);
  fm__driver_free(d);
  fm__cancel_origins_free(d);
  fm__buffers_free(d);
  fm__frames_free(d);
  fm__nodes_free(d);
  fm__extras_free(d);
  if (FM__IS_LINKED(fm__trace_domain_end))
    fm__trace_domain_end(d);
  fm__explore_end(d);
  fm__overflow_end(d);
  while (d->sets) {
    fm__set *s = d->sets;
    d->sets = s->below;
    fm__free(s);
  }
  if (dumped == d) {
    signal(SIGUSR1, SIG_IGN);
    dumped = NULL;
  }
  if (here == d) {
    here = NULL;
    pthread_setspecific(at_thread_end, NULL);
  }
  atomic_store(&d->ended, true);
  fm__count_domain(-1);
  fm__runtime_unref(d);
}

fm_domain *fm_domain_here(void) {
  fm__runtime *d = fm__runtime_of(fm__here());
  d->known = true;
  return &d->c;
}
