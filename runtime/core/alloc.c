// alloc.c: the one door to memory. The library allocates through the hook that fm_set_allocator
// sets, so that a program can use its own heap and a test can make any allocation fail.
#include "fm.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// The runtime keeps marks in the low bits of addresses. emscripten's malloc aligns to 8 only.
static void *realloc_aligned(void *p, size_t n) {
  enum { ALIGNED = 16 };
  void *q = aligned_alloc(ALIGNED, (n + ALIGNED - 1) / ALIGNED * ALIGNED);
  if (!q || !p)
    return q;
  size_t old = malloc_usable_size(p);
  memcpy(q, p, old < n ? old : n);
  free(p);
  return q;
}

static void *use_malloc(void *ctx, void *p, size_t n) {
  (void)ctx;
  if (n > 0)
    return FM__PAGE ? realloc_aligned(p, n) : realloc(p, n);
  free(p);
  return NULL;
}

static struct {
  void *(*realloc_fn)(void *ctx, void *p, size_t n); // never NULL
  void *ctx;                                         // the hook's own argument
} hook = { use_malloc, NULL };

void fm_set_allocator(void *(*realloc_fn)(void *ctx, void *p, size_t n),
                      void *ctx) {
  hook.realloc_fn = realloc_fn ? realloc_fn : use_malloc;
  hook.ctx = realloc_fn ? ctx : NULL;
}

void *fm__alloc(size_t n) {
  return hook.realloc_fn(hook.ctx, NULL, n);
}

void *fm__realloc(void *p, size_t n) {
  return hook.realloc_fn(hook.ctx, p, n);
}

void fm__free(void *p) {
  if (p)
    hook.realloc_fn(hook.ctx, p, 0);
}
