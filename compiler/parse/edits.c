// edits.c: texts that replace tokens in the output. Code outside of async functions is copied as it
// was written, except for these edits: a pointer to an async function becomes a pointer to its
// descriptor, every task becomes an fm_task. In: ranges of tokens, in any order. Out: the edits in
// the order of the text.
#include "fmcc.h"

#include <stdlib.h>

typedef struct Edit {
  Range range;
  const char *text;
} Edit;

void edit(Unit *u, Range r, const char *text) {
  Edit *e = NEW(&u->arena, Edit);
  *e = (Edit){ r, text };
  vec_push(&u->edits, e);
  u->edits_sorted = false;
}

// Of two edits that begin together, the outer one comes first.
static int by_place(const void *a, const void *b) {
  const Edit *x = *(Edit *const *)a;
  const Edit *y = *(Edit *const *)b;
  if (x->range.from != y->range.from)
    return x->range.from < y->range.from ? -1 : 1;
  return x->range.to > y->range.to ? -1 : x->range.to < y->range.to;
}

static void sort_edits(Unit *u) {
  if (!u->edits_sorted && u->edits.len)
    qsort(u->edits.at, u->edits.len, sizeof *u->edits.at, by_place);
  u->edits_sorted = true;
}

const char *edit_number(Unit *u, size_t i, Range *r) {
  sort_edits(u);
  if (i >= u->edits.len)
    return NULL;
  Edit *e = u->edits.at[i];
  *r = e->range;
  return e->text;
}

const char *edit_at(Unit *u, TokIndex t, TokIndex *to) {
  if (!u->edits.len)
    return NULL;
  sort_edits(u);
  size_t lo = 0;
  size_t hi = u->edits.len;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (((Edit *)u->edits.at[mid])->range.from < t)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (lo == u->edits.len || ((Edit *)u->edits.at[lo])->range.from != t)
    return NULL;
  Edit *e = u->edits.at[lo];
  *to = e->range.to;
  return e->text;
}

// ---- declarators of pointers to async functions ----
static const char *
declarator_text(Unit *u, Type *t, Type *stop, const char *name) {
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  print_declarator(&p, t, stop, name, 0);
  return take_text(u, &b);
}

// The type of a descriptor. A definition among the specifiers stays in its place, because it may
// belong to a member.
static const char *fn_text(Unit *u, const Specs *s) {
  if (s->definition.from == s->definition.to)
    return "const fm_fn";
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  print_text(&p, "const __typeof__(*((void)sizeof(");
  print_range(&p, s->definition);
  print_text(&p, "), (fm_fn *)16))");
  return take_text(u, &b);
}

void edit_declarator(Unit *u, Specs *s, Declarator *d) {
  Type *f = async_target(d->type);
  // members are always printed as text
  if (!f || (u->body->async && !u->record_depth))
    return;
  // clang-format off
  static const char *const storage[] = {
    [ST_NONE] = "",
    [ST_TYPEDEF] = "typedef ",
    [ST_EXTERN] = "extern ",
    [ST_STATIC] = "static ",
    [ST_AUTO] = "",
    [ST_REGISTER] = "",
  };
  // clang-format on
  Buf attrs = { 0 }; // the attributes among the specifiers, which stay
  Printer p = text_printer(u, &attrs);
  if (s->is_noreturn)
    hide_noreturn(u, f, s->range);
  print_attributes(&p, s->range);
  edit(u,
       s->range,
       arena_printf(&u->arena,
                    "%s%s%s",
                    attrs.data ? attrs.data : "",
                    storage[s->storage],
                    fn_text(u, s)));
  buf_free(&attrs);
  edit(u,
       d->range,
       declarator_text(u, d->type, f, d->name ? d->name->name : ""));
}
