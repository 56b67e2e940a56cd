// dialect-race.c: race and its arms.
//
//     statement = "race" [ "fair" ] "{" { arm } "}"
//     arm       = [ "for" "(" declaration [ expr ] ";" [ expr ] ")" ]
//                 "case" [ "if" "(" expr ")" ] [ target ] expr ":" { statement }
//               | "default" ":" { statement }
//     target    = lvalue "=" | specs declarator "="
//
// The expression of an arm becomes the body of an async function that shares the variables of the
// function around. An arm of a `for` keeps the values that the variables of the loop have in its
// turn: its expression and its statements have copies under the same names.
#include "fmcc.h"

// ---- what an arm of a `for` keeps ----
Node *arm_value(Unit *u, const char *name, Type *t, TokIndex tok) {
  Node *call = node_new(u, N_RT, tok);
  Node *size = node_new(u, N_CODE, tok);
  const char *text = arena_printf(&u->arena, "sizeof(%s)", type_spelled(u, t));
  size->name = intern(u, text, strlen(text));
  size->type = type_scalar(u, TY_ULONG);
  call->b = size;
  call->op = RT_DOMAIN;
  call->name = intern(u, name, strlen(name));
  call->type = type_pointer(u, type_scalar(u, TY_VOID));
  Node *cast = node_new(u, N_CAST, tok);
  cast->a = call;
  cast->tname = NEW(&u->arena, TypeName);
  cast->tname->type = cast->type = type_pointer(u, t);
  Node *star = node_new(u, N_UNARY, tok);
  star->a = cast;
  star->op = P_STAR;
  star->type = t;
  star->flags = NF_LVALUE;
  return star;
}

// Copies of the variables of the loop, as declarations. loop: NULL if the arm has no `for`.
static Node **kept_variables(Unit *u, const Node *loop, Node **tail) {
  const Decl *d = loop ? loop->a->decl : NULL;
  for (; d; d = d->next) {
    Node *n = node_new(u, N_DECL, u->p);
    n->decl = hidden_decl(u, type_unqual(u, d->type), d->name, u->p);
    n->decl->init = arm_value(u, "fm__arm_kept", n->decl->type, u->p);
    n->decl->sym->local->decl = n->decl;
    *tail = n;
    tail = &n->next;
  }
  return tail;
}

static bool can_be_kept(Type *t) {
  TypeKind k = canon(t)->kind;
  return k != TY_ARRAY && k != TY_FUNC && !type_is_vm(t);
}

static void check_loop(Unit *u, const Node *n, bool waits) {
  if (waits)
    error_at(u,
             n->tok,
             "the heading of a `for` in `race` cannot wait or throw: compute "
             "what it needs before the race");
  if (!n->a || n->a->kind != N_DECL)
    fail_at(u,
            n->tok,
            "a `for` in `race` has to declare its variables, because each arm "
            "keeps their values: `for (int i = 0; …)`");
  for (const Decl *d = n->a->decl; d; d = d->next)
    if (!can_be_kept(d->type))
      error_at(u,
               d->tok,
               "`%s` cannot be kept for an arm of the race: only variables "
               "that can be assigned can be declared here",
               d->name->name);
}

// ---- the expression of an arm ----
// Whether the arm has the form `lvalue = expr :`.
static bool assigns(Unit *u) {
  int depth = 0;
  int questions = 0;
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

// The function of the arm returns the value of the expression.
static void arm_body(Unit *u, Node *block, Node **tail, Node *e) {
  Node *s = node_new(u, type_is_void(e->type) ? N_EXPR : N_RETURN, e->tok);
  *tail = s;
  block->end = s->end = u->p;
  s->a = e;
}

// Whether the arm waits at most once, in its own body: it contains one wait, and nothing that can
// run twice. (A call that throws counts as a pause, too.)
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

static Node *arm_expression(Unit *u, Node *n, const Node *loop) {
  n->decl = body_decl(u, n->tok, "race", type_scalar(u, TY_VOID));
  Async *a = enter_sharing_body(u, n->decl);
  a->arm = true;
  scope_enter(u);
  TokIndex from = u->p;
  Node *block = node_new(u, N_COMPOUND, from);
  Node **tail = kept_variables(u, loop, &block->a);
  Node *e = parse_expr(u);
  scope_leave(u);
  block->tok = e->tok;
  bool waits = e->flags & NF_PAUSE;
  bool once = waits_once(u, from, u->body->npauses - u->body->nthrows) &&
              u->body->natomics == 0;
  // after its wait no other arm may win, so no yield may come
  if (once)
    a->auto_yield = a->loop_yield = false;
  n->decl->type->base = rvalue(u, e);
  arm_body(u, block, tail, e);
  n->a = a->tree = block;
  n->decl->type->throws = leave_body(u);
  note_thrown(u, n->decl->type->throws, first_token(e));
  if (!waits)
    error_at(u,
             first_token(e),
             "this arm of `race` waits for nothing: it has to call an async "
             "function or `await` something");
  return e;
}

// ---- its target ----
// T x = …: the declaration is the first of the arm's statements; lowering gives it the value.
static Node **declared_target(Unit *u, Node *n, Node **tail) {
  Node *d = node_new(u, N_DECL, u->p);
  d->decl = parse_one_declarator(u);
  d->end = d->decl->end = u->p;
  n->op |= ARM_DECLARES;
  *tail = d;
  return &d->next;
}

static void check_target(Unit *u, Node *n, Node *value) {
  if (type_is_void(n->decl->type->base)) {
    error_at(u,
             n->tok,
             "there is nothing to assign: the call returns no value");
    return;
  }
  if (n->b)
    return;
  Decl *d = n->c->decl;
  if (d->specs->auto_type)
    d->type = d->written = d->sym->type = n->decl->type->base;
  else
    check_convert(u, value, d->type);
  give_throws(u, value, d->type, d->sym);
}

static Node **arm_target(Unit *u, Node *n, Node **tail) {
  bool declares = starts_type(u, u->p);
  if (declares)
    tail = declared_target(u, n, tail);
  else if (assigns(u))
    n->b = parse_conditional(u);
  else
    return tail;
  if (n->b && !(n->b->flags & NF_LVALUE))
    error_at(u,
             first_token(n->b),
             "a value cannot be assigned to this: name a variable before `=`");
  expect(u, P_ASSIGN, "after the variable");
  return tail;
}

// ---- arms ----
// `for (…) case` begins arms; any other `for` is a statement.
static bool starts_loop_of_arms(Unit *u) {
  return cur(u) == K_FOR && kind_at(u, u->p + 1) == P_LPAREN &&
         kind_at(u, skip_balanced(u, u->p + 1)) == K_CASE;
}

static bool at_end_of_arm(Unit *u) {
  return cur(u) == K_CASE || cur(u) == K_DEFAULT || cur(u) == P_RBRACE ||
         cur(u) == T_EOF || starts_loop_of_arms(u);
}

static void arm_statements(Unit *u, Node *n, Node **tail) {
  u->body->breakable++;
  while (!at_end_of_arm(u)) {
    *tail = parse_block_item(u);
    tail = &(*tail)->next;
  }
  u->body->breakable--;
  n->end = u->p - 1;
}

static Node *arm_guard(Unit *u, bool in_loop) {
  TokIndex t = u->p;
  int pauses = u->body->npauses;
  if (!accept(u, K_IF))
    return NULL;
  Node *e = parse_condition(u, "after `case if`");
  if (in_loop && u->body->npauses != pauses)
    error_at(u,
             t,
             "the condition of an arm in a `for` cannot wait or throw: compute "
             "it before the race");
  return e;
}

// loop: the `for` that the arm belongs to, or NULL.
static Node *race_arm(Unit *u, int number, Node *loop) {
  Node *n = node_new(u, N_ARM, u->p++);
  Node **tail = &n->c;
  n->d = arm_guard(u, loop);
  TokIndex after_guard = u->p;
  scope_enter(u);
  tail = arm_target(u, n, tail);
  Node *value = arm_expression(u, n, loop);
  if (n->b || n->op & ARM_DECLARES)
    check_target(u, n, value);
  TokIndex colon = u->p;
  expect(u, P_COLON, "after this arm's call");
  tail = kept_variables(u, loop, tail);
  arm_statements(u, n, tail);
  scope_leave(u);
  witness_arm(u, n, number, loop, after_guard, colon);
  return n;
}

static Node *arms_of_loop(Unit *u, int number) {
  int pauses = u->body->npauses;
  Node *n = parse_for_heading(u);
  check_loop(u, n, u->body->npauses != pauses);
  witness_loop_of_arms(u, n, number);
  n->d = race_arm(u, number, n);
  n->end = n->d->end;
  scope_leave(u);
  return n;
}

static Node *default_arm(Unit *u, int number) {
  Node *n = node_new(u, N_ARM, u->p++);
  n->op = ARM_DEFAULT;
  TokIndex colon = u->p;
  expect(u, P_COLON, "after `default`");
  scope_enter(u);
  arm_statements(u, n, &n->c);
  scope_leave(u);
  witness_arm(u, n, number, NULL, colon, colon);
  return n;
}

static Node *one_arm(Unit *u, Node *race, int number) {
  if (starts_loop_of_arms(u)) {
    race->op |= RACE_LISTED;
    return arms_of_loop(u, number);
  }
  if (cur(u) == K_CASE)
    return race_arm(u, number, NULL);
  if (cur(u) != K_DEFAULT)
    fail_at(u, u->p, "an arm of `race` begins with `case`, or is `default:`");
  if (race->op & RACE_DEFAULT)
    error_at(u, u->p, "this `race` has a `default:` already");
  race->op |= RACE_DEFAULT;
  return default_arm(u, number);
}

static bool accept_fair(Unit *u) {
  bool is = cur(u) == T_IDENT && kind_at(u, u->p + 1) == P_LBRACE &&
            strcmp(tok_at(u, u->p)->id->name, "fair") == 0;
  if (is)
    witness_drop(u, u->p);
  u->p += is;
  return is;
}

Node *race_stmt(Unit *u) {
  Node *n = node_new(u, N_RACE, u->p++);
  Node **tail = &n->b;
  if (!u->body->async)
    fail_at(u, n->tok, ONLY_ASYNC, "race");
  u->body->async->contained = true;
  u->body->natomics++;
  u->body->npauses++;
  witness_race(u, n->tok);
  if (accept_fair(u))
    n->op = RACE_FAIR | RACE_LISTED;
  expect(u, P_LBRACE, "after `race`");
  while (cur(u) != P_RBRACE) {
    *tail = one_arm(u, n, (int)n->val);
    tail = &(*tail)->next;
    n->val++;
  }
  if (n->val == (n->op & RACE_DEFAULT ? 1 : 0))
    error_at(u, n->tok, "`race` needs at least one arm: `case f(x): …`");
  n->end = u->p++;
  return n;
}
