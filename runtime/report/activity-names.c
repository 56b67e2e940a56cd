// activity-names.c: the names that programs give to activities. A name is one of the extras of an
// activity (core/extras.c): an activity without a name pays nothing.
#include "fm.h"
#include <fermata/trace.h>

#include <stdarg.h>
#include <string.h>

// ---- names ----
// NULL: it has none.
static const char *own_name(fm__runtime *d, const fm_node *a) {
  return a->word & FM__EXTRAS ? fm__extra_of(d, a)->name : NULL;
}

const char *fm__name_of(fm__runtime *d, const fm_node *a) {
  const char *own = own_name(d, a);
  if (own)
    return own;
  if (a->word & FM__REGION)
    return a->word & FM__SHIELD ? "shield"
           : a->word & FM__RACE ? "race"
                                : "scope";
  if (!a->leaf)
    return "plain code";
  return fm__outermost(a->leaf)->code->name;
}

// ---- what programs call ----
static bool is_here(fm_activity a) {
  return a.node && !fm__is_remote(a) && fm__is_valid(a.node, a.generation);
}

// A name of n bytes, without its text.
static char *name_new(size_t n) {
  char *name = fm__alloc(n + 1);
  if (!name)
    fm__out_of_memory("name", "", n);
  return name;
}

// name: NULL: it has none from now on
static void take(fm__runtime *d, fm_node *a, char *name) {
  fm__extra *x = fm__extra_make(d, a);
  fm__free(x->name);
  x->name = name;
  fm__extra_settle(d, a, x);
  if (fm__tracing())
    fm__trace_name(d, a);
}

// `text` may be the name that it already has.
void fm_set_name(fm_activity a, const char *text) {
  fm__runtime *d = fm__runtime_of(fm__here());
  if (!is_here(a))
    return;
  if (!text) {
    if (own_name(d, a.node))
      take(d, a.node, NULL);
    return;
  }
  char *name = name_new(strlen(text));
  memcpy(name, text, strlen(text) + 1);
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
  char *name = name_new((size_t)n);
  va_start(args, format);
  vsnprintf(name, (size_t)n + 1, format, args);
  va_end(args);
  take(d, a.node, name);
}

const char *fm_name_of(fm_activity a) {
  const char *name = is_here(a) && !(a.node->word & FM__ENDED)
                         ? own_name(fm__runtime_of(fm__here()), a.node)
                         : NULL;
  return name ? name : "";
}
