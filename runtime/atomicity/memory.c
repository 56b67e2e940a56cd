// memory.c: malloc and its family. A new block is an object without a history. To free a block is
// to write all of it: an activity that still uses the block has missed a change. So freed blocks
// are kept for a while before they can be used again, and realloc always moves.
//
// These functions take the place of glibc's in the whole process.
#define _GNU_SOURCE
#include "atomicity/atomicity.h"

#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_memalign(size_t align, size_t n);
void *__libc_realloc(void *p, size_t n);
void __libc_free(void *p);

#define HERE ((uintptr_t)__builtin_return_address(0))

// ---- blocks ----
static fm__block_info *blocks; // open addressing; low 0: free
static size_t room;            // a power of two
static size_t used;

static size_t home_of(uintptr_t low) {
  return (low >> 4) * (size_t)0x9e3779b97f4a7c15u >> 32 & (room - 1);
}

static fm__block_info *find(uintptr_t low) {
  size_t i = home_of(low);
  while (blocks[i].low && blocks[i].low != low)
    i = (i + 1) & (room - 1);
  return &blocks[i];
}

static void grow(void) {
  fm__block_info *old = blocks;
  size_t n = room;
  room = n ? 2 * n : 4096;
  blocks = fm__ato_pages(room * sizeof *blocks);
  for (size_t i = 0; i < n; i++)
    if (old[i].low)
      *find(old[i].low) = old[i];
}

static void add(uintptr_t low, size_t size, uintptr_t pc) {
  if (2 * used >= room)
    grow();
  fm__block_info *b = find(low);
  used += !b->low;
  *b = (fm__block_info){ low, size, pc };
}

static void take_out(uintptr_t low) {
  if (!used || !find(low)->low)
    return;
  size_t gap = (size_t)(find(low) - blocks);
  used--;
  for (size_t i = (gap + 1) & (room - 1); blocks[i].low;
       i = (i + 1) & (room - 1)) {
    if (((i - home_of(blocks[i].low)) & (room - 1)) < ((i - gap) & (room - 1)))
      continue;
    blocks[gap] = blocks[i];
    gap = i;
  }
  blocks[gap] = (fm__block_info){ 0 };
}

bool fm__block_at(uintptr_t address, fm__block_info *b) {
  uintptr_t at = address & ~(uintptr_t)15;
  for (size_t i = 0; used && i < 4096; i++, at -= 16) {
    const fm__block_info *is = find(at);
    if (is->low) {
      *b = *is;
      return address - is->low < is->size;
    }
  }
  return false;
}

// ---- new blocks ----
static void *note_new(void *p, size_t n, uintptr_t pc) {
  fm__self *s = &fm__self_now;
  if (!p || s->busy)
    return p;
  s->busy = true;
  fm__ato_lock();
  fm__shadow_new((uintptr_t)p, n ? n : 1, false);
  add((uintptr_t)p, n, pc);
  fm__ato_unlock();
  s->busy = false;
  return p;
}

// ---- free ----
enum { KEPT = 512, MOST_KEPT = 4 << 20, LARGE = 64 << 10 };
static struct {
  void *block[KEPT];
  size_t size[KEPT];
  size_t first, count, bytes;
} kept;

static void give_back(void *p) {
  take_out((uintptr_t)p);
  __libc_free(p);
}

static void give_back_first(void) {
  give_back(kept.block[kept.first]);
  kept.bytes -= kept.size[kept.first];
  kept.first = (kept.first + 1) % KEPT;
  kept.count--;
}

static void keep(void *p, size_t n) {
  if (n > LARGE) {
    give_back(p);
    return;
  }
  while (kept.count == KEPT || (kept.count && kept.bytes + n > MOST_KEPT))
    give_back_first();
  size_t i = (kept.first + kept.count++) % KEPT;
  kept.block[i] = p;
  kept.size[i] = n;
  kept.bytes += n;
}

static size_t size_of(void *p) {
  const fm__block_info *b = used ? find((uintptr_t)p) : NULL;
  return b && b->low ? b->size : malloc_usable_size(p);
}

static void write_all(fm__self *s, uintptr_t low, size_t n, uintptr_t pc) {
  for (uintptr_t at = low; at < low + n; at += FM__GRANULE)
    fm__shadow_write(s, at, 0xff, pc, FM__FREED);
}

static void free_block(void *p, uintptr_t pc) {
  fm__self *s = &fm__self_now;
  int err = errno;
  if (!p)
    return;
  if (s->busy) {
    __libc_free(p);
    return;
  }
  size_t n = size_of(p);
  if (s->actor)
    write_all(s, (uintptr_t)p, n < LARGE ? n : LARGE, pc);
  s->busy = true;
  fm__ato_lock();
  keep(p, n);
  fm__ato_unlock();
  s->busy = false;
  errno = err;
}

// ---- the family ----
void *malloc(size_t n) {
  return note_new(__libc_malloc(n), n, HERE);
}

void free(void *p) {
  free_block(p, HERE);
}

void *calloc(size_t n, size_t size) {
  return note_new(__libc_calloc(n, size), n * size, HERE);
}

void *realloc(void *p, size_t n) {
  if (fm__self_now.busy)
    return __libc_realloc(p, n);
  if (!p)
    return note_new(__libc_malloc(n), n, HERE);
  if (!n) {
    free_block(p, HERE);
    return NULL;
  }
  void *to = note_new(__libc_malloc(n), n, HERE);
  if (!to)
    return NULL;
  size_t had = size_of(p);
  fm__self *s = &fm__self_now;
  s->busy = true; // memcpy may be ours
  memcpy(to, p, had < n ? had : n);
  s->busy = false;
  free_block(p, HERE);
  return to;
}

void *reallocarray(void *p, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(p, bytes);
}

void *memalign(size_t align, size_t n) {
  return note_new(__libc_memalign(align, n), n, HERE);
}

void *aligned_alloc(size_t align, size_t n) {
  return note_new(__libc_memalign(align, n), n, HERE);
}

int posix_memalign(void **to, size_t align, size_t n) {
  if (align % sizeof(void *) || align & (align - 1) || !align)
    return EINVAL;
  int err = errno;
  void *p = note_new(__libc_memalign(align, n), n, HERE);
  errno = err;
  if (!p)
    return ENOMEM;
  *to = p;
  return 0;
}

void *valloc(size_t n) {
  return note_new(__libc_memalign((size_t)sysconf(_SC_PAGESIZE), n), n, HERE);
}
