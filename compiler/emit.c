// emit.c: the translated unit. The preprocessed text is copied as it is, but for the bodies that have a tree, which are
// printed from it, and the `#pragma fermata` lines, which are left empty.
#include "fmcc.h"

typedef struct Copy { Unit *u; Buf *out; uint32_t pos; size_t pragma; } Copy; // pos: copied up to there

static bool is_ours(Unit *u, const Pragma *g) { return uses_dialect(u->text + g->pos, g->len); }

// The text up to `to`, without our own pragmas.
static void copy_to(Copy *c, uint32_t to) {
  Unit *u = c->u;
  for (; c->pragma < u->npragmas && u->pragmas[c->pragma].pos < to; c->pragma++) {
    Pragma *g = &u->pragmas[c->pragma];
    if (g->pos < c->pos || !is_ours(u, g)) continue;
    buf_add(c->out, u->text + c->pos, g->pos - c->pos);
    c->pos = g->pos + g->len;
  }
  if (to > c->pos) buf_add(c->out, u->text + c->pos, to - c->pos);
  if (to > c->pos) c->pos = to;
}

static size_t first_pragma_after(Unit *u, TokIndex t) { // the first that stands behind token t
  size_t lo = 0, hi = u->npragmas;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (u->pragmas[mid].before <= t) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

static void emit_body(Copy *c, Item *it) {
  Unit *u = c->u;
  Token *open = tok_at(u, it->body.from), *close = tok_at(u, it->body.to - 1);
  copy_to(c, open->pos);
  Printer p = {.u = u, .out = c->out, .line = open->line, .file = open->file, .system = open->flags & TF_SYSTEM,
               .pragma = first_pragma_after(u, it->body.from), .asserts = u->opt.mode == TRANSLATE_ASSERT};
  print_statement(&p, it->tree);
  c->pos = close->pos + close->len;
}

void emit_unit(Unit *u, Buf *out) {
  Copy c = {.u = u, .out = out};
  for (Item *it = u->items; it; it = it->next)
    if (it->kind == ITEM_FUNCTION && it->tree) emit_body(&c, it);
  copy_to(&c, (uint32_t)u->len);
  if (u->opt.mode != TRANSLATE_ASSERT) return;
  Printer p = {.u = u, .out = out, .line = 1, .spell = true};
  buf_putc(out, '\n');
  print_layout_asserts(&p);
}
