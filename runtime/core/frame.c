// frame.c: the memory of frames. Frames are carved from chunks that live as long as their domain,
// and go back to free lists: one list for each size (multiples of 16 bytes, up to 1 KB). Larger
// frames are allocated one by one; a few free ones are kept, because a program that makes one will
// soon make another. Domains share nothing here.
//
// A frame with an over-aligned variable has a size that is a multiple of that alignment. So each
// frame is aligned to the largest power of two that divides its size, up to a line of the cache.
//
// Under ASan free frames are poisoned: a use after free is reported although the memory is ours.
#include "fm.h"

typedef struct fm__chunk {
  struct fm__chunk *next;
  // bytes, this head included; the head has 16, so that frames are aligned
  size_t size;
} fm__chunk;

enum { LINE = 64 }; // the largest alignment of a frame
enum { FIRST_CHUNK = 4 << 10, LARGEST_CHUNK = 1 << 20 };

// So much more memory has been taken for frames.
static void note_growth(fm__runtime *d, size_t bytes) {
  d->frame_bytes += bytes;
  if (d->frame_bytes > d->depth_check)
    fm__depth_check(d);
}

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

static size_t gap_before(const char *p, size_t align) {
  return -(uintptr_t)p & (align - 1);
}

// NULL: out of memory. The rest of a chunk that is too small is lost.
static void *arena_take(fm__arena *a, size_t n, size_t align) {
  size_t gap = gap_before(a->at, align);
  if (fm__unlikely((size_t)(a->end - a->at) < gap + n)) {
    if (!arena_grow(a))
      return NULL;
    gap = gap_before(a->at, align);
  }
  void *p = a->at + gap;
  a->at += gap + n;
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

static size_t alignment_of(size_t size) {
  size |= LINE;
  return size & -size;
}

// ---- large frames ----
// The head of a large frame's memory. It stands at the beginning of the block, so that tools that
// look for leaks find the block; the word before the frame points back to it. next: the next free
// one of its size
typedef struct fm__large {
  struct fm__large *next;
  fm_frame *frame;
  size_t which;
  size_t room;
} Large;

enum { SMALLEST = 10, QUARTERS = 4 }; // the smallest has more than 2^10 bytes

static Large *large_of(fm_frame *f) {
  return ((Large **)(void *)f)[-1];
}

// Four sizes between two powers of two. Frames of the size FM__LARGE and above are not kept.
static void size_of_large(Large *l, size_t size) {
  size_t power = (size_t)(63 - __builtin_clzll(size - 1));
  size_t step = ((size_t)1 << power) / QUARTERS;
  size_t n = (size - 1) / step + 1;
  l->which = (power - SMALLEST) * QUARTERS + n - QUARTERS - 1;
  l->room = l->which < FM__LARGE ? n * step : size;
}

static fm_frame *large_kept(fm__runtime *d, const Large *want) {
  Large **kept = &d->large[want->which];
  Large *l = *kept;
  if (!l)
    return NULL;
  *kept = l->next;
  d->large_kept -= l->room;
  fm__unpoison(l->frame, l->room);
  return l->frame;
}

static fm_frame *large_new(fm__runtime *d, size_t size) {
  Large want = { 0 };
  Large *l;
  size_of_large(&want, size);
  fm_frame *f = want.which < FM__LARGE ? large_kept(d, &want) : NULL;
  if (f || !(l = fm__alloc(want.room + 2 * LINE)))
    return f;
  *l = want;
  l->frame = (fm_frame *)(void *)((char *)l + 2 * LINE - (uintptr_t)l % LINE);
  ((Large **)(void *)l->frame)[-1] = l;
  return l->frame;
}

static void large_free(fm__runtime *d, fm_frame *f) {
  enum { MOST = 256 << 10 }; // bytes that are kept at most
  Large *l = large_of(f);
  if (l->which >= FM__LARGE || d->large_kept + l->room > MOST) {
    fm__free(l);
    return;
  }
  l->next = d->large[l->which];
  d->large[l->which] = l;
  d->large_kept += l->room;
  fm__poison(l->frame, l->room);
}

static void large_drop(fm__runtime *d) {
  for (size_t i = 0; i < FM__LARGE; i++)
    while (d->large[i]) {
      Large *l = d->large[i];
      d->large[i] = l->next;
      fm__unpoison(l->frame, l->room);
      fm__free(l);
    }
  d->large_kept = 0;
}

// ---- frames: abi.h has fm__frame_new and fm__frame_free; their rare cases are here ----
// Where there are many frames, some more of that size become free, in the order of their addresses.
static void carve_ahead(fm__runtime *d, size_t k) {
  enum { MANY = 64 << 10, AHEAD = 16 };
  fm__arena *a = &d->frames;
  size_t size = k * FM_GRAIN;
  size_t room = (size_t)(a->end - a->at) / size;
  fm_frame *next = NULL;
  if (a->next < MANY || room <= AHEAD + LINE / FM_GRAIN)
    return;
  char *from = arena_take(a, AHEAD * size, alignment_of(size));
  for (size_t i = AHEAD; i-- > 0;) {
    fm_frame *f = (fm_frame *)(void *)(from + i * size);
    f->parent = next;
    fm__poison(f, size);
    next = f;
  }
  d->c.free[k] = next;
  d->made += AHEAD;
}

fm_frame *fm__frame_more(fm_domain *c, const fm_code *code) {
  fm__runtime *d = fm__runtime_of(c);
  size_t k = fm__frame_class(code);
  const fm__chunk *chunks = d->frames.chunks;
  fm_frame *f =
      k < FM_CLASSES
          ? arena_take(&d->frames, k * FM_GRAIN, alignment_of(k * FM_GRAIN))
          : large_new(d, code->size);
  if (!f)
    fm__out_of_memory("frame of ", code->name, code->size);
  if (k < FM_CLASSES) {
    d->made++;
    if (fm__unlikely(d->frames.chunks != chunks))
      note_growth(d, d->frames.chunks->size);
    carve_ahead(d, k);
  } else {
    d->big++;
    note_growth(d, code->size);
  }
  return f;
}

void fm__frame_free_large(fm_domain *c, fm_frame *f) {
  fm__runtime_of(c)->big--;
  fm__runtime_of(c)->frame_bytes -= f->code->size;
  large_free(fm__runtime_of(c), f);
}

void fm__hand_over_later(fm__runtime *d, fm_frame *f) {
  fm__free_done(&d->c);
  d->c.done = f;
}

size_t fm__frames_live(fm__runtime *d) {
  size_t idle = 0;
  for (size_t k = 0; k < FM_CLASSES; k++)
    for (fm_frame *f = d->c.free[k], *next; f; f = next, idle++) {
      fm__unpoison(f, k * FM_GRAIN);
      next = f->parent;
      fm__poison(f, k * FM_GRAIN);
    }
  return d->made - idle + d->big;
}

void fm__frames_free(fm__runtime *d) {
  fm__free_done(&d->c);
  large_drop(d);
  arena_free(&d->frames);
}
