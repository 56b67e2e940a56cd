// activity-names.c: the names that programs give to activities. An activity with a name has a flag,
// and a table of its domain finds the name by the node's address. So an activity without a name
// pays nothing, and no node grows. The name goes when its node does: fm__release looks at the flag.
// The table doubles when there are as many names as buckets, and never shrinks.
#include "fm.h"
#include <fermata/trace.h>

#include <stdarg.h>
#include <string.h>

typedef struct fm__name {
  struct fm__name *next; // in its bucket
  const fm_node *node;   // its word has FM__NAMED
  char text[];
} fm__name;

// ---- the table ----
static fm__name **bucket(fm__runtime *d, const fm_node *a) {
  return &d->names[(uintptr_t)a / sizeof *a % d->name_room];
}

static void add(fm__runtime *d, fm__name *name) {
  fm__name **at = bucket(d, name->node);
  name->next = *at;
  *at = name;
}

static void grow(fm__runtime *d) {
  enum { FEW = 64 };
  size_t room = d->name_room;
  size_t more = room ? 2 * room : FEW;
  fm__name **old = d->names;
  fm__name **table = fm__alloc(more * sizeof *table);
  if (!table)
    fm__out_of_memory("names", "", more * sizeof *table);
  memset(table, 0, more * sizeof *table);
  d->names = table;
  d->name_room = more;
  for (size_t i = 0; i < room; i++)
    for (fm__name *name = old[i], *next; name; name = next) {
      next = name->next;
      add(d, name);
    }
  fm__free(old);
}

// The node may be idle by now.
static void name_drop(fm__runtime *d, const fm_node *a) {
  fm__name **at = bucket(d, a);
  fm__name *name;
  while ((*at)->node != a)
    at = &(*at)->next;
  name = *at;
  *at = name->next;
  d->named--;
  fm__free(name);
}

void fm__marks_drop(fm__runtime *d, fm_node *a, uint64_t word) {
  if (word & FM__NAMED)
    name_drop(d, a);
  if (word & FM__TARGET)
    fm__cancel_origin_drop(d, a);
}

// All nodes are idle.
void fm__names_free(fm__runtime *d) {
  fm__free(d->names);
  d->names = NULL;
  d->name_room = 0;
}

// ---- names ----
static const char *own_name(fm__runtime *d, const fm_node *a) {
  fm__name *name = *bucket(d, a);
  while (name->node != a)
    name = name->next;
  return name->text;
}

const char *fm__name_of(fm__runtime *d, const fm_node *a) {
  if (a->word & FM__NAMED)
    return own_name(d, a);
  if (a->word & FM__REGION)
    return a->word & FM__SHIELD ? "shield"
           : a->word & FM__RACE ? "race"
                                : "scope";
  if (!a->leaf)
    return "plain code";
  fm_frame *f = a->leaf;
  for (fm_frame *up; (up = fm__caller(f));)
    f = up;
  return f->code->name;
}

// ---- what programs call ----
static bool is_here(fm_activity a) {
  return a.node && !fm__is_remote(a) && fm__is_valid(a.node, a.generation);
}

// A name of n bytes, without its text.
static fm__name *name_new(fm_node *a, size_t n) {
  fm__name *name = fm__alloc(sizeof *name + n + 1);
  if (!name)
    fm__out_of_memory("name", "", n);
  name->node = a;
  return name;
}

static void take(fm__runtime *d, fm_node *a, fm__name *name) {
  if (a->word & FM__NAMED)
    name_drop(d, a);
  if (d->named >= d->name_room)
    grow(d);
  add(d, name);
  d->named++;
  a->word |= FM__NAMED;
  if (fm__tracing())
    fm__trace_name(d, a);
}

static void forget(fm__runtime *d, fm_node *a) {
  if (!(a->word & FM__NAMED))
    return;
  a->word &= ~(uint64_t)FM__NAMED;
  name_drop(d, a);
  if (fm__tracing())
    fm__trace_name(d, a);
}

// `text` may be the name that it already has.
void fm_set_name(fm_activity a, const char *text) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (!is_here(a))
    return;
  if (!text) {
    forget(d, a.node);
    return;
  }
  fm__name *name = name_new(a.node, strlen(text));
  memcpy(name->text, text, strlen(text) + 1);
  take(d, a.node, name);
}

void fm_set_namef(fm_activity a, const char *format, ...) {
  fm__runtime *d = fm__runtime_of(fm__here());
  va_list args;
  if (!is_here(a))
    return;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0)
    return;
  fm__name *name = name_new(a.node, (size_t)n);
  va_start(args, format);
  vsnprintf(name->text, (size_t)n + 1, format, args);
  va_end(args);
  take(d, a.node, name);
}

const char *fm_name_of(fm_activity a) {
  return is_here(a) && (a.node->word & (FM__NAMED | FM__ENDED)) == FM__NAMED
             ? own_name(fm__runtime_of(fm__here()), a.node)
             : "";
}
