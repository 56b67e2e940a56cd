// call.c: calls: what is called, how many arguments it wants, what comes back.
#include "fmcc.h"

static void count_arguments(Unit *u, Node *e, Type *f) {
  Param *p = f->params;
  Node *a = e->b;
  for (; p && a; p = p->next, a = a->next) {
    if (f->is_async)
      check_given(u, a, p->type);
    else
      check_convert(u, a, p->type);
    give_throws(u, a, p->type, NULL);
  }
  bool named = e->a->kind == N_IDENT;
  const char *name =
      named ? arena_printf(&u->arena, "`%s`", tok_at(u, e->a->tok)->id->name)
            : "this function";
  if (p)
    error_at(u,
             e->end,
             "too few arguments to %s: it takes `%s`",
             name,
             type_text(u, f));
  else if (a && !f->variadic)
    error_at(u,
             a->tok,
             "too many arguments to %s: it takes `%s`",
             name,
             type_text(u, f));
  else
    return;
  if (named && e->a->sym)
    note_at(u, e->a->sym->tok, "%s is declared here", name);
}

// What cannot be kept across a pause, since it is part of the C stack.
static void note_still(Unit *u, Node *e) {
  static const char *const names[] = {
    "alloca",      "__builtin_alloca", "__builtin_alloca_with_align",
    "setjmp",      "_setjmp",          "sigsetjmp",
    "__sigsetjmp", "__builtin_setjmp"
  };
  if (!u->async || e->a->kind != N_IDENT || u->async->still)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!tok_is(u, e->a->tok, names[i]))
      continue;
    u->async->still = e->a->tok;
    u->async->still_what = i < 3 ? "memory from `alloca`" : "a `setjmp`";
  }
}

static bool is_builtin_end(const Ident *name) {
  static const char *const names[] = { "__builtin_unreachable",
                                       "__builtin_trap",
                                       "__builtin_abort",
                                       "__builtin_exit" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name->name, names[i]) == 0)
      return true;
  return false;
}

bool never_returns(const Node *e) {
  while (e->kind == N_PAREN || e->kind == N_ATOMIC_EXPR || e->kind == N_RUN ||
         e->kind == N_AWAIT || e->kind == N_CAST)
    e = e->a;
  const Node *f = e->kind == N_CALL ? e->a : NULL;
  while (f && (f->kind == N_PAREN || (f->kind == N_UNARY && f->op == P_STAR)))
    f = f->a;
  if (!f || f->kind != N_IDENT || !f->sym)
    return false;
  return f->sym->noreturn ||
         (f->sym->kind == S_BUILTIN && is_builtin_end(f->sym->name));
}

void check_call(Unit *u, Node *e) {
  note_still(u, e);
  redirect_call(u, e);
  e->type = type_scalar(u, TY_ERROR);
  for (Node *a = e->b; a; a = a->next) {
    flags_up(e, a);
    used_as_value(u, a);
  }
  bool builtin =
      e->a->kind == N_IDENT && e->a->sym && e->a->sym->kind == S_BUILTIN;
  if (!builtin)
    e->flags |= NF_CALLS;
  check_va_call(u, e);
  bool special = check_builtin_call(u, e);
  bool is_unknown = !special && canon(e->a->type)->kind == TY_ERROR;
  if (!special)
    flags_up(e, e->a);
  if (special || is_unknown) {
    if (canon(e->type)->kind == TY_ERROR)
      e->flags |= NF_UNKNOWN;
    return;
  }
  Type *f = canon(rvalue(u, e->a));
  if (f->kind == TY_POINTER)
    f = canon(f->base);
  if (f->kind != TY_FUNC) {
    error_at(u,
             e->tok,
             "a value of type `%s` is not a function: it cannot be called",
             type_text(u, e->a->type));
    e->flags |= NF_UNKNOWN;
    return;
  }
  if (check_completion(u, e))
    return;
  e->type = type_unqual(u, f->base);
  bool share = e->a->kind == N_IDENT && e->a->sym &&
               strcmp(e->a->sym->name->name, "fm_share") == 0 && e->b;
  // the one function whose type is its argument's
  if (share)
    e->type = rvalue(u, e->b);
  if (canon(e->type)->kind == TY_ERROR)
    e->flags |= NF_UNKNOWN;
  if (!f->oldstyle)
    count_arguments(u, e, f);
  check_async_call(u, e, f);
}
