// library.h: functions that the files of the library share, and that programs do not see.
#ifndef LIBRARY_H
#define LIBRARY_H

#include <fermata.h>
#include <fermata/agent.h>
#include <fermata/group.h>
#include <fermata/io.h>
#include <fermata/pool.h>
#include <fermata/stream.h>
#include <fermata/sync.h>
#include <fermata/time.h>

#include "../runtime/core/platform.h"
#include "../runtime/domains/work.h"
#include "../runtime/wait/kind.h"

struct stat;

// Nothing should come between a system call that returns EAGAIN and the wait, and a loop that tries
// again needs no yield: the caller has them around each call.
#pragma fermata auto_yield off
#pragma fermata library

void fm__fail_os(int code) throws(struct os_error); // throws
// fd: the result of a system call: a new descriptor, or -1.
int fm__new_fd(int fd) throws(struct os_error);

// ---- runtime/core/alloc.c: NULL when there is no memory ----
void *fm__alloc(size_t n);
void *fm__realloc(void *p, size_t n);
void fm__free(void *p);
_Noreturn void
fm__out_of_memory(const char *what, const char *which, size_t size);

// ---- runtime/report/report.c ----
// The program has called the library wrongly: reports that, with the line of the call.
_Noreturn void fm__misuse(const char *message);
// The current activity waits for what `holder` holds. If an atomic around it holds that one back,
// nothing can end the wait: reports that.
void fm__check_not_held_back(fm_activity holder, const char *message);

// ---- runtime/structure/cancel.c ----
// Whether a cancel has come that the defers, finallys and shields around this code hold back.
bool fm__cancel_pends(void);

// ---- runtime/structure/race.c ----
// A transfer begins with it, before the first system call.
#define LEAVE_LOST_RACE()        \
  do                             \
    if (fm__is_late(fm__here())) \
      fm_checkpoint();           \
  while (0)

// ---- restart.c ----
// It has failed. Returns whether it may be started again, and counts that.
bool fm__restart(fm__restarts *r);
uint64_t fm__restart_next_delay(fm__restarts *r); // in milliseconds
async void fm__restart_delay(fm__restarts *r);
void fm__restart_report(fm__restarts *r,
                        const fm_error *e,
                        bool again,
                        const char *what);
void fm__restarts_free(fm__restarts *r);

// ---- runtime/core/monitor.c ----
// Waits for the end of an activity of this domain.
async void fm__end_here(fm_activity a, fm_outcome *to);
// With a reference, until fm__other_domain_left; NULL: it is of this domain, or has ended.
fm_domain *fm__other_domain_of(fm_activity a);
void fm__other_domain_left(fm_domain *c);

// ---- runtime/wait/watch.c ----
// Waits until fd may be ready for FM_READABLE or FM_WRITABLE (or FM_TRIED). EBADF: it was closed
// meanwhile. A cancel that has come by then takes effect, so that nothing is received that the
// program would not get.
async void fm__wait_fd(int fd, unsigned events) throws(struct os_error);

// ---- io.c, for fm_read in runtime/wait/read.c ----
async ssize_t fm__read_on(int fd, void *buf, size_t n, int err)
    throws(struct os_error);

// ---- net.c, for fm_recvfrom in runtime/wait/read.c ----
async ssize_t fm__recvfrom_on(int fd,
                              void *buf,
                              size_t n,
                              struct sockaddr *from,
                              socklen_t *length,
                              int err) throws(struct os_error);

// ---- io.c ----
enum { FM__AS_FERMATA = false, FM__AS_POSIX = true };
// From and to a descriptor that is not a socket. as_posix: O_NONBLOCK keeps its meaning, EAGAIN,
// and ENOTSOCK reports that it is a socket.
// done: bytes of it that have been read already.
async ssize_t
fm__read_other(int fd, void *buf, size_t n, size_t done, bool as_posix)
    throws(struct os_error);
async ssize_t fm__write_other(int fd, const void *buf, size_t n, bool as_posix)
    throws(struct os_error);

// ---- now.c ----
// As pwrite, but it never waits, and raises no SIGPIPE; see fm__read_now.
ssize_t fm__write_now(int fd, const void *buf, size_t n, off_t at);
// write(2), without SIGPIPE.
ssize_t fm__write_quietly(int fd, const void *buf, size_t n);

// ---- file.c ----
typedef struct fm__transfer {
  int fd;
  bool out;    // from the buffer; else to it
  bool placed; // at `at`; else at the file's own position
  bool known;  // where its file system keeps files, if it is a file
  void *buf;   // these four go on with what is done
  size_t n;
  off_t at;
  size_t done;
} fm__transfer;
static inline int fm__way_of(const fm__transfer *t) {
  return t->out ? FM__TO_WRITE : FM__TO_READ;
}
// Does what can be done without waiting. Returns 0: that was all; or an errno. EAGAIN: some is
// left; EOPNOTSUPP: the descriptor cannot be asked.
int fm__transfer_now(fm__transfer *t);
// Goes on with a file. s: the result of fstat; err: the result of fm__transfer_now, or 0.
async ssize_t fm__transfer_file(fm__transfer *t, const struct stat *s, int err)
    throws(struct os_error);

// ---- wait.c ----
bool fm__ready_now(int fd, unsigned events); // without waiting

// ---- offload.c ----
// Returns fn's value, or minus an errno. Once it has begun, a cancel waits for it.
async intptr_t fm__offload(int crew, intptr_t (*fn)(void *), void *arg);
// Begins w, and returns its value, unless it is refused (work.h).
async intptr_t fm__work_wait(fm__work *w, int crew);

// ---- process.c ----
// Waits until the process has ended, and leaves it to be reaped: nothing else gets its number.
async void fm__wait_ended(pid_t pid) throws(struct os_error);
// Its status, as waitpid has it, once it has ended.
int fm__reap(pid_t pid) throws(struct os_error);

// ---- posix-poll.c ----
typedef struct fm__interrupt { // an activity that waits for a signal
  fm_completion(void) * k;
  struct fm__interrupt *next, **back; // in a list of this thread's domain
} fm__interrupt;
async void fm__until_signal(fm__interrupt *i); // any signal with a handler

#endif
