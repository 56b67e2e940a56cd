// varargs.c: `...` and va_list in async functions. The variable arguments of a call stand on the C
// stack: they exist until the first pause, and only in the call and atomic versions. So no pause
// may come between a va_start and the last use of its list, nor before a va_start.
//
// This file needs the liveness of live.c. There, va_start begins a list and uses the arguments
// (Async.varargs stands for them), and va_end is no use. Automatic yields are left out where a list
// is live. Because va_end is no use, say(fmt, ...) can call vsay(fmt, ap), which pauses after it
// has read its list.
#include "fmcc.h"

static bool is_list_name(const char *s) {
  return strcmp(s, "__builtin_va_list") == 0 ||
         strcmp(s, "__gnuc_va_list") == 0 || strcmp(s, "va_list") == 0;
}

// On most targets va_list is an array of a structure of its own, and is known by that structure. On
// i386 it is `char *`, and is known by the name in its declaration.
bool is_va_list(Unit *u, Type *t) {
  Type *c = canon(t);
  Type *list = canon(u->va_list_type);
  if (list->kind == TY_ARRAY)
    return (c->kind == TY_ARRAY || c->kind == TY_POINTER) &&
           type_is_record(c->base) &&
           canon(c->base)->tag == canon(list->base)->tag;
  for (; t->kind == TY_TYPEDEF || t->kind == TY_TYPEOF; t = t->base)
    if (t->kind == TY_TYPEDEF && t->sym && is_list_name(t->sym->name->name))
      return true;
  return false;
}

// Whether t is a va_list, or has one as a member or an element.
static bool holds_va_list(Unit *u, Type *t) {
  Type *c = canon(t);
  if (is_va_list(u, t))
    return true;
  if (c->kind == TY_ARRAY)
    return holds_va_list(u, c->base);
  if (!type_is_record(c) || !c->tag->complete)
    return false;
  for (Member *m = c->tag->members; m; m = m->next)
    if (holds_va_list(u, m->type))
      return true;
  return false;
}

// ---- va_start and the like ----
VaOperation va_operation(const Node *call) {
  static const struct {
    const char *name;
    VaOperation what;
    // clang-format off
  } names[] = {
    { "__builtin_va_start", VA_START },
    { "__builtin_c23_va_start", VA_START },
    { "__builtin_stdarg_start", VA_START },
    { "__builtin_va_copy", VA_COPY },
    { "__builtin_va_end", VA_END },
  };
  // clang-format on
  const Symbol *f =
      call->kind == N_CALL && call->a->kind == N_IDENT ? call->a->sym : NULL;
  if (!f || f->kind != S_BUILTIN)
    return VA_NONE;
  for (size_t i = 0; i < COUNT(names); i++)
    if (strcmp(f->name->name, names[i].name) == 0)
      return names[i].what;
  return VA_NONE;
}

bool is_va_start(const Node *f) {
  const Node call = { .kind = N_CALL, .a = (Node *)f };
  return va_operation(&call) == VA_START;
}

static const Node *bare_list(const Node *e) {
  while (e->kind == N_PAREN || e->kind == N_EXTENSION)
    e = e->a;
  return e;
}

// The first argument, if it is a local variable.
Symbol *va_list_variable(const Node *call) {
  const Node *e = call->b ? bare_list(call->b) : NULL;
  return e && e->kind == N_IDENT && e->sym && e->sym->local ? e->sym : NULL;
}

// A list that is not a local variable could be used where fmcc does not see it.
void check_va_call(Unit *u, Node *e) {
  VaOperation what = va_operation(e);
  if (!u->body->async || what == VA_NONE || what == VA_END)
    return;
  const char *name = what == VA_START ? "va_start" : "va_copy";
  if (!va_list_variable(e))
    error_at(
        u,
        first_token(e->a),
        "in an async function `%s` needs a local variable of type `va_list`",
        name);
  if (what == VA_START && (u->body->async->up || u->body->async->boundary))
    error_at(u,
             first_token(e->a),
             "`va_start` cannot be used in the body of `activate`, `race` or "
             "`job`: the arguments `...` belong to the function around it");
}

// &ap: other code may use the list until va_end.
void note_va_address(Unit *u, Node *e) {
  const Node *v = bare_list(e);
  if (v->kind == N_IDENT && v->sym && v->sym->local &&
      is_va_list(u, v->sym->type))
    v->sym->local->va_pointed = true;
}

void refuse_va_capture(Unit *u, Symbol *s, TokIndex t) {
  if (holds_va_list(u, s->type))
    error_at(u,
             t,
             "a `va_list` cannot be shared with, or copied to, a body that "
             "runs as another activity: read the arguments before");
}

// ---- spawn, run, job: the arguments are kept in a frame ----
bool takes_va_list(Unit *u, const Type *f) {
  for (const Param *q = f->params; q; q = q->next)
    if (holds_va_list(u, q->type))
      return true;
  return false;
}

void check_begun(Unit *u, TokIndex t, Node *call) {
  Type *f = canon(rvalue(u, call->a));
  Symbol *named = (Symbol *)called_symbol(call);
  if (named)
    named->started = true;
  if (f->kind == TY_POINTER)
    f = canon(f->base);
  if (f->kind != TY_FUNC || (!f->variadic && !takes_va_list(u, f)))
    return;
  size_t n;
  const char *word = tok_text(u, t, &n);
  error_at(u,
           t,
           "`%.*s` cannot start a function that takes %s: these arguments are "
           "gone when it runs; call it from a function with fixed parameters",
           (int)n,
           word,
           f->variadic ? "`...`" : "a `va_list`");
}

// ---- the whole function ----
// The function cannot begin in a frame, so it has no check on entry.
bool begins_in_call(const Async *a) {
  return a->type->variadic || takes_va_list(a->u, a->type);
}

void refuse_variadic(Async *a) {
  Unit *u = a->u;
  if (!a->type->variadic)
    return;
  if (strcmp(a->decl->name->name, "main") == 0)
    error_at(u, a->decl->tok, "`main` cannot take `...`");
  if (a->inner.len || a->contained)
    error_at(u,
             a->decl->tok,
             "an async function that takes `...` cannot contain `scope`, "
             "`race` or `activate`: move them to another function");
}

static bool is_pause(const State *s) {
  return s->used && s->why != WHY_START && s->why != WHY_AFTER &&
         s->why != WHY_AUTO && s->why != WHY_THROW;
}

// Whether the variable is live. For a list in a structure, and for a parameter whose address is
// taken (no va_end shows when its use ends), liveness is not known: there it counts while in scope.
static bool needed_at(const State *s, const Local *k) {
  bool in_scope = s->tok >= k->scope_from && s->tok < k->scope_to;
  if (k->va == VA_LIST && (!k->va_pointed || !k->sym->is_param))
    return live_at(s, k);
  return k->va != VA_NO_LIST && (in_scope || k->sym->is_param);
}

static void refuse_list(Async *a, const State *s, const Local *k) {
  const char *name = k->sym->name->name;
  if (k->va == VA_LIST)
    error_at(a->u,
             s->tok,
             "this may pause while the `va_list` `%s` is still needed, and a "
             "`va_list` cannot be kept across a pause",
             name);
  else
    error_at(
        a->u,
        s->tok,
        "this may pause while `%s` is in scope, and its `va_list` cannot be "
        "kept across a pause",
        name);
  note_at(a->u,
          k->sym->tok,
          "it is declared here; end its %s before the pause",
          k->va == VA_LIST ? "use" : "block");
}

// A list that is needed after the pause, or NULL.
static const Local *list_needed(const Async *a, const State *s) {
  for (size_t i = 0; i < a->locals.len && a->has_va_list; i++)
    if (needed_at(s, a->locals.at[i]))
      return a->locals.at[i];
  return NULL;
}

void refuse_va_pauses(Async *a) {
  for (int i = 1; i < a->nstates; i++) {
    const State *s = &a->states[i];
    const Local *k = is_pause(s) ? list_needed(a, s) : NULL;
    if (k) {
      refuse_list(a, s, k);
      return;
    }
    if (!is_pause(s) || !a->varargs || !live_at(s, a->varargs))
      continue;
    error_at(
        a->u,
        s->tok,
        "this may pause before a `va_start`, and the arguments `...` cannot be "
        "kept across a pause: read them first");
    return;
  }
}

bool holds_va(const Async *a, const State *s) {
  return (a->varargs && live_at(s, a->varargs)) || list_needed(a, s);
}

// Called after lowering, when no more variables are made.
void find_va_lists(Async *a) {
  FOR_EACH (Local, k, a->locals) {
    if (holds_va_list(a->u, k->sym->type))
      k->va = is_va_list(a->u, k->sym->type) ? VA_LIST : VA_HOLDER;
    a->has_va_list |= k->va != VA_NO_LIST;
  }
  if (!a->type->variadic)
    return;
  a->has_va_list = true;
  a->varargs = NEW(&a->u->arena, Local);
  int index = (int)a->locals.len + 1; // after live.c's own member of its sets
  *a->varargs = (Local){
    .owner = a,
    .name = "...",
    .index = index,
    .slot = -1,
  };
}
