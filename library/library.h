// library.h: what the files of the library share: async functions and helpers that programs do not
// see.
#ifndef LIBRARY_H
#define LIBRARY_H

#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/stream.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include "../runtime/domains/work.h"

// Nothing should come between a system call that returns EAGAIN and the wait, and a loop that tries
// again needs no yield: the caller has them around each call.
#pragma fermata auto_yield off
#pragma fermata library

void fm__fail_os(int code) throws(struct os_error); // throws
// fd: what a system call returned: a new descriptor, or -1.
int fm__new_fd(int fd) throws(struct os_error);

// ---- runtime/wait/watch.c ----
// Waits until fd may be ready for FM_READABLE or FM_WRITABLE (or FM_TRIED). EBADF: it was closed
// meanwhile. A cancel that has come by then takes effect, so that nothing is received that the
// program would not get.
async void fm__wait_fd(int fd, unsigned events) throws(struct os_error);

// ---- io.c, for fm_read in runtime/wait/read.c ----
async ssize_t fm__read_on(int fd, void *buf, size_t n, int err)
    throws(struct os_error);

// ---- wait.c ----
bool fm__ready_now(int fd, unsigned events); // without waiting

// ---- io.c ----
// write(2), without SIGPIPE.
ssize_t fm__write_quietly(int fd, const void *buf, size_t n);

// ---- offload.c ----
// Returns fn's value, or minus an errno. Once it has begun, a cancel waits for it.
async intptr_t fm__offload(int crew, intptr_t (*fn)(void *), void *arg);
// Begins w, and returns its value, unless it is refused (work.h).
async intptr_t fm__work_wait(fm__work *w, int crew);

// ---- posix-poll.c ----
typedef struct fm__interrupt { // an activity that waits for a signal
  fm_completion(void) * k;
  struct fm__interrupt *next, **back; // in a list of this thread's domain
} fm__interrupt;
async void fm__until_signal(fm__interrupt *i); // any signal with a handler

#endif
