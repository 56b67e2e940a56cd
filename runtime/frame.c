// frame.c: the memory of frames and activities. Both are carved from chunks that live as long as their domain, and go
// back to free lists: one for each size of frame (multiples of 16 bytes, up to 1 KB), one for activities. Larger frames
// are allocated one by one. Nothing here is ever shared between domains.
//
// Under ASan what is not in use is poisoned, so that a use after free is seen although the memory is ours.
#include "fm.h"

typedef struct fm__chunk {
  struct fm__chunk *next;
  size_t size;                                    // bytes, this head included; 16 of them, so that frames are aligned
} fm__chunk;

enum { FIRST_CHUNK = 4 << 10, LARGEST_CHUNK = 1 << 20 };

static bool arena_grow(fm__arena *a) {
  size_t size = a->next ? a->next : FIRST_CHUNK;
  fm__chunk *chunk = fm__alloc(size);
  if (!chunk)
    return false;
  *chunk = (fm__chunk){ a->chunks, size };
  a->chunks = chunk;
  a->at = (char *)(chunk + 1);
  a->end = (char *)chunk + size;
  a->next = size < LARGEST_CHUNK ? size * 2 : size;
  fm__poison(a->at, size - sizeof *chunk);
  return true;
}

// NULL: out of memory. What is left of a chunk that is too small is lost.
static void *arena_take(fm__arena *a, size_t n) {
  if (fm__unlikely((size_t)(a->end - a->at) < n) && !arena_grow(a))
    return NULL;
  void *p = a->at;
  a->at += n;
  fm__unpoison(p, n);
  return p;
}

static void arena_free(fm__arena *a) {
  while (a->chunks) {
    fm__chunk *chunk = a->chunks;
    a->chunks = chunk->next;
    fm__unpoison(chunk, chunk->size);
    fm__free(chunk);
  }
  *a = (fm__arena){ 0 };
}

// ---- frames: fm__frame_new and fm__frame_free are in abi.h; here is what they seldom need ----
fm_frame *fm__frame_more(fm_domain *c, const fm_code *code) {
  fm__domain *d = fm__of(c);
  size_t k = fm__frame_class(code);
  fm_frame *f = k < FM_CLASSES ? arena_take(&d->frames, k * FM_GRAIN) : fm__alloc(code->size);
  if (!f)
    fm__out_of_memory("frame of ", code->name, code->size);
  if (k < FM_CLASSES)
    d->made++;
  else
    d->big++;
  return f;
}

void fm__frame_free_large(fm_domain *c, fm_frame *f) {
  fm__of(c)->big--;
  fm__free(f);
}

size_t fm__frames_live(fm__domain *d) {
  size_t idle = 0;
  for (size_t k = 0; k < FM_CLASSES; k++)
    for (fm_frame *f = d->c.free[k], *next; f; f = next, idle++) {
      fm__unpoison(f, k * FM_GRAIN);
      next = f->parent;
      fm__poison(f, k * FM_GRAIN);
    }
  return d->made - idle + d->big;
}

// ---- activities ----
fm_node *fm__node_more(fm__domain *d) {
  fm_node *a = arena_take(&d->nodes, sizeof *a);
  if (!a)
    fm__out_of_memory("activity", "", sizeof *a);
  *a = (fm_node){ .set = &d->base };
  return a;
}

void fm__pools_free(fm__domain *d) {
  arena_free(&d->frames);
  arena_free(&d->nodes);
}
