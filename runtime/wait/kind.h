// kind.h: how a descriptor is best tried without waiting: a guess for each number, one for reading
// and one for writing, shared by all domains of the process.
//
// A guess may be wrong: the number may belong to another descriptor by now, or two numbers may
// share a guess. So a guess only decides which system call is tried first, and each of these calls
// is one that cannot wait, whatever the descriptor is. Before anything is done that relies on the
// kind (a thread that reads a file), fstat(2) is asked. A wait for an event needs no such question,
// because the driver finds out by itself (drivers/epoll.c).
#ifndef KIND_H
#define KIND_H

#include "../core/kernel.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#ifdef FM_MSAN
#  include <sanitizer/msan_interface.h>
#endif

enum {
  FM__BY_SOCKET, // recv and send with MSG_DONTWAIT; also: nothing is known
  FM__BY_EVENTS, // RWF_NOWAIT, and then an event: pipes, some devices
  FM__BY_CACHE,  // RWF_NOWAIT, and then a thread: files
  FM__BY_ASKING, // RWF_NOWAIT was refused: fstat reports what to do
};

enum {
  FM__TO_READ = 0,
  FM__TO_WRITE = 2
}; // where the guess stands in its byte
enum { FM__KINDS = 1024, FM__KIND_MASK = 3 };

// More bytes of a file than that take longer than a thread needs to begin.
enum { FM__IN_PLACE = 256 * 1024 };

extern _Atomic uint8_t fm__kinds[FM__KINDS]; // by the number's last bits

// How many threads use the position of such a file. The kernel makes other calls that use it wait
// for them, whatever their flags are.
extern _Atomic uint16_t fm__moving[FM__KINDS];

static inline _Atomic uint16_t *fm__movers_of(int fd) {
  return &fm__moving[(unsigned)fd % FM__KINDS];
}

// Whether a file may be used in place.
static inline bool fm__goes_in_place(int fd, size_t n) {
  return n <= FM__IN_PLACE &&
         atomic_load_explicit(fm__movers_of(fd), memory_order_relaxed) == 0;
}

static inline unsigned fm__kind_of(int fd, int way) {
  return atomic_load_explicit(&fm__kinds[(unsigned)fd % FM__KINDS],
                              memory_order_relaxed) >>
             way &
         FM__KIND_MASK;
}

static inline void fm__set_kind(int fd, int way, unsigned kind) {
  _Atomic uint8_t *at = &fm__kinds[(unsigned)fd % FM__KINDS];
  unsigned now = atomic_load_explicit(at, memory_order_relaxed);
  now = (now & ~((unsigned)FM__KIND_MASK << way)) | kind << way;
  atomic_store_explicit(at, (uint8_t)now, memory_order_relaxed);
}

static inline void fm__forget_kind(int fd) {
  atomic_store_explicit(&fm__kinds[(unsigned)fd % FM__KINDS],
                        0,
                        memory_order_relaxed);
}

#ifndef RWF_NOWAIT
#  define RWF_NOWAIT 8
#endif

// ---- system calls of the hot paths ----
#if defined __EMSCRIPTEN__ // its descriptors are files
#  define fm__recvfrom(fd, buf, n, flags, from, length) \
    fm__kernel(SYS_of_sockets,                          \
               fd,                                      \
               (long)(buf),                             \
               (long)(n),                               \
               flags,                                   \
               (long)(from),                            \
               (long)(length))
#  define fm__sendto(fd, buf, n, flags, to, length) \
    fm__kernel(                                     \
        SYS_of_sockets, fd, (long)(buf), (long)(n), flags, (long)(to), length)
#elif !defined FM__CALLS_KERNEL || !defined SYS_recvfrom || !defined SYS_sendto
#  define fm__recvfrom recvfrom
#  define fm__sendto sendto
#else
static inline ssize_t fm__recvfrom(int fd,
                                   void *buf,
                                   size_t n,
                                   int flags,
                                   struct sockaddr *from,
                                   socklen_t *length) {
  return fm__kernel(
      SYS_recvfrom, fd, (long)buf, (long)n, flags, (long)from, (long)length);
}
static inline ssize_t fm__sendto(int fd,
                                 const void *buf,
                                 size_t n,
                                 int flags,
                                 const struct sockaddr *to,
                                 socklen_t length) {
  return fm__kernel(
      SYS_sendto, fd, (long)buf, (long)n, flags, (long)to, (long)length);
}
#endif

static inline ssize_t fm__recv(int fd, void *buf, size_t n) {
  return fm__recvfrom(fd, buf, n, MSG_DONTWAIT, NULL, NULL);
}
static inline ssize_t fm__send(int fd, const void *buf, size_t n) {
  return fm__sendto(fd, buf, n, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
}

// As pread, but it never waits: EAGAIN. at -1: at the file's position. EOPNOTSUPP: the descriptor
// cannot be asked.
static inline ssize_t fm__read_now(int fd, void *buf, size_t n, off_t at) {
  struct iovec v = { buf, n };
  long low = (long)at;
  long high = (long)((unsigned long long)at >> 32);
  ssize_t got = fm__kernel(SYS_preadv2, fd, (long)&v, 1, low, high, RWF_NOWAIT);
#ifdef FM_MSAN
  if (got > 0)
    __msan_unpoison(buf, (size_t)got);
#endif
  return got;
}

#endif
