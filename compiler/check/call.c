// call.c: calls: the function that is called, the number of its arguments, its result.
#include "fmcc.h"

static void count_arguments(Unit *u, Node *e, Type *f) {
  Param *p = f->params;
  Node *a = e->b;
  for (; p && a; p = p->next, a = a->next) {
    if (f->is_async || is_through(e->a, "fm__fn"))
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

// Notes calls whose effect is lost at a pause, because it belongs to the C stack.
static void note_still(Unit *u, Node *e) {
  enum { ALLOCAS = 3 };
  // clang-format off
  static const char *const names[] = {
    "alloca",
    "__builtin_alloca",
    "__builtin_alloca_with_align",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "__builtin_setjmp",
  };
  // clang-format on
  if (!u->body->async || e->a->kind != N_IDENT || u->body->async->still)
    return;
  for (size_t i = 0; i < COUNT(names); i++) {
    if (!tok_is(u, e->a->tok, names[i]))
      continue;
    u->body->async->still = e->a->tok;
    u->body->async->still_is = i < ALLOCAS ? STILL_ALLOCA : STILL_SETJMP;
  }
}

// Refuses builtins that read the arguments of the current function: an async function becomes
// several functions.
static void refuse_apply(Unit *u, Node *e) {
  static const char *const names[] = { "__builtin_apply_args",
                                       "__builtin_return" };
  if (!u->body->async || e->a->kind != N_IDENT)
    return;
  for (size_t i = 0; i < COUNT(names); i++)
    if (tok_is(u, e->a->tok, names[i]))
      error_at(u,
               e->a->tok,
               "`%s` cannot be used in an async function, which becomes C "
               "functions with other parameters and results",
               names[i]);
}

static bool is_builtin_end(const Ident *name) {
  static const char *const names[] = { "__builtin_unreachable",
                                       "__builtin_trap",
                                       "__builtin_abort",
                                       "__builtin_exit" };
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(name->name, names[i]) == 0)
      return true;
  return false;
}

// e without await, run, atomic and parentheses around it.
static const Node *inner_expr(const Node *e) {
  while (e->kind == N_PAREN || e->kind == N_ATOMIC_EXPR || e->kind == N_RUN ||
         e->kind == N_AWAIT || e->kind == N_CAST)
    e = e->a;
  return e;
}

const Symbol *called_symbol(const Node *call) {
  const Node *f = call->kind == N_CALL ? call->a : NULL;
  while (f && (f->kind == N_PAREN || (f->kind == N_UNARY && f->op == P_STAR)))
    f = f->a;
  return f && f->kind == N_IDENT ? f->sym : NULL;
}

bool never_returns(const Node *e) {
  const Symbol *f = called_symbol(inner_expr(e));
  if (!f)
    return false;
  return f->noreturn || (f->kind == S_BUILTIN && is_builtin_end(f->name));
}

static bool calls_builtin(const Node *e) {
  return e->a->kind == N_IDENT && e->a->sym && e->a->sym->kind == S_BUILTIN;
}

// fm_share: the only function whose result has the type of its argument.
static bool calls_share(const Node *e) {
  return e->a->kind == N_IDENT && e->a->sym && e->b &&
         strcmp(e->a->sym->name->name, "fm_share") == 0;
}

static void check_arguments(Unit *u, Node *e) {
  for (Node *a = e->b; a; a = a->next) {
    flags_up(e, a);
    used_as_value(u, a);
  }
  if (!calls_builtin(e))
    e->flags |= NF_CALLS;
  check_va_call(u, e);
}

// The type of the function that is called. NULL: it is no function, and an error was reported.
static Type *called_type(Unit *u, Node *e) {
  Type *f = canon(rvalue(u, e->a));
  if (f->kind == TY_POINTER)
    f = canon(f->base);
  if (f->kind == TY_FUNC)
    return f;
  error_at(u,
           e->tok,
           "a value of type `%s` is not a function: it cannot be called",
           type_text(u, e->a->type));
  return NULL;
}

static void mark_unknown(Node *e) {
  if (canon(e->type)->kind == TY_ERROR)
    e->flags |= NF_UNKNOWN;
}

void check_call(Unit *u, Node *e) {
  note_still(u, e);
  refuse_apply(u, e);
  redirect_call(u, e);
  e->type = type_scalar(u, TY_ERROR);
  check_arguments(u, e);
  bool special = check_builtin_call(u, e);
  if (!special)
    flags_up(e, e->a);
  Type *f = NULL;
  if (!special && canon(e->a->type)->kind != TY_ERROR)
    f = called_type(u, e);
  if (!f) {
    mark_unknown(e);
    return;
  }
  if (check_completion(u, e))
    return;
  e->type = calls_share(e) ? rvalue(u, e->b) : type_unqual(u, f->base);
  mark_unknown(e);
  if (!f->oldstyle)
    count_arguments(u, e, f);
  check_async_call(u, e, f);
}
