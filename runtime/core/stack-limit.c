// stack-limit.c: how much of the thread's C stack async functions may use. In a page it is
// web/fuel.c.
#define _GNU_SOURCE
#include "fm.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { RED_ZONE = 64 << 10, SURE_STACK = 64 << 20, UNKNOWN_STACK = 256 << 10 };
#ifdef __SANITIZE_THREAD__
enum { MOST_STACK = 1 << 20 }; // TSan crashes in calls that are 2^16 deep
#else
enum { MOST_STACK = SURE_STACK };
#endif

// The main thread's stack grows down to its resource limit. Below it the kernel keeps only some
// room free.
static size_t main_stack_size(size_t reported) {
  struct rlimit limit;
  size_t size = SURE_STACK;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < size)
    size = limit.rlim_cur;
  return reported < size ? reported : size;
}

void fm__measure_stack(fm__runtime *d) {
  uintptr_t high = (uintptr_t)__builtin_frame_address(0);
  size_t size = UNKNOWN_STACK;
  size_t red_zone = RED_ZONE;
  size_t bytes;
  pthread_attr_t attr;
  void *low;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    if (pthread_attr_getstack(&attr, &low, &bytes) == 0) {
      high = (uintptr_t)low + bytes;
      size = getpid() == gettid() ? main_stack_size(bytes) : bytes;
    }
    pthread_attr_destroy(&attr);
  }
  if (size > MOST_STACK)
    size = MOST_STACK;
  if (red_zone > size / 4)
    red_zone = size / 4;
  d->stack_high = high;
  d->limit = high - size + red_zone;
  d->margin = size / 4;
}
