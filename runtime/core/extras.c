// extras.c: what few activities have beside their node: a name (report/activity-names.c), locals
// (locals.c). Such an activity has the flag FM__EXTRAS, and a table of its domain finds the rest by
// the node's address. So an activity without extras pays nothing, and no node grows. The extras go
// when their node does: fm__release looks at the flag. The table doubles when there are as many
// entries as buckets, and never shrinks; entries are kept for the next activity.
#include "fm.h"

#include <string.h>

static fm__extra **bucket(fm__runtime *d, const fm_node *a) {
  return &d->extras[(uintptr_t)a / sizeof *a % d->extra_room];
}

static void add(fm__runtime *d, fm__extra *x) {
  fm__extra **at = bucket(d, x->node);
  x->next = *at;
  *at = x;
}

static FM_COLD void grow(fm__runtime *d) {
  enum { FEW = 64 };
  size_t room = d->extra_room;
  size_t more = room ? 2 * room : FEW;
  fm__extra **old = d->extras;
  fm__extra **table = fm__alloc(more * sizeof *table);
  if (!table)
    fm__out_of_memory("names and locals", "", more * sizeof *table);
  memset(table, 0, more * sizeof *table);
  d->extras = table;
  d->extra_room = more;
  for (size_t i = 0; i < room; i++)
    for (fm__extra *x = old[i], *next; x; x = next) {
      next = x->next;
      add(d, x);
    }
  fm__free(old);
}

static fm__extra *entry_new(fm__runtime *d) {
  fm__extra *x = d->idle_extras;
  if (x) {
    d->idle_extras = x->next;
    return x;
  }
  if (!(x = fm__alloc(sizeof *x)))
    fm__out_of_memory("names and locals", "", sizeof *x);
  return x;
}

fm__extra *fm__extra_of(fm__runtime *d, const fm_node *a) {
  fm__extra *x = *bucket(d, a);
  while (x->node != a)
    x = x->next;
  return x;
}

fm__extra *fm__extra_make(fm__runtime *d, fm_node *a) {
  if (a->word & FM__EXTRAS)
    return fm__extra_of(d, a);
  if (d->extra_count >= d->extra_room)
    grow(d);
  fm__extra *x = entry_new(d);
  *x = (fm__extra){ .node = a };
  add(d, x);
  d->extra_count++;
  a->word |= FM__EXTRAS;
  return x;
}

// The node may be idle by now.
static void drop(fm__runtime *d, const fm_node *a) {
  fm__extra **at = bucket(d, a);
  while ((*at)->node != a)
    at = &(*at)->next;
  fm__extra *x = *at;
  *at = x->next;
  d->extra_count--;
  fm__free(x->name);
  if (FM__IS_LINKED(fm__locals_drop))
    fm__locals_drop(d, x);
  x->next = d->idle_extras;
  d->idle_extras = x;
}

void fm__extra_settle(fm__runtime *d, fm_node *a, const fm__extra *x) {
  if (x->name || x->locals)
    return;
  a->word &= ~(uint64_t)FM__EXTRAS;
  drop(d, a);
}

void fm__marks_drop(fm__runtime *d, fm_node *a, uint64_t word) {
  if (word & FM__EXTRAS)
    drop(d, a);
  if (word & FM__TARGET)
    fm__cancel_origin_drop(d, a);
}

// All nodes are idle, except the host.
void fm__extras_free(fm__runtime *d) {
  if (d->host.word & FM__EXTRAS)
    drop(d, &d->host);
  while (d->idle_extras) {
    fm__extra *x = d->idle_extras;
    d->idle_extras = x->next;
    fm__free(x);
  }
  fm__free(d->extras);
  d->extras = NULL;
  d->extra_room = 0;
}
