// coverage.c: between which places of the program a switch was tried, over all runs. A pair is the
// place where an activity could be interrupted, and the place where another one could go on.
#include "explore.h"

#include <stdlib.h>

typedef struct Pair {
  char *name; // "bank.c:12 -> bank.c:20"
  bool tried;
} Pair;

struct Coverage {
  Pair *pairs;
  size_t count, cap;
  size_t *slots; // indices plus 1, by the hash of the name
  size_t slot_count;
};

static uint64_t hash_of(const char *name) {
  uint64_t h = 0;
  for (; *name; name++)
    h = fm__x_mix(h * 31 + (unsigned char)*name);
  return h;
}

Coverage *coverage_new(void) {
  Coverage *c = xmalloc(sizeof *c);
  *c = (Coverage){ 0 };
  return c;
}

static void put_slot(Coverage *c, size_t pair) {
  uint64_t at = hash_of(c->pairs[pair].name);
  while (c->slots[at % c->slot_count])
    at++;
  c->slots[at % c->slot_count] = pair + 1;
}

static void grow(Coverage *c) {
  if (c->count < c->cap)
    return;
  c->cap = c->cap * 2 + 64;
  c->pairs = xrealloc(c->pairs, c->cap * sizeof *c->pairs);
  c->slot_count = c->cap * 2;
  c->slots = xrealloc(c->slots, c->slot_count * sizeof *c->slots);
  memset(c->slots, 0, c->slot_count * sizeof *c->slots);
  for (size_t i = 0; i < c->count; i++)
    put_slot(c, i);
}

static void note(Coverage *c, const char *name, bool tried) {
  grow(c);
  uint64_t at = hash_of(name);
  for (size_t i; (i = c->slots[at % c->slot_count]); at++)
    if (strcmp(c->pairs[i - 1].name, name) == 0) {
      c->pairs[i - 1].tried |= tried;
      return;
    }
  c->pairs[c->count] = (Pair){ xstrdup(name), tried };
  c->count++;
  put_slot(c, c->count - 1);
}

void coverage_add(Coverage *c, const fm__x_file *f) {
  Buf name = { 0 };
  for (size_t i = 0; i < f->pair_count && i < FM__X_PAIRS; i++) {
    name.len = 0;
    place_print(f, f->pairs[i].at, &name);
    buf_puts(&name, " -> ");
    place_print(f, f->pairs[i].to, &name);
    note(c, name.data, f->pairs[i].tried);
  }
  buf_free(&name);
}

void coverage_print(const Coverage *c, bool all, FILE *to) {
  enum { SOME = 8 };
  size_t tried = 0;
  size_t listed = 0;
  for (size_t i = 0; i < c->count; i++)
    tried += c->pairs[i].tried;
  fprintf(to,
          "switches were tried between %zu of %zu pairs of places\n",
          tried,
          c->count);
  for (size_t i = 0; i < c->count && (all || listed < SOME); i++)
    if (!c->pairs[i].tried) {
      fprintf(to, "  never: %s\n", c->pairs[i].name);
      listed++;
    }
  if (listed < c->count - tried)
    fprintf(to,
            "  … and %zu more (--pairs lists them all)\n",
            c->count - tried - listed);
}

void coverage_free(Coverage *c) {
  for (size_t i = 0; i < c->count; i++)
    free(c->pairs[i].name);
  free(c->pairs);
  free(c->slots);
  free(c);
}
