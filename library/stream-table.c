// stream-table.c: values of one size, each with its number, found by their bytes: what `distinct`
// has seen, the keys of `group_by`.
#include "stream.h"

#include <string.h>

static size_t hash(const unsigned char *v, size_t size) {
  uint64_t h = 14695981039346656037u;
  for (size_t i = 0; i < size; i++)
    h = (h ^ v[i]) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

// Where the number of v is, or would be.
static size_t *place(const fm__table *t, const void *v) {
  size_t i = hash(v, t->size);
  while (t->slots[i &= t->nslots - 1] &&
         memcmp(t->row + (t->slots[i] - 1) * t->size, v, t->size) != 0)
    i++;
  return &t->slots[i];
}

static void grow(fm__table *t) {
  t->room = t->room ? 2 * t->room : 16;
  t->row = fm__stream_grown(t->row, t->room * t->size);
  fm__stream_free(t->slots);
  t->nslots = 2 * t->room;
  t->slots = fm__stream_memory(t->nslots * sizeof *t->slots);
  for (size_t i = 0; i < t->n; i++)
    *place(t, t->row + i * t->size) = i + 1;
}

size_t fm__table_find(const fm__table *t, const void *v) {
  size_t at = t->n ? *place(t, v) : 0;
  return at ? at - 1 : t->n;
}

void fm__table_add(fm__table *t, const void *v) {
  if (t->n == t->room)
    grow(t);
  memcpy(t->row + t->n * t->size, v, t->size);
  *place(t, v) = ++t->n;
}

void fm__table_free(fm__table *t) {
  fm__stream_free(t->row);
  fm__stream_free(t->slots);
}
