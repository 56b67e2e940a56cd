// cancel-origin.c: which activity cancelled a node, and where: a hash table with an entry for each
// node that fm_cancel named, for as long as that node exists. Nodes below find the entry through
// their parents.
#include "fm.h"

#include <string.h>

typedef struct entry {
  const fm_node *node; // its word has FM__TARGET; NULL: a free entry
  struct fm_cancelled value;
} entry;

typedef struct fm__cancel_origins {
  size_t size, used; // a power of two; at most half of the entries are in use
  entry entries[];
} fm__cancel_origins;

enum { FIRST = 16, LEVELS = 100 }; // LEVELS: how many parents are searched

static size_t home(const fm__cancel_origins *t, const fm_node *a) {
  return ((uintptr_t)a >> 4) * 0x9e3779b97f4a7c15u >> 20 & (t->size - 1);
}

// The index where a is, or would be.
static size_t find(const fm__cancel_origins *t, const fm_node *a) {
  size_t i = home(t, a);
  while (t->entries[i].node && t->entries[i].node != a)
    i = (i + 1) & (t->size - 1);
  return i;
}

static fm__cancel_origins *make(size_t size) {
  size_t bytes = sizeof(fm__cancel_origins) + size * sizeof(entry);
  fm__cancel_origins *t = fm__alloc(bytes);
  if (!t)
    fm__out_of_memory("cancel", "", bytes);
  memset(t, 0, bytes);
  t->size = size;
  return t;
}

static void grow(fm__runtime *d) {
  fm__cancel_origins *old = d->cancel_origins;
  fm__cancel_origins *t = make(old ? old->size * 2 : FIRST);
  for (size_t i = 0; old && i < old->size; i++)
    if (old->entries[i].node)
      t->entries[find(t, old->entries[i].node)] = old->entries[i];
  t->used = old ? old->used : 0;
  fm__free(old);
  d->cancel_origins = t;
}

void fm__cancel_origin_set(fm__runtime *d,
                           fm_node *a,
                           struct fm_cancelled value) {
  if (!d->cancel_origins ||
      d->cancel_origins->used >= d->cancel_origins->size / 2)
    grow(d);
  d->cancel_origins->used++;
  d->cancel_origins->entries[find(d->cancel_origins, a)] = (entry){ a, value };
  a->word |= FM__TARGET;
}

// Entries after it may stand there because it was in their way: they move up.
void fm__cancel_origin_drop(fm__runtime *d, fm_node *a) {
  fm__cancel_origins *t = d->cancel_origins;
  size_t hole = find(t, a);
  size_t mask = t->size - 1;
  for (size_t i = (hole + 1) & mask; t->entries[i].node; i = (i + 1) & mask)
    if (((i - home(t, t->entries[i].node)) & mask) >= ((i - hole) & mask)) {
      t->entries[hole] = t->entries[i];
      hole = i;
    }
  t->entries[hole].node = NULL;
  t->used--;
}

static struct fm_cancelled value_for(fm__runtime *d, const fm_node *a) {
  for (int i = 0; a && i < LEVELS; a = a->parent, i++)
    if (a->word & FM__TARGET)
      return d->cancel_origins->entries[find(d->cancel_origins, a)].value;
  return (struct fm_cancelled){
    // the cause was an error, a race, or the end of the run
    0
  };
}

fm_error *fm__cancelled_error(fm__runtime *d, const fm_node *a) {
  struct fm_cancelled value = value_for(d, a);
  fm_error *e = fm__error_new(
      &value, sizeof value, "fm_cancelled", value.file, value.line);
  return fm__error_mark_cancel(e, a);
}

void fm__cancel_origins_free(fm__runtime *d) {
  fm__free(d->cancel_origins);
  d->cancel_origins = NULL;
}
