// fail.c: a library for LD_PRELOAD that lets one allocation of a process fail. Its children are left alone.
//   FAIL_AT=N         the N-th call of malloc, calloc, realloc and the like gives NULL; 0 or nothing: none does
//   FAIL_COUNT=FILE   the number of calls is kept in FILE, as a long, also if the process ends by exec or _exit
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long own_count, *count = &own_count;
static long at;

// Calls before this, of the loader, are not counted.
__attribute__((constructor)) static void begin(void) {
  const char *n = getenv("FAIL_AT"), *file = getenv("FAIL_COUNT");
  unsetenv("LD_PRELOAD");
  unsetenv("FAIL_COUNT");
  if (file) {
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    void *p = ftruncate(fd, sizeof *count) == 0 ? mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (p == MAP_FAILED) abort();
    close(fd);
    count = p;
  }
  at = n ? atol(n) : 0;
  atomic_store(count, 0);
}

static int fails(void) {
  if (atomic_fetch_add(count, 1) + 1 != at) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t a, size_t b) { return fails() ? NULL : __libc_calloc(a, b); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
void *aligned_alloc(size_t align, size_t n) { return fails() ? NULL : __libc_memalign(align, n); }

int posix_memalign(void **p, size_t align, size_t n) {
  void *new = fails() ? NULL : __libc_memalign(align, n);
  if (!new) return ENOMEM;
  *p = new;
  return 0;
}
