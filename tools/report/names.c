// names.c: texts and places. Each domain of a trace has ids of its own; here equal texts have one
// number, and so have equal places.
#include "report.h"

#include <stdlib.h>

// ---- tables ----
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

static size_t find(const Table *t, uint64_t key) {
  size_t i = mix(key) & (t->room - 1);
  while (t->keys[i] != NONE && t->keys[i] != key)
    i = (i + 1) & (t->room - 1);
  return i;
}

static void grow(Table *t) {
  Table old = *t;
  t->room = old.room ? 2 * old.room : 1024;
  t->keys = xmalloc(t->room * sizeof *t->keys);
  t->values = xmalloc(t->room * sizeof *t->values);
  memset(t->keys, 0xff, t->room * sizeof *t->keys);
  for (size_t i = 0; i < old.room; i++)
    if (old.keys[i] != NONE) {
      size_t k = find(t, old.keys[i]);
      t->keys[k] = old.keys[i];
      t->values[k] = old.values[i];
    }
  free(old.keys);
  free(old.values);
}

uint32_t *table_at(Table *t, uint64_t key) {
  if (2 * t->used >= t->room)
    grow(t);
  size_t i = find(t, key);
  if (t->keys[i] == NONE) {
    t->keys[i] = key;
    t->values[i] = UINT32_MAX;
    t->used++;
  }
  return &t->values[i];
}

void table_free(Table *t) {
  free(t->keys);
  free(t->values);
}

// ---- texts ----
static uint64_t hash(const char *text, size_t size) {
  uint64_t h = 1469598103934665603u;
  for (size_t i = 0; i < size; i++)
    h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return h >> 1; // never NONE
}

uint32_t string_of(Texts *n, const char *text, size_t size) {
  size = strnlen(text, size);
  for (uint64_t h = hash(text, size);; h = mix(h + 1) >> 1) {
    uint32_t *v = table_at(&n->by_text, h);
    if (*v == UINT32_MAX) {
      *v = (uint32_t)n->strings.count;
      PUSH(&n->strings, xstrndup(text, size));
      return *v;
    }
    const char *is = n->strings.at[*v];
    if (strncmp(is, text, size) == 0 && !is[size])
      return *v;
  }
}

uint32_t string_format(Texts *n, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = xvasprintf(format, args);
  va_end(args);
  uint32_t s = string_of(n, text, strlen(text));
  free(text);
  return s;
}

const char *string_at(const Texts *n, uint32_t i) {
  return i < n->strings.count ? n->strings.at[i] : "";
}

// ---- places ----
int32_t place_of(Texts *n, Place p) {
  uint64_t h =
      mix((uint64_t)p.file << 32 | p.line) ^ mix(p.function + (uint64_t)7);
  for (h >>= 1;; h = mix(h + 1) >> 1) {
    uint32_t *v = table_at(&n->by_place, h);
    if (*v == UINT32_MAX) {
      *v = (uint32_t)n->places.count;
      PUSH(&n->places, p);
      return (int32_t)*v;
    }
    const Place *is = &n->places.at[*v];
    if (is->file == p.file && is->line == p.line && is->function == p.function)
      return (int32_t)*v;
  }
}

void place_text(const Texts *n, int32_t place, Buf *to) {
  if (place < 0 || (size_t)place >= n->places.count) {
    buf_puts(to, "?");
    return;
  }
  const Place *p = &n->places.at[place];
  const char *file = string_at(n, p->file);
  buf_puts(to, *file ? file : "?");
  if (p->line)
    buf_printf(to, ":%u", p->line);
}

void names_free(Texts *n) {
  for (size_t i = 0; i < n->strings.count; i++)
    free(n->strings.at[i]);
  free(n->strings.at);
  free(n->places.at);
  table_free(&n->by_text);
  table_free(&n->by_place);
}
