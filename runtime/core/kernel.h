// kernel.h: system calls of the hot paths. The C library's recv, send and epoll_wait are
// cancellation points: in a program with threads, and the ticker is one, that costs more than the
// rest of the way into the kernel.
#ifndef KERNEL_H
#define KERNEL_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __EMSCRIPTEN__
// There is no kernel: these errors make callers take other ways.
enum { SYS_of_sockets, SYS_preadv2, SYS_pwritev2, SYS_openat2 };
enum { RESOLVE_CACHED = 0x20, TMPFS_MAGIC = 0x01021994, RAMFS_MAGIC = 1 };
struct open_how {
  uint64_t flags, mode, resolve;
};
static inline long
fm__kernel(long number, long a, long b, long c, long d, long e, long f) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
  errno = number == SYS_of_sockets ? ENOTSOCK : EOPNOTSUPP;
  return -1;
}
#else
#  include <linux/magic.h>
#  include <linux/openat2.h>
// Sanitizers know the functions of the C library, and what these write.
#  if !defined FM_ASAN && !defined FM_TSAN && !defined FM_MSAN
#    define FM__CALLS_KERNEL
#  endif
static inline long
fm__kernel(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}
#endif

#endif
