// dialect-bodies.c: bodies that stand inside a function and run as activities of their own:
// activate, job. (The arms of race are in dialect-race.c.)
//
//     statement = "activate" [ "[" expr "]" ] [ "(" names ")" ] compound
//     unary     = "job" call | "job" "(" names ")" compound
//               | "__fm_thunk" "(" parameters ")" compound
//
// Each body becomes an async function; the copied variables are its parameters. The bodies of
// activate and race know the function around them (`up`) and use its variables in its frame; the
// body of a job does not. A thunk serves macros of the library. It is an async function without a
// name. It can use the types around it (in `typeof`), but none of the variables. Its value is a
// pointer to the function.
#include "fmcc.h"

// ---- the function ----
Ident *written_function(Unit *u) {
  const Decl *d = u->body->async ? u->body->async->decl : NULL;
  if (!d)
    return u->body->func ? u->body->func->name : NULL;
  return name_written(d);
}

Decl *body_decl(Unit *u, TokIndex tok, const char *what, Type *returned) {
  Decl *d = NEW(&u->arena, Decl);
  char name[200];
  const char *outer =
      u->body->async ? u->body->async->name : u->body->func->name->name;
  int n =
      snprintf(name, sizeof name, "%.150s__%s%d", outer, what, ++u->nbodies);
  d->specs = NEW(&u->arena, Specs);
  d->specs->storage = ST_STATIC;
  d->name = intern(u, name, (size_t)n);
  d->inside = written_function(u);
  d->tok = tok;
  d->type = d->written = type_new(u, TY_FUNC, returned);
  d->type->is_async = true;
  d->sym = NEW(&u->arena, Symbol);
  d->sym->kind = S_FUNC;
  d->sym->name = d->name;
  d->sym->type = d->type;
  d->sym->tok = tok;
  // attributes such as `optimize` apply to the code of the body, too
  d->sym->uses =
      (u->body->async ? u->body->async->decl->sym : u->body->func)->uses;
  return d;
}

Async *enter_body(Unit *u, Decl *d) {
  Async *a = new_async(u, d);
  a->boundary = true;
  body_enter(u, d->sym, a);
  return a;
}

Async *enter_sharing_body(Unit *u, Decl *d) {
  Async *a = new_async(u, d);
  vec_push(&u->body->async->inner, a);
  a->up = u->body->async;
  a->loop = u->body->loop;
  body_enter(u, d->sym, a);
  return a;
}

Throws *leave_body(Unit *u) {
  Throws *set = thrown_by_body(u);
  body_leave(u);
  return set;
}

// ---- copies ----
static void one_copy(Unit *u, Node *n, Param ***params, Node ***args) {
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "of a variable to be copied");
  Node *from = node_new(u, N_IDENT, u->p++);
  const bool called = false;
  check_ident(u, from, called);
  Ident *name = tok_at(u, from->tok)->id;
  if (from->sym)
    refuse_va_capture(u, from->sym, from->tok);
  if (from->sym && from->sym->kind != S_VAR)
    error_at(u,
             from->tok,
             "`%s` is not a variable: there is nothing to copy",
             name->name);
  for (Node *a = n->c; a; a = a->next)
    if (tok_at(u, a->tok)->id == name)
      error_at(u,
               from->tok,
               "`%s` is in this list already: remove it",
               name->name);
  Param *p = NEW(&u->arena, Param);
  *p = (Param){
    .name = tok_at(u, from->tok)->id,
    .tok = from->tok,
    .type = param_adjust(u, type_unqual(u, from->type)),
  };
  p->written = p->type;
  if (canon(from->type)->kind == TY_ARRAY)
    p->copied = type_writable(u, from->type);
  **params = p;
  *params = &p->next;
  **args = from;
  *args = &from->next;
}

// [ "(" [ name { "," name } ] ")" ]
static void copies(Unit *u, Node *n, Type *f) {
  Param **params = &f->params;
  Node **args = &n->c;
  if (!accept(u, P_LPAREN))
    return;
  while (cur(u) != P_RPAREN) {
    one_copy(u, n, &params, &args);
    if (!accept(u, P_COMMA))
      break;
  }
  expect(u, P_RPAREN, "after the variables to be copied");
}

// ---- activate ----
Node *activate_stmt(Unit *u) {
  Node *n = node_new(u, N_ACTIVATE, u->p++);
  if (!u->body->async)
    fail_at(u, n->tok, ONLY_ASYNC, "activate");
  TokIndex bracket = 0;
  if (accept(u, P_LBRACKET)) {
    n->b = parse_assign(u);
    expect(u, P_RBRACKET, "after the address for the activity's identity");
    bracket = u->p - 1;
  }
  TokIndex list = u->p;
  n->decl = body_decl(u, n->tok, "activate", type_scalar(u, TY_VOID));
  copies(u, n, n->decl->type);
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the body of `activate`");
  Async *a = enter_sharing_body(u, n->decl);
  TokIndex body = u->p;
  n->d = a->tree = parse_body(u, n->decl, u->p);
  note_dropped(u,
               n->decl->type->throws = leave_body(u),
               n->tok,
               "this body of `activate`");
  // the block around waits for it
  u->body->npauses++;
  n->end = u->p - 1;
  witness_activate(u, n, a, bracket, list, body);
  return n;
}

// ---- job ----
// job (x, y) { … }
static Node *job_body(Unit *u, Node *n) {
  n->decl = body_decl(u, n->tok, "job", type_scalar(u, TY_VOID));
  copies(u, n, n->decl->type);
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the body of `job`");
  Async *a = enter_body(u, n->decl);
  a->infers = true;
  TokIndex open = u->p;
  Node *body = parse_body(u, n->decl, u->p);
  n->decl->type->throws = leave_body(u);
  a->tree = body;
  witness_job(u, n, a, open);
  vec_push(&u->body->whole->jobs, a);
  n->type = type_new(u, TY_JOB, n->decl->type->base);
  for (Node *c = n->c; c; c = c->next)
    used_as_value(u, c);
  return n;
}

// ---- thunks ----
Node *thunk_expr(Unit *u) {
  Node *n = node_new(u, N_IDENT, u->p++);
  if (!u->body->func)
    fail_at(u, n->tok, "this can be used only in a function");
  Decl *d = body_decl(u, n->tok, "thunk", type_scalar(u, TY_VOID));
  parse_params(u, d->type);
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the body");
  Async *a = enter_body(u, d);
  a->infers = a->function = true;
  TokIndex open = u->p;
  a->tree = parse_body(u, d, u->p);
  d->type->throws = leave_body(u);
  witness_thunk(u, n, a, open);
  vec_push(&u->body->whole->jobs, a);
  n->sym = d->sym;
  n->type = d->type;
  return n;
}

Node *job_expr(Unit *u) {
  Node *n = node_new(u, N_JOB, u->p++);
  bool body =
      cur(u) == P_LPAREN && kind_at(u, skip_balanced(u, u->p)) == P_LBRACE;
  if (body)
    return job_body(u, n);
  TokIndex operand = u->p;
  if (cur(u) == P_LBRACE)
    fail_at(u,
            n->tok,
            "the variables that a job copies stand in parentheses before its "
            "body: `job (x, y) { … }`, or `job () { … }`");
  refuse_bare_type(u, n->tok);
  if (cur(u) == P_SEMI)
    fail_argument(u, n->tok, n->tok, NEEDS_CALL);
  n->a = parse_operand(u);
  witness_begin(u, n->tok, operand, "fm__w_job()");
  bool call = n->a->kind == N_CALL && (n->a->flags & NF_ASYNC);
  if (!call)
    fail_argument(u, n->tok, n->tok, NEEDS_CALL);
  if (!call)
    fail_at(u,
            n->tok,
            "`job` needs a call of an async function, or `(variables) { … }`, "
            "after it");
  check_begun(u, n->tok, n->a);
  flags_up(n, n->a->a);
  for (Node *c = n->a->b; c; c = c->next)
    flags_up(n, c);
  n->type = type_new(u, TY_JOB, n->a->type);
  return n;
}
