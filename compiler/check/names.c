// names.c: names in expressions: variables, functions, __func__, builtins, and names that nothing
// declares. In: an identifier. Out: its symbol and type, or an error with advice.
#include "fmcc.h"

// `(lenght)x` and `(lenght *)x` are meant as casts.
static bool looks_like_cast(Unit *u, TokIndex t) {
  if (t == 0 || kind_at(u, t - 1) != P_LPAREN)
    return false;
  if (kind_at(u, t + 1) == P_STAR)
    return kind_at(u, t + 2) == P_RPAREN;
  TokenKind k = kind_at(u, t + 2);
  return kind_at(u, t + 1) == P_RPAREN &&
         (k == T_IDENT || k == T_NUMBER || k == T_CHAR || k == T_STRING);
}

static void undeclared(Unit *u, Node *e, Ident *name) {
  if (looks_like_cast(u, e->tok))
    fail_unknown_type(u, e->tok);
  error_undeclared(u, e->tok, name->name);
  declare(u, S_VAR, name, type_scalar(u, TY_ERROR), e->tok);
  give_type(e, type_scalar(u, TY_ERROR));
}

// __func__ and its older names.
static bool function_name(Unit *u, Node *e, Ident *id) {
  bool is = strcmp(id->name, "__func__") == 0 ||
            strcmp(id->name, "__FUNCTION__") == 0 ||
            strcmp(id->name, "__PRETTY_FUNCTION__") == 0;
  if (!is)
    return false;
  Ident *function = written_function(u);
  int64_t n = function ? (int64_t)function->len : 0;
  give_type(e,
            type_array(u,
                       type_qualify(u, type_scalar(u, TY_CHAR), Q_CONST),
                       n + 1));
  if (u->body->async)
    edit(u,
         (Range){ e->tok, e->tok + 1 },
         arena_printf(&u->arena, "\"%s\"", function ? function->name : ""));
  // clang's pretty name has the whole signature
  e->type->incomplete = u->opt.clang && id->name[2] == 'P';
  e->flags |= NF_LVALUE;
  return true;
}

static Type *implicit_function(Unit *u, Ident *name) {
  Type *t = builtin_type(u, name);
  if (t && !unknown(t))
    return t;
  t = type_new(u, TY_FUNC, type_scalar(u, TY_INT));
  t->oldstyle = true;
  return t;
}

// A name that nothing has declared, but that the compilers know by themselves.
static Symbol *builtin_symbol(Unit *u, Node *e, Ident *name) {
  bool reserved = name->len > 2 && name->name[0] == '_' && name->name[1] == '_';
  Type *t = reserved ? builtin_type(u, name) : NULL;
  return t ? declare(u, S_BUILTIN, name, t, e->tok) : NULL;
}

// As in C90, a call declares the function; in the dialect it does not.
static Symbol *implicit_symbol(Unit *u, Node *e, Ident *name) {
  if (u->body->whole->strict && !builtin_type(u, name))
    return NULL;
  Symbol *s = declare(u, S_FUNC, name, implicit_function(u, name), e->tok);
  s->implicit = true;
  return s;
}

static Symbol *symbol_of(Unit *u, Node *e, Ident *name, bool called) {
  Symbol *s = name->sym;
  if (!s)
    s = builtin_symbol(u, e, name);
  if (!s && called)
    s = implicit_symbol(u, e, name);
  return s;
}

static void mention(Unit *u, Node *e, Symbol *s) {
  e->sym = s;
  s->mentions++;
  // the text may be printed as written
  if (s->emitted)
    edit(u, (Range){ e->tok, e->tok + 1 }, s->emitted);
  note_use(u, s, e->tok);
  note_mention(u, e);
  if (s->thread_local_)
    note_thread_local(u, e);
}

void check_ident(Unit *u, Node *e, bool called) {
  Ident *name = tok_at(u, e->tok)->id;
  if (!name->sym && function_name(u, e, name))
    return;
  Symbol *s = symbol_of(u, e, name, called);
  if (!s) {
    undeclared(u, e, name);
    return;
  }
  if (s->kind == S_TYPEDEF)
    fail_at(u, e->tok, "`%s` is a type; a value is expected here", name->name);
  mention(u, e, s);
  give_type(e, s->type);
  if (s->kind == S_ENUMCONST)
    set_const(u, e, s->value);
  else if (s->kind == S_VAR)
    e->flags |= NF_LVALUE;
}
