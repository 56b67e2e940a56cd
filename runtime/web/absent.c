// absent.c: what a page has not, as the rest of the runtime knows it: child processes and second
// threads, handlers of signals, symbols of the program, `fermata explore`, `fermata top`. These
// functions take the place of core/forked.c, report/overflow.c, watchdog.c, symbols.c, lines.c,
// stack.c, explore/explore.c and top/; and of functions of the C library that emscripten has not.
#define _GNU_SOURCE
#include "web/web.h"
#include "core/forked.h"
#include "report/stack.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

// ---- processes and threads: there is one of each ----
unsigned fm__forks;

void fm__count_forks(void) {
}

void fm__check_ours(const fm__runtime *d) {
  (void)d;
}

void fm__child_waits(void) {
  abort();
}

void fm__pthread_lock(pthread_mutex_t *m) {
  pthread_mutex_lock(m);
}

void fm__spin(const fm__runtime *d) {
  (void)d;
}

// ---- signals: the engine itself reports a stack that is exhausted ----
void fm__overflow_begin(fm__runtime *d) {
  (void)d;
}

void fm__overflow_end(fm__runtime *d) {
  (void)d;
}

void *fm__overflow_thread_begin(void) {
  return NULL;
}

void fm__overflow_thread_end(void *stack) {
  (void)stack;
}

// FERMATA_SLOW and FERMATA_DUMP need a thread that watches, and a signal.
void fm__watchdog_begin(fm__runtime *d, bool dumped) {
  (void)d;
  (void)dumped;
}

void fm__watchdog_end(fm__runtime *d) {
  (void)d;
}

void fm__watchdog_wake(void) {
}

void fm__watchdog_turn(fm__runtime *d, bool begins) {
  (void)d;
  (void)begins;
}

// ---- symbols: the page's tools have them ----
fm__symbols *fm__symbols_take(void) {
  return NULL;
}

void fm__symbols_release(void) {
}

bool fm__function_at(fm__symbols *all, uintptr_t address, fm__function *f) {
  (void)all;
  (void)address;
  (void)f;
  return false;
}

bool fm__line_at(fm__symbols *all, uintptr_t address, fm__source_line *l) {
  (void)all;
  (void)address;
  (void)l;
  return false;
}

bool fm__line_is_generated(const fm__source_line *l) {
  (void)l;
  return false;
}

const char *fm__object_at(fm__symbols *all,
                          uintptr_t address,
                          size_t *offset,
                          size_t *size) {
  (void)all;
  (void)address;
  (void)offset;
  (void)size;
  return NULL;
}

void fm__stack_take(fm__stack *s) {
  s->count = 0;
}

bool fm__stack_print(FILE *to, fm__stack *s) {
  (void)to;
  (void)s;
  return false;
}

// ---- explore ----
void fm__explore_begin(fm__runtime *d) {
  (void)d;
}

void fm__explore_end(fm__runtime *d) {
  (void)d;
}

fm_node *fm__explore_choose(fm__runtime *d, fm__set *s) {
  (void)d;
  return s->head;
}

// ---- top ----
void fm__top_domain(fm__runtime *d) {
  (void)d;
}

void fm__top_domain_end(fm__runtime *d) {
  (void)d;
}

void fm__top_driver(fm__runtime *d) {
  (void)d;
}

bool fm__top_holds(fm__runtime *d) {
  (void)d;
  return false;
}

uint64_t fm__counts_turn(fm__runtime *d, const fm_node *a) {
  (void)d;
  (void)a;
  return 0;
}

void fm__counts_over(fm__runtime *d,
                     const fm_node *a,
                     uint64_t number,
                     uint64_t before) {
  (void)d;
  (void)a;
  (void)number;
  (void)before;
}

void fm__counts_idle(fm__runtime *d) {
  (void)d;
}

// ---- the C library ----
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
  (void)pid;
  memset(set, 0, size);
  *(unsigned char *)set = 1;
  return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  (void)size;
  (void)set;
  return 1;
}

// Threads of work.c would wait for it; there are none.
int sem_timedwait(sem_t *s, const struct timespec *until) {
  (void)s;
  (void)until;
  errno = ETIMEDOUT;
  return -1;
}

// All memory of the program is one piece, from 0 to its size.
static size_t readable(const struct iovec *v) {
  enum { PAGE = 64 << 10 };
  uint64_t size = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  uint64_t at = (uintptr_t)v->iov_base;
  if (at >= size)
    return 0;
  return v->iov_len < size - at ? v->iov_len : (size_t)(size - at);
}

ssize_t process_vm_readv(pid_t pid,
                         const struct iovec *to,
                         unsigned long nto,
                         const struct iovec *from,
                         unsigned long nfrom,
                         unsigned long flags) {
  size_t done = 0;
  (void)pid;
  (void)flags;
  for (unsigned long i = 0; nto == 1 && i < nfrom; i++) {
    size_t room = to->iov_len - done;
    size_t n = readable(&from[i]);
    n = n < room ? n : room;
    memcpy((char *)to->iov_base + done, from[i].iov_base, n);
    done += n;
  }
  return (ssize_t)done;
}
