// scope.c: the meaning of names at each place. Each Ident holds its innermost symbol; leaving a
// scope restores the symbols that it hid.
#include "fmcc.h"

void scope_enter(Unit *u) {
  Scope *s = NEW(&u->arena, Scope);
  s->outer = u->scope;
  u->scope = s;
  u->scope_depth++;
}

void scope_leave(Unit *u) {
  for (Symbol *s = u->scope->symbols; s; s = s->scope_next) {
    if (s->local)
      s->local->scope_to = u->p;
    if (s->kind == S_TAG)
      s->name->tag = s->outer;
    else
      s->name->sym = s->outer;
  }
  u->scope = u->scope->outer;
  u->scope_depth--;
}

bool in_this_scope(Unit *u, const Symbol *s) {
  return s && s->depth == u->scope_depth;
}

static Symbol *
enter(Unit *u, SymKind kind, Ident *name, TokIndex tok, Symbol **slot) {
  Symbol *s = NEW(&u->arena, Symbol);
  s->kind = (uint8_t)kind;
  s->name = name;
  s->tok = tok;
  s->depth = u->scope_depth;
  s->outer = *slot;
  if (s->outer && s->outer->depth < s->depth)
    s->outer->shadowed = true;
  s->scope_next = u->scope->symbols;
  u->scope->symbols = s;
  return *slot = s;
}

Symbol *declare(Unit *u, SymKind kind, Ident *name, Type *type, TokIndex tok) {
  Symbol *s = enter(u, kind, name, tok, &name->sym);
  s->type = type;
  return s;
}

Symbol *declare_tag(Unit *u, Ident *name, Tag *tag, TokIndex tok) {
  Symbol *s = enter(u, S_TAG, name, tok, &name->tag);
  if (s->outer && s->outer->tag && s->outer->depth < s->depth)
    s->outer->tag->shadowed = true;
  s->tag = tag;
  return s;
}
