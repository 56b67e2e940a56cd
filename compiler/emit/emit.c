// emit.c: writes the translated unit. In: a unit that has been through all passes. Out: its
// preprocessed text, with these changes: bodies that have a tree are printed from the tree, async
// declarations become their C, edits (parse/edits.c) replace tokens, and the lines of
// `#pragma fermata` are left out.
#include "emit/layout.h"

typedef struct Copy {
  Unit *u;
  Buf *out;
  uint32_t pos;  // the text before it has been copied
  size_t pragma; // the next of Unit.pragmas
  size_t edit;   // the next edit
} Copy;

static bool is_fermata_pragma(Unit *u, const Pragma *g) {
  return has_own_pragma(u->text + g->pos, g->len);
}

static void copy_edited(Copy *c, uint32_t to);

// Copies the text up to `to`, with its edits.
static void copy_to(Copy *c, uint32_t to) {
  Unit *u = c->u;
  Range r;
  for (const char *text;
       (text = edit_number(u, c->edit, &r)) && tok_at(u, r.from)->pos < to;
       c->edit++) {
    Token *first = tok_at(u, r.from);
    Token *last = tok_at(u, r.to - 1);
    // inside an edit, or inside a declaration that has been printed
    if (r.from == r.to || first->pos < c->pos)
      continue;
    copy_edited(c, first->pos);
    buf_printf(c->out, " %s ", text);
    // each line keeps its number
    for (TokIndex t = r.from + 1; t < r.to; t++)
      if (tok_at(u, t)->flags & TF_BOL)
        buf_putc(c->out, '\n');
    c->pos = last->pos + last->len;
  }
  copy_edited(c, to);
}

// Copies the text up to `to`, without the dialect's own pragmas.
static void copy_edited(Copy *c, uint32_t to) {
  Unit *u = c->u;
  for (; c->pragma < u->npragmas && u->pragmas[c->pragma].pos < to;
       c->pragma++) {
    Pragma *g = &u->pragmas[c->pragma];
    if (g->pos < c->pos || !is_fermata_pragma(u, g))
      continue;
    buf_add(c->out, u->text + c->pos, g->pos - c->pos);
    c->pos = g->pos + g->len;
  }
  if (to > c->pos)
    buf_add(c->out, u->text + c->pos, to - c->pos);
  if (to > c->pos)
    c->pos = to;
}

// Returns the index of the first pragma after token t.
static size_t first_pragma_after(Unit *u, TokIndex t) {
  size_t lo = 0;
  size_t hi = u->npragmas;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (u->pragmas[mid].before <= t)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

// A plain function whose body has a tree.
static void emit_body(Copy *c, Item *it) {
  Unit *u = c->u;
  Token *open = tok_at(u, it->body.from);
  Token *close = tok_at(u, it->body.to - 1);
  if (it->plain && it->plain->jobs.len) {
    copy_to(c, tok_at(u, it->range.from)->pos);
    emit_jobs(it->plain, it, c->out);
  }
  copy_to(c, open->pos);
  Printer p = {
    .u = u,
    .out = c->out,
    .line = open->line,
    .file = open->file,
    .system = open->flags & TF_SYSTEM,
    .pragma = first_pragma_after(u, it->body.from),
    .asserts = u->opt.mode == TRANSLATE_ASSERT && !it->plain,
    .plain = it->plain,
  };
  bool temps = it->plain && it->plain->locals.len;
  if (temps)
    print_text(&p, "{ ");
  if (temps)
    print_temps(&p, it->plain);
  print_window(&p, it->body.from, it->body.to);
  print_statement(&p, it->tree);
  if (temps)
    print_text(&p, " }");
  c->pos = close->pos + close->len;
}

static void skip_past(Copy *c, TokIndex last) {
  Token *t = tok_at(c->u, last);
  c->pos = t->pos + t->len;
}

// The type that the specifiers of an async function define, before the function.
static void emit_definition_of(Copy *c, const Specs *s) {
  if (s->definition.from == s->definition.to)
    return;
  Printer p = {
    .u = c->u,
    .out = c->out,
    .pragma = SIZE_MAX,
  };
  print_lost(&p);
  print_definition(&p, s);
  buf_putc(c->out, '\n');
}

// The definition of an async function.
static void emit_definition(Copy *c, Item *it) {
  copy_to(c, tok_at(c->u, it->range.from)->pos);
  emit_definition_of(c, it->async->decl->specs);
  emit_async(it->async, c->out);
  skip_past(c, it->body.to - 1);
}

// A declaration of async functions.
static void emit_prototypes(Copy *c, Item *it) {
  Unit *u = c->u;
  Token *first = tok_at(u, it->range.from);
  copy_to(c, first->pos);
  Printer p = {
    .u = u,
    .out = c->out,
    .line = first->line,
    .file = first->file,
    .system = first->flags & TF_SYSTEM,
    .pragma = SIZE_MAX,
  };
  print_definition(&p, it->decl->decl->specs);
  for (Decl *d = it->decl->decl; d; d = d->next)
    emit_async_prototype(u, d, &p);
  print_lost(&p);
  print_sync(&p, it->range.to - 1);
  skip_past(c, it->range.to - 1);
}

// A function that completes a wait by hand (parse/asyncdirect.c).
static void emit_direct_item(Copy *c, Item *it) {
  copy_to(c, tok_at(c->u, it->range.from)->pos);
  emit_direct(c->u, it, c->out);
  skip_past(c, it->body.to - 1);
}

static void emit_item(Copy *c, Item *it) {
  if (it->direct && it->tree) {
    emit_direct_item(c, it);
    return;
  }
  if (it->async)
    emit_definition(c, it);
  else if (it->decl)
    emit_prototypes(c, it);
  else if (it->kind == ITEM_FUNCTION && it->tree)
    emit_body(c, it);
}

// Returns the position after the item's last token.
static uint32_t end_of(Unit *u, const Item *it) {
  TokIndex to = it->body.to > it->range.to ? it->body.to : it->range.to;
  const Token *last = tok_at(u, to - 1);
  return last->pos + last->len;
}

void emit_item_alone(Unit *u, Item *it, Buf *out) {
  Copy c = {
    .u = u,
    .out = out,
    .pos = tok_at(u, it->range.from)->pos,
  };
  Range r;
  while (c.pragma < u->npragmas && u->pragmas[c.pragma].pos < c.pos)
    c.pragma++;
  while (edit_number(u, c.edit, &r) && r.from < it->range.from)
    c.edit++;
  emit_item(&c, it);
  copy_to(&c, end_of(u, it));
}

void emit_unit(Unit *u, Buf *out) {
  Copy c = { .u = u, .out = out };
  for (Item *it = u->items; it; it = it->next)
    emit_item(&c, it);
  copy_to(&c, (uint32_t)u->len);
  if (u->opt.mode != TRANSLATE_ASSERT)
    return;
  Printer p = {
    .u = u,
    .out = out,
    .line = 1,
    .spell = true,
  };
  buf_putc(out, '\n');
  print_layout_asserts(&p);
}
