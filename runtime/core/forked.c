// forked.c: children of fork. Such a process has one thread, but its memory holds what the other
// threads of its parent were about to do: domains without a thread, locks that stay closed,
// descriptors that both processes use. A wait for these would never end, so the child gets a
// message and exits. A thread that the child itself makes has a domain of its own, and may wait.
//
// Each domain knows in which process it was made. All waits of activities pass fm__idle, which
// checks it. Waits of threads for each other pass fm__pthread_lock and fm__spin.
#include "core/forked.h"
#include "fm.h"
#include "domains/work.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

unsigned fm__forks;

static void in_child(void) {
  fm__forks++;
  fm__crews_forget();
}

static void begin(void) {
  pthread_atfork(NULL, NULL, in_child);
}

void fm__count_forks(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin);
}

void fm__child_waits(void) {
  fputs("fermata: a child of fork waits in async code, in a domain of its "
        "parent: call exec, or plain functions\n",
        stderr);
  fflush(stderr);
  _exit(1);
}

void fm__check_ours(const fm__runtime *d) {
  if (fm__unlikely(d && d->forks != fm__forks))
    fm__child_waits();
}

// The library holds each of its locks for a few instructions only.
static FM_COLD void lock_in_child(pthread_mutex_t *m) {
  enum { PATIENCE = 1000 }; // milliseconds
  for (int tries = 0; pthread_mutex_trylock(m); tries++) {
    if (tries == PATIENCE)
      fm__child_waits();
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
  }
}

void fm__pthread_lock(pthread_mutex_t *m) {
  if (fm__unlikely(fm__forks))
    lock_in_child(m);
  else
    pthread_mutex_lock(m);
}

void fm__spin(const fm__runtime *d) {
  fm__check_ours(d);
  sched_yield();
}
