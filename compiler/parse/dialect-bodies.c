// dialect-bodies.c: bodies that stand inside a function and run as activities of their own:
// activate, the arms of race, job.
//
//     statement = "activate" [ "[" expr "]" ] [ "(" names ")" ] compound
//               | "race" "{" { "case" [ lvalue "=" ] expr ":" { statement } } "}"
//     unary     = "job" call | "job" "(" names ")" compound
//               | "__fm_thunk" "(" parameters ")" compound
//
// Each becomes an async function whose parameters are the copies. Those of activate and race know
// the function around, `up`, and use its variables in its frame; that of a job does not. A thunk is
// for macros of the library: an async function that has no name, with the types around at hand (in
// `typeof`), but none of the variables; its value is a pointer to it.
#include "fmcc.h"

// ---- the function ----
Ident *written_function(Unit *u) {
  const Decl *d = u->body->async ? u->body->async->decl : NULL;
  if (!d)
    return u->body->func ? u->body->func->name : NULL;
  return name_written(d);
}

static Decl *
body_decl(Unit *u, TokIndex tok, const char *what, Type *returned) {
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
  // how its code is made
  d->sym->uses =
      (u->body->async ? u->body->async->decl->sym : u->body->func)->uses;
  return d;
}

// shares: it uses the variables of the function around
static Async *enter_body(Unit *u, Decl *d, bool shares) {
  Async *a = new_async(u, d);
  if (shares) {
    vec_push(&u->body->async->inner, a);
    a->up = u->body->async;
    a->loop = u->body->loop;
  }
  a->boundary = !shares;
  body_enter(u, d->sym, a);
  return a;
}

// what the body throws
static Throws *leave_body(Unit *u) {
  Throws *set = thrown_by_body(u);
  body_leave(u);
  return set;
}

// ---- copies ----
static void one_copy(Unit *u, Node *n, Param ***params, Node ***args) {
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "of a variable to be copied");
  Node *from = node_new(u, N_IDENT, u->p++);
  check_ident(u, from, false);
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
      error_at(u, from->tok, "`%s` is copied already", name->name);
  Param *p = NEW(&u->arena, Param);
  *p = (Param){ .name = tok_at(u, from->tok)->id,
                .tok = from->tok,
                .type = param_adjust(u, type_unqual(u, from->type)) };
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
    fail_at(u, n->tok, "`activate` can be used only in an async function");
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
  Async *a = enter_body(u, n->decl, true);
  TokIndex body = u->p;
  n->d = a->tree = parse_body(u, n->decl, u->p);
  note_dropped(u,
               n->decl->type->throws = leave_body(u),
               n->tok,
               "this body of `activate`");
  n->end = u->p - 1;
  witness_activate(u, n, a, bracket, list, body);
  return n;
}

// ---- race ----
// `lvalue = expr :`
static bool assigns(Unit *u) {
  int depth = 0, questions = 0;
  for (TokIndex t = u->p; kind_at(u, t) != T_EOF; t++) {
    TokenKind k = kind_at(u, t);
    if (k == P_LPAREN || k == P_LBRACKET || k == P_LBRACE)
      depth++;
    if (k == P_RPAREN || k == P_RBRACKET || k == P_RBRACE)
      depth--;
    if (depth < 0 || (k == P_SEMI && depth == 0))
      return false;
    if (depth)
      continue;
    if (k == P_QUESTION)
      questions++;
    if (k == P_COLON && questions-- == 0)
      return false;
    if (k == P_ASSIGN)
      return true;
  }
  return false;
}

// The arm's expression is what its function returns.
static Node *arm_body(Unit *u, Node *e, TokIndex end) {
  Node *block = node_new(u, N_COMPOUND, e->tok),
       *s = node_new(u, type_is_void(e->type) ? N_EXPR : N_RETURN, e->tok);
  block->a = s;
  block->end = s->end = end;
  s->a = e;
  return block;
}

// It waits at most once, in its own body: no more waits are written in it, and nothing in it can
// run twice. (What throws is counted as a pause, too.)
static bool waits_once(Unit *u, TokIndex from, int waits) {
  if (waits != 1)
    return false;
  for (TokIndex t = from; t < u->p; t++)
    switch (kind_at(u, t)) {
    case K_FOR:
    case K_WHILE:
    case K_DO:
    case K_GOTO:
      return false;
    case T_IDENT:
      if (word_at(u, t) == W_ACTIVATE || word_at(u, t) == W_DEFER ||
          word_at(u, t) == W_TRY)
        return false;
      break;
    default:
      break;
    }
  return true;
}

static void arm_expression(Unit *u, Node *n) {
  n->decl = body_decl(u, n->tok, "race", type_scalar(u, TY_VOID));
  Async *a = enter_body(u, n->decl, true);
  a->arm = true;
  scope_enter(u);
  TokIndex from = u->p;
  Node *e = parse_expr(u);
  scope_leave(u);
  bool waits = e->flags & NF_PAUSE;
  bool once = waits_once(u, from, u->body->npauses - u->body->nthrows) &&
              u->body->natomics == 0;
  // once it has what it waits for, no other arm may win
  if (once)
    a->auto_yield = a->loop_yield = false;
  n->decl->type->base = rvalue(u, e);
  n->a = a->tree = arm_body(u, e, u->p);
  n->decl->type->throws = leave_body(u);
  note_thrown(u, n->decl->type->throws, first_token(e));
  if (!waits)
    error_at(u,
             first_token(e),
             "this arm of `race` waits for nothing: it has to call an async "
             "function or `await` "
             "something");
}

static Node *race_arm(Unit *u, int number) {
  Node *n = node_new(u, N_ARM, u->p), **tail = &n->c;
  if (!accept(u, K_CASE))
    fail_at(u, u->p, "an arm of `race` begins with `case`");
  if (assigns(u)) {
    n->b = parse_conditional(u);
    if (!(n->b->flags & NF_LVALUE))
      error_at(u, first_token(n->b), "a value cannot be assigned to this");
    expect(u, P_ASSIGN, "after the variable");
  }
  arm_expression(u, n);
  if (n->b && type_is_void(n->decl->type->base))
    error_at(u,
             n->tok,
             "there is nothing to assign: the call returns no value");
  TokIndex colon = u->p;
  expect(u, P_COLON, "after this arm's call");
  u->body->breakable++;
  scope_enter(u);
  while (cur(u) != K_CASE && cur(u) != P_RBRACE && cur(u) != T_EOF) {
    *tail = parse_block_item(u);
    tail = &(*tail)->next;
  }
  scope_leave(u);
  u->body->breakable--;
  n->end = u->p - 1;
  witness_arm(u, n, number, colon, n->end);
  return n;
}

Node *race_stmt(Unit *u) {
  Node *n = node_new(u, N_RACE, u->p++), **tail = &n->b;
  if (!u->body->async)
    fail_at(u, n->tok, "`race` can be used only in an async function");
  u->body->async->thunk = true;
  u->body->natomics++;
  u->body->npauses++;
  witness_race(u, n->tok);
  expect(u, P_LBRACE, "after `race`");
  while (cur(u) != P_RBRACE) {
    *tail = race_arm(u, (int)n->val);
    tail = &(*tail)->next;
    n->val++;
  }
  if (!n->b)
    error_at(u, n->tok, "`race` needs at least one arm: `case f(x): …`");
  n->end = u->p++;
  return n;
}

// ---- job ----
// job (x, y) { … }
static Node *job_body(Unit *u, Node *n) {
  n->decl = body_decl(u, n->tok, "job", type_scalar(u, TY_VOID));
  copies(u, n, n->decl->type);
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the body of `job`");
  Async *a = enter_body(u, n->decl, false);
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
  Async *a = enter_body(u, d, false);
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
  n->a = parse_operand(u);
  witness_begin(u, n->tok, operand, true);
  bool call = n->a->kind == N_CALL && (n->a->flags & NF_ASYNC);
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
