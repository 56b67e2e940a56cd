// kernel.h: system calls of the hot paths, without a function of the C library around them. Its
// recv, send and epoll_wait are cancellation points: in a program with threads, and the ticker is
// one, that costs more than the rest of the way into the kernel. Its syscall(2) moves all registers
// and is found through a table.
#ifndef KERNEL_H
#define KERNEL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// Sanitizers know the functions of the C library, and what these write.
#if !defined FM_ASAN && !defined FM_TSAN && !defined FM_MSAN
#  define FM__CALLS_KERNEL
#endif

#if defined __x86_64__ && !defined __ILP32__
static inline __attribute__((always_inline)) long
fm__kernel(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile(
      "syscall"
      : "=a"(result)
      : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
      : "rcx", "r11", "memory");
  if (__builtin_expect(result < 0, 0)) {
    errno = (int)-result;
    return -1;
  }
  return result;
}
#else
static inline long
fm__kernel(long number, long a, long b, long c, long d, long e, long f) {
  return syscall(number, a, b, c, d, e, f);
}
#endif

#endif
