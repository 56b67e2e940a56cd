// awaitable.c: structures that can be awaited, and the functions that end waits by hand.
//
//     await x            x is a structure S, or a pointer to one, with S_is_completed(x),
//                        S_on_completed(x, fm_action *), S_get_result(x), and perhaps S_cancel(x)
//     fm_complete(k, v)  k is a fm_completion(T) *, v a T; of fm_completion(void): fm_complete(k)
//     fm_fail(k, error)  error is any structure
#include "fmcc.h"

// ---- the pattern ----
static Tag *tag_of(Type *t) {
  t = canon(t);
  if (t->kind == TY_POINTER)
    t = canon(t->base);
  return type_is_record(t) ? t->tag : NULL;
}

static const char *const parts[AWAIT_FUNCTIONS] = {
  [AWAIT_IS_COMPLETED] = "is_completed",
  [AWAIT_ON_COMPLETED] = "on_completed",
  [AWAIT_GET_RESULT] = "get_result",
  [AWAIT_CANCEL] = "cancel",
};

static Symbol *pattern_function(Unit *u, Tag *g, const char *what) {
  Symbol *s = g->typedef_sym && !g->name ? g->typedef_sym : NULL;
  const char *text = arena_printf(&u->arena,
                                  "%s_%s",
                                  g->name ? g->name->name
                                  : s     ? s->name->name
                                          : "",
                                  what);
  Symbol *f = intern(u, text, strlen(text))->sym;
  return f && f->kind == S_FUNC && canon(f->type)->kind == TY_FUNC ? f : NULL;
}

static Param *param(Symbol *f, int n) {
  Param *p = canon(f->type)->params;
  while (p && n-- > 0)
    p = p->next;
  return p;
}

static bool takes(Unit *u, Symbol *f, Type *x) {
  return param(f, 0) && type_compatible(u, param(f, 0)->type, x);
}

static bool is_action(Type *t) {
  t = canon(t);
  return t->kind == TY_POINTER && type_is_record(t->base) &&
         canon(t->base)->tag->name &&
         strcmp(canon(t->base)->tag->name->name, "fm_action") == 0;
}

static void missing(Unit *u, Node *n, const char *name, Symbol **f) {
  error_at(
      u,
      n->tok,
      "a value of type `%s` cannot be awaited: it is neither a task, a job nor "
      "a call of an "
      "async function, and not all of `%s_is_completed`, `%s_on_completed` and "
      "`%s_get_result` are declared",
      type_text(u, n->a->type),
      name,
      name,
      name);
  for (int i = 0; i < AWAIT_CANCEL; i++)
    if (!f[i])
      note_at(u, n->tok, "`%s_%s` is not declared", name, parts[i]);
}

static bool pattern_fits(Unit *u, Node *n, Symbol **f, Type *x) {
  for (int i = 0; i < AWAIT_FUNCTIONS; i++) {
    if (!f[i] || takes(u, f[i], x))
      continue;
    error_at(u,
             n->tok,
             "`%s` has to take the awaited `%s`",
             f[i]->name->name,
             type_text(u, x));
    note_at(u, f[i]->tok, "it is declared here");
    return false;
  }
  if (!param(f[AWAIT_ON_COMPLETED], 1) ||
      !is_action(param(f[AWAIT_ON_COMPLETED], 1)->type) ||
      param(f[AWAIT_ON_COMPLETED], 1)->next) {
    error_at(u,
             f[AWAIT_ON_COMPLETED]->tok,
             "`%s` has to take the awaited object and a `fm_action *`",
             f[AWAIT_ON_COMPLETED]->name->name);
    return false;
  }
  if (!type_is_scalar(canon(f[AWAIT_IS_COMPLETED]->type)->base)) {
    error_at(u,
             f[AWAIT_IS_COMPLETED]->tok,
             "`%s` has to return a `bool`: whether the object is completed",
             f[AWAIT_IS_COMPLETED]->name->name);
    return false;
  }
  if (f[AWAIT_CANCEL] && canon(x)->kind != TY_POINTER) {
    error_at(u,
             n->tok,
             "`%s` can be used only where a pointer is awaited",
             f[AWAIT_CANCEL]->name->name);
    return false;
  }
  return true;
}

Node *await_object(Unit *u, Node *n) {
  Type *x = rvalue(u, n->a);
  Tag *g = tag_of(x);
  Symbol *f[AWAIT_FUNCTIONS] = { 0 };
  n->type = type_scalar(u, TY_ERROR);
  for (int i = 0; g && i < AWAIT_FUNCTIONS; i++)
    f[i] = pattern_function(u, g, parts[i]);
  if (!g) {
    error_at(u,
             n->tok,
             "a value of type `%s` cannot be awaited: it is neither a task, a "
             "job nor a call of an "
             "async function",
             type_text(u, n->a->type));
  } else if (!f[AWAIT_IS_COMPLETED] || !f[AWAIT_ON_COMPLETED] ||
             !f[AWAIT_GET_RESULT]) {
    missing(u,
            n,
            g->name          ? g->name->name
            : g->typedef_sym ? g->typedef_sym->name->name
                             : "S",
            f);
  } else if (pattern_fits(u, n, f, x)) {
    n->object = arena_alloc(&u->arena, sizeof f);
    memcpy(n->object, f, sizeof f);
    n->type = canon(f[AWAIT_GET_RESULT]->type)->base;
    note_thrown(u, canon(f[AWAIT_GET_RESULT]->type)->throws, n->tok);
  }
  if (u->body->atomic_depth)
    n->flags |= NF_ATOMIC;
  if (u->body->async || u->body->atomic_depth) {
    n->flags |= NF_PAUSE;
    u->body->npauses++;
  } else {
    error_at(u, n->tok, ONLY_ASYNC, "await");
  }
  return n;
}

// ---- completions ----
bool is_completion_name(const Ident *id) {
  return strncmp(id->name, "fm_", 3) == 0 &&
         (strcmp(id->name, "fm_complete") == 0 ||
          strcmp(id->name, "fm_fail") == 0);
}

static Type *completed_type(Unit *u, Node *e) {
  Type *k = e->b ? canon(rvalue(u, e->b)) : NULL;
  if (k && k->kind == TY_POINTER && canon(k->base)->kind == TY_COMPLETION)
    return canon(k->base)->base;
  error_at(u,
           e->b ? first_token(e->b) : e->end,
           "`%s` needs a pointer to a completion, as the parameter "
           "`fm_completion(T) *k` of an "
           "asyncdirect function is",
           tok_at(u, e->a->tok)->id->name);
  return NULL;
}

// The first token of the second argument.
static TokIndex second_argument(Unit *u, const Node *call) {
  TokIndex t = call->a->tok + 2;
  while (kind_at(u, t) != P_COMMA)
    t = kind_at(u, t) == P_LPAREN || kind_at(u, t) == P_LBRACKET ||
                kind_at(u, t) == P_LBRACE
            ? skip_balanced(u, t)
            : t + 1;
  return t + 1;
}

static bool calls_completion(const Node *e) {
  return e->a->kind == N_IDENT && e->a->sym && e->a->sym->kind == S_FUNC &&
         is_completion_name(e->a->sym->name);
}

// value: the value of fm_complete, or the error of fm_fail; NULL: the argument is missing.
static void check_completed(Unit *u, Node *e, Type *t, Node *value, bool fail) {
  bool wants = fail || !type_is_void(t);
  if (wants && !value) {
    error_at(u,
             e->end,
             fail ? "`fm_fail` needs the error: any structure"
                  : "`fm_complete` needs the value, a `%s`",
             type_text(u, t));
  } else if (value && (value->next || !wants)) {
    error_at(u,
             first_token(wants ? value->next : value),
             wants
                 ? "too many arguments: `%s` takes the completion and one value"
                 : "too many arguments: this completion has no value",
             fail ? "fm_fail" : "fm_complete");
  } else if (fail && canon(rvalue(u, value))->kind != TY_STRUCT) {
    error_at(u,
             first_token(value),
             "only structures can be thrown, and this value is of type `%s`",
             type_text(u, value->type));
  } else if (value && !fail) {
    check_given(u, value, t);
    witness_completed(u, second_argument(u, e), e->end - 1, t);
  }
}

bool check_completion(Unit *u, Node *e) {
  if (!calls_completion(e))
    return false;
  bool fail = tok_is(u, e->a->tok, "fm_fail");
  Type *t = completed_type(u, e);
  Node *value = e->b ? e->b->next : NULL;
  e->type = type_scalar(u, TY_BOOL);
  if (!t)
    return true;
  check_completed(u, e, t, value, fail);
  e->kind = N_COMPLETE;
  e->op = fail ? COMPLETE_BY_FAIL : 0;
  e->a = e->b;
  e->b = value;
  if (e->a)
    e->a->next = NULL;
  if (!fail)
    e->object = (Symbol **)t;
  return true;
}
