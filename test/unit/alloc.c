// The allocator hook: everything goes through it, the context is passed on, and any single allocation can be made to fail.
#include "fm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Heap {
  int live, calls, fail_at;                       // fail_at: the number of the call that fails; 0: none
} Heap;

static void *counting(void *ctx, void *p, size_t n) {
  Heap *heap = ctx;
  if (n == 0) {
    heap->live--;
    free(p);
    return NULL;
  }
  if (++heap->calls == heap->fail_at)
    return NULL;
  heap->live += p == NULL;
  return realloc(p, n);
}

static void hook_sees_everything(void) {
  Heap heap = { 0 };
  fm_set_allocator(counting, &heap);
  char *p = fm__alloc(3);
  memcpy(p, "ab", 3);
  p = fm__realloc(p, 1000);
  assert(strcmp(p, "ab") == 0);
  assert(heap.live == 1 && heap.calls == 2);
  fm__free(p);
  fm__free(NULL);
  assert(heap.live == 0 && heap.calls == 2);
}

static void any_allocation_can_fail(void) {
  Heap heap = { .fail_at = 2 };
  fm_set_allocator(counting, &heap);
  char *p = fm__alloc(8);
  assert(p);
  assert(fm__realloc(p, 16) == NULL);             // p is as it was
  memset(p, 0, 8);
  char *q = fm__alloc(8);                         // only the second call fails
  assert(q && heap.live == 2);
  fm__free(p);
  fm__free(q);
}

static void null_brings_malloc_back(void) {
  Heap heap = { .fail_at = 1 };
  fm_set_allocator(counting, &heap);
  assert(fm__alloc(1) == NULL);
  fm_set_allocator(NULL, &heap);
  void *p = fm__alloc(1);
  assert(p && heap.calls == 1);
  fm__free(p);
}

int main(void) {
  hook_sees_everything();
  any_allocation_can_fail();
  null_brings_malloc_back();
  return 0;
}
