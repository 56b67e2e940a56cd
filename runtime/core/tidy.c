// tidy.c: free lists of nodes and frames in the order of addresses. Activities end in another order
// than they were made in, so after some rounds a free list leads all over the memory, and each new
// activity is a miss of the cache, each time that it is touched. Now and then a spawn looks at the
// first links of the lists. If a list is in disorder, its first part is sorted: as many elements as
// are sorted, so many activities are made before the next look.
#include "fm.h"

#include <string.h>

enum {
  LOOKS = 256,      // links that are looked at
  NEAR = 256,       // bytes between two elements that follow each other
  MOST = 256 << 10, // elements that are sorted at a time: some 10 ms
  FEWEST = 4 << 10, // fewer fit into the cache anyhow
  DIGIT = 11,       // bits of a pass
  GRAIN = 4,        // addresses are multiples of 2^4 …
  // … and have as many bits, or the rest is the same
  ADDRESS = sizeof(void *) == 4 ? 32 : 48
};

typedef struct list {
  void **first;
  size_t link; // offset of an element's link
  size_t size; // of an element
  bool poisoned;
} list;

static void *next_of(const list *l, void *p) {
  if (l->poisoned)
    fm__unpoison(p, l->size);
  void *next = *(void **)(void *)((char *)p + l->link);
  if (l->poisoned)
    fm__poison(p, l->size);
  return next;
}

static void set_next(const list *l, void *p, void *next) {
  if (l->poisoned)
    fm__unpoison(p, l->size);
  *(void **)(void *)((char *)p + l->link) = next;
  if (l->poisoned)
    fm__poison(p, l->size);
}

static bool is_near(const char *p, const char *q) {
  return (p < q ? (size_t)(q - p) : (size_t)(p - q)) <= NEAR;
}

static bool in_disorder(const list *l) {
  int far = 0;
  void *p = *l->first;
  for (int i = 0; i < LOOKS; i++) {
    void *next = p ? next_of(l, p) : NULL;
    if (!next)
      return false;
    far += !is_near(p, next);
    p = next;
  }
  return far > LOOKS / 4;
}

// ---- sorting ----
// Too large for a stack that may be low.
typedef struct space {
  uint32_t starts[1 << DIGIT]; // where the elements with each digit go
  uintptr_t a[MOST];
  uintptr_t b[MOST];
} space;

typedef struct part {
  uintptr_t *at, *room; // `n` elements; as much memory again
  size_t n;
  void *rest; // the list after them
} part;

static void gather(const list *l, part *s) {
  void *p = *l->first;
  for (s->n = 0; p && s->n < MOST; p = next_of(l, p))
    s->at[s->n++] = (uintptr_t)p;
  s->rest = p;
}

// By the digit that begins at that bit. false: all have the same.
static bool pass(part *s, uint32_t *starts, unsigned bit) {
  uint32_t at = 0;
  uintptr_t mask = (1 << DIGIT) - 1;
  memset(starts, 0, sizeof(uint32_t) << DIGIT);
  for (size_t i = 0; i < s->n; i++)
    starts[s->at[i] >> bit & mask]++;
  if (starts[s->at[0] >> bit & mask] == s->n)
    return false;
  for (size_t i = 0; i <= mask; i++) {
    uint32_t n = starts[i];
    starts[i] = at;
    at += n;
  }
  for (size_t i = 0; i < s->n; i++)
    s->room[starts[s->at[i] >> bit & mask]++] = s->at[i];
  return true;
}

static void sort(part *s, uint32_t *starts) {
  for (unsigned bit = GRAIN; bit < ADDRESS; bit += DIGIT)
    if (pass(s, starts, bit)) {
      uintptr_t *sorted = s->room;
      s->room = s->at;
      s->at = sorted;
    }
}

static void relink(const list *l, const part *s) {
  void *next = s->rest;
  for (size_t i = s->n; i-- > 0; next = (void *)s->at[i])
    set_next(l, (void *)s->at[i], next);
  *l->first = next;
}

static size_t tidy(const list *l, space *memory) {
  part s = { .at = memory->a, .room = memory->b };
  gather(l, &s);
  if (s.n < FEWEST)
    return 0;
  sort(&s, memory->starts);
  relink(l, &s);
  return s.n;
}

// Without memory the list stays as it is. Returns how many elements were sorted.
static size_t tidy_if_needed(const list *l, space **memory) {
  if (!in_disorder(l))
    return 0;
  if (!*memory)
    *memory = fm__alloc(sizeof **memory);
  return *memory ? tidy(l, *memory) : 0;
}

void fm__tidy(fm__runtime *d) {
  space *memory = NULL;
  size_t most;
  if (d->serial < d->tidy_at)
    return;
  list nodes = {
    (void **)&d->idle, offsetof(fm_node, link), sizeof(fm_node), false
  };
  most = tidy_if_needed(&nodes, &memory);
  for (size_t k = 1; k < FM_CLASSES; k++) {
    list frames = {
      (void **)&d->c.free[k], offsetof(fm_frame, parent), k * FM_GRAIN, true
    };
    size_t n = d->c.free[k] ? tidy_if_needed(&frames, &memory) : 0;
    most = n > most ? n : most;
  }
  d->tidy_at = d->serial + most;
  fm__free(memory);
}
