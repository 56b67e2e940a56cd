// kernel.h: system calls of the hot paths. The C library's recv, send and epoll_wait are
// cancellation points: in a program with threads, and the ticker is one, that costs more than the
// rest of the way into the kernel.
#ifndef KERNEL_H
#define KERNEL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sanitizers know the functions of the C library, and what these write.
#if !defined FM_ASAN && !defined FM_TSAN && !defined FM_MSAN
#  define FM__CALLS_KERNEL
#endif

static inline long
fm__kernel(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}

#endif
