// dialect-errors.c: parses and checks the statements about errors, cleanup, scopes and shields:
//
//     statement = "throw" [ expr ] ";"
//               | "try" compound { "catch" "(" specs declarator ")" compound }
//                 [ "finally" compound ]
//               | "defer" statement | "shield" statement
//               | "scope" [ "(" name ")" ] statement
//                 { "catch" "each" "(" specs declarator ")" statement } [ "else" statement ]
//
// Each function named …_stmt returns the statement's node; the current token is the keyword.
// Lowering (lower/lower-errors.c, lower/lower-exit.c) turns these statements into jumps and calls
// of the runtime. The clauses `catch each` of a scope are one async function, which shares the
// variables of the function around it. A child that has failed runs it before the child ends.
#include "fmcc.h"

// t is fm_error *.
static bool is_error_pointer(Type *t) {
  t = canon(t);
  return t->kind == TY_POINTER && type_is_record(t->base) &&
         canon(t->base)->tag->name &&
         strcmp(canon(t->base)->tag->name->name, "fm_error") == 0;
}

// Reports a construct that stands in a plain function.
static void needs_async(Unit *u, TokIndex t, const char *what) {
  if (!u->body->async)
    fail_at(u, t, ONLY_ASYNC, what);
}

// Reports a construct that stands in a nested function, an extension of gcc.
static void not_nested(Unit *u, TokIndex t, const char *what) {
  if (u->body->whole->nested)
    error_at(u,
             t,
             "`%s` cannot be used in a nested function: move that function to "
             "file scope",
             what);
}

// ---- throw ----
// Returns the type of the thrown value e; reports a value that cannot be thrown.
static Type *thrown_type(Unit *u, Node *e, TokIndex t) {
  Type *c = canon(rvalue(u, e));
  if (c->kind == TY_STRUCT && !c->tag->complete)
    error_at(u,
             t,
             "`%s` is not complete here: it cannot be thrown",
             type_text(u, c));
  if (c->kind == TY_STRUCT || c->kind == TY_ERROR)
    return c;
  if (is_error_pointer(c))
    error_at(u,
             t,
             "a caught error is thrown again by `throw;`, inside its `catch`");
  else
    error_at(u,
             t,
             "only structures can be thrown, and this value is of type `%s`",
             type_text(u, e->type));
  return type_scalar(u, TY_ERROR);
}

Node *throw_stmt(Unit *u) {
  Node *n = node_new(u, N_THROW, u->p++);
  not_nested(u, n->tok, "throw");
  u->body->natomics++;
  if (cur(u) == K_STRUCT)
    fail_at(u,
            u->p,
            "a value is thrown, not a type: write `throw (struct …){ … };`");
  if (cur(u) != P_SEMI) {
    n->a = parse_expr(u);
    Type *t = thrown_type(u, n->a, first_token(n->a));
    n->type = t;
    if (t->kind == TY_STRUCT && !u->body->whole->nested)
      note_thrown(u, throws_one(u, t), n->tok);
  } else if (!u->body->catching) {
    error_at(u,
             n->tok,
             "`throw;` throws the caught error again: it can be used only "
             "inside a `catch`");
  } else {
    note_rethrown(u);
  }
  n->end = u->p;
  expect(u, P_SEMI, "after `throw`");
  witness_throw(u, n);
  return n;
}

// ---- defer ----
// Parses the statement of a defer or finally. No jump leaves it, and `throw;` in it does not throw
// the error of the catch around again.
static Node *cleanup_body(Unit *u, Node *(*parse)(Unit *)) {
  int breakable = u->body->breakable;
  int loops = u->body->loops;
  int switches = u->body->switches;
  Catch *catching = u->body->catching;
  u->body->breakable = u->body->loops = u->body->switches = 0;
  u->body->catching = NULL;
  u->body->cleanup++;
  Node *s = parse(u);
  u->body->cleanup--;
  u->body->catching = catching;
  u->body->breakable = breakable;
  u->body->loops = loops;
  u->body->switches = switches;
  return s;
}

Node *defer_stmt(Unit *u) {
  Node *n = node_new(u, N_DEFER, u->p++);
  not_nested(u, n->tok, "defer");
  u->body->natomics++;
  bool declares = kind_at(u, u->p + 1) != P_COLON && starts_type(u, u->p);
  if (declares || cur(u) == P_RBRACE)
    fail_at(u, n->tok, "`defer` needs a statement");
  scope_enter(u);
  n->a = cleanup_body(u, parse_statement);
  scope_leave(u);
  n->end = u->p - 1;
  witness_defer(u, n);
  return n;
}

// ---- try ----
// Parses the declaration in the parentheses of a catch. Sets *type to the type of the errors that
// it takes; NULL: all errors.
static Decl *caught_variable(Unit *u, Type **type) {
  Decl *d = NEW(&u->arena, Decl);
  Declarator r;
  TokIndex from = u->p;
  d->specs = parse_specs(u);
  parse_declarator(u, d->specs->base, &r, NAME_OPTIONAL);
  d->type = d->written = r.type;
  d->name = r.name;
  d->tok = r.tok;
  d->range = r.range;
  Type *t = canon(r.type);
  *type = is_error_pointer(t) ? NULL : t;
  if (*type && t->kind == TY_STRUCT && !t->tag->complete)
    error_at(u,
             from,
             "`%s` is not complete here: it cannot be caught",
             type_text(u, r.type));
  if (*type && t->kind != TY_STRUCT && t->kind != TY_ERROR)
    error_at(u,
             from,
             "`catch` takes a structure, or `fm_error *` for any error; `%s` "
             "is neither",
             type_text(u, r.type));
  if (!d->name)
    return d;
  d->sym = declare(u, S_VAR, d->name, d->type, d->tok);
  if (u->body->async)
    new_local(u, d->sym)->scope_from = from;
  return d;
}

// The current token begins `catch each`.
static bool at_each(Unit *u) {
  return word_at(u, u->p) == W_CATCH && kind_at(u, u->p + 1) == T_IDENT &&
         tok_is(u, u->p + 1, "each");
}

// Parses the parentheses of a catch clause and adds the clause k to t. Returns the closing
// parenthesis.
static TokIndex clause_head(Unit *u, Node *n, Try *t, Catch *k) {
  bool any = cur(u) == P_LPAREN && kind_at(u, u->p + 1) == P_ELLIPSIS;
  if (cur(u) == P_LBRACE || any)
    fail_at(u,
            n->tok,
            "`catch` names what it catches: `catch (struct … e)`, or `catch "
            "(fm_error *e)` for any error");
  expect(u, P_LPAREN, "after `catch`");
  n->decl = caught_variable(u, &k->type);
  expect(u, P_RPAREN, "after what `catch` takes");
  TokIndex close = u->p - 1;
  for (Catch *o = t->catches; o; o = o->next)
    if (!o->type || (k->type && o->type->tag == k->type->tag)) {
      error_at(u,
               n->tok,
               "no error reaches this `catch`: a `catch` before it takes the "
               "same errors");
      break;
    }
  *t->tail = k;
  t->tail = &k->next;
  return close;
}

static Node *catch_clause(Unit *u, Try *t) {
  Node *n = node_new(u, N_CATCH, u->p++);
  Catch *k = NEW(&u->arena, Catch);
  Catch *outer = u->body->catching;
  scope_enter(u);
  TokIndex close = clause_head(u, n, t, k);
  u->body->catching = k;
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the block of `catch`");
  n->a = parse_compound(u);
  u->body->catching = outer;
  scope_leave(u);
  n->end = u->p - 1;
  witness_catch(u, n, t->catches == k, close);
  return n;
}

void refuse_stray_catch(Unit *u) {
  if (at_each(u))
    fail_at(u,
            u->p,
            "`catch each` takes errors of a scope's children: it has to follow "
            "the statement of a `scope`, before its `else`");
  fail_at(u, u->p, "`catch` has to follow the block of a `try`");
}

Node *try_stmt(Unit *u) {
  Node *n = node_new(u, N_TRY, u->p++);
  Node **tail = &n->b;
  Try *t = NEW(&u->arena, Try);
  *t = (Try){ .outer = u->body->tries, .tail = &t->catches };
  not_nested(u, n->tok, "try");
  u->body->natomics++;
  u->body->tries = t;
  if (cur(u) != P_LBRACE)
    expect(u, P_LBRACE, "to open the block of `try`");
  n->a = parse_compound(u);
  u->body->tries = t->outer;
  TokIndex body_end = u->p - 1;
  TokIndex finally = 0;
  while (word_at(u, u->p) == W_CATCH && !at_each(u)) {
    *tail = catch_clause(u, t);
    tail = &(*tail)->next;
  }
  if (at_each(u) && !n->b)
    fail_at(u,
            u->p,
            "`catch each` takes errors of a scope's children; a `try` takes "
            "errors by `catch (struct … e)`");
  TokIndex catches_end = u->p - 1;
  if (word_at(u, u->p) == W_FINALLY) {
    finally = u->p++;
    if (cur(u) != P_LBRACE)
      expect(u, P_LBRACE, "to open the block of `finally`");
    n->c = cleanup_body(u, parse_compound);
  } else if (!n->b) {
    error_at(u, n->tok, "`try` needs a `catch` or a `finally` after its block");
  }
  n->end = u->p - 1;
  witness_try(u, n, t, body_end, catches_end, finally);
  return n;
}

// ---- shield, scope ----
Node *shield_stmt(Unit *u) {
  Node *n = node_new(u, N_SHIELD, u->p++);
  witness_drop(u, n->tok);
  needs_async(u, n->tok, "shield");
  u->body->natomics++;
  n->a = parse_statement(u);
  n->end = u->p - 1;
  return n;
}

// Returns fm_activity.
static Type *activity_type(Unit *u, TokIndex t) {
  Ident *name = intern(u, "fm_activity", 11);
  if (!name->sym || name->sym->kind != S_TYPEDEF)
    fail_at(u, t, "`fm_activity` is not declared: include <fermata.h>");
  Type *s = type_sugar(u, TY_TYPEDEF, name->sym->type);
  s->sym = name->sym;
  return s;
}

Decl *hidden_decl(Unit *u, Type *type, Ident *name, TokIndex tok) {
  Decl *d = NEW(&u->arena, Decl);
  d->specs = NEW(&u->arena, Specs);
  d->specs->base = d->type = d->written = type;
  d->specs->range = d->range = (Range){ tok, tok };
  d->name = name;
  d->tok = tok;
  d->sym = declare(u, S_VAR, name, type, tok);
  if (u->body->async)
    new_local(u, d->sym)->scope_from = tok;
  return d;
}

// ---- catch each ----
// Parses one clause.
static Node *each_clause(Unit *u, Try *t) {
  Node *n = node_new(u, N_CATCH, u->p);
  Catch *k = NEW(&u->arena, Catch);
  u->p += 2;
  scope_enter(u);
  TokIndex close = clause_head(u, n, t, k);
  u->body->catching = k;
  n->a = parse_statement(u);
  u->body->catching = NULL;
  scope_leave(u);
  n->end = u->p - 1;
  witness_catch_each(u, n, close);
  return n;
}

// Returns the parameter of the function: fm_error *fm__error.
static Param *error_parameter(Unit *u, TokIndex t) {
  Param *p = NEW(&u->arena, Param);
  Ident *name = intern(u, "fm_error", 8);
  if (!name->sym || name->sym->kind != S_TYPEDEF)
    fail_at(u, t, "`fm_error` is not declared: include <fermata.h>");
  *p = (Param){
    .name = intern(u, "fm__error", 9),
    .tok = t,
    .type = type_pointer(u, name->sym->type),
  };
  p->written = p->type;
  return p;
}

// { throw error; }
static Node *throw_parameter(Unit *u, const Param *p) {
  Node *n = node_new(u, N_COMPOUND, p->tok);
  n->a = node_new(u, N_THROW, p->tok);
  n->a->sym = p->sym;
  n->end = n->a->end = p->tok;
  return n;
}

// Parses all clauses of a scope into a function that gets the error of a child:
// try { throw error; } catch …
static Node *each_clauses(Unit *u, Try *t) {
  Node *n = node_new(u, N_EACH, u->p);
  n->decl = body_decl(u, n->tok, "each", type_scalar(u, TY_VOID));
  n->decl->type->params = error_parameter(u, n->tok);
  Async *a = enter_sharing_body(u, n->decl);
  a->each = true;
  // the function ends before the scope does, so that no later turn of a loop shares its variables
  a->loop = 0;
  u->body->natomics++;
  scope_enter(u);
  declare_params(u, n->decl->type);
  Node *s = node_new(u, N_TRY, n->tok);
  Node **tail = &s->b;
  s->a = throw_parameter(u, n->decl->type->params);
  while (at_each(u)) {
    *tail = each_clause(u, t);
    tail = &(*tail)->next;
  }
  scope_leave(u);
  n->end = s->end = u->p - 1;
  n->a = a->tree = node_new(u, N_COMPOUND, n->tok);
  n->a->a = s;
  n->a->end = n->end;
  n->decl->type->throws = leave_body(u);
  note_thrown(u, n->decl->type->throws, n->tok);
  witness_each(u, n, a);
  return n;
}

// Reports a catch after the end of a scope.
static void refuse_catch(Unit *u) {
  if (at_each(u))
    fail_at(u, u->p, "`catch each` stands before the `else` of its scope");
  if (word_at(u, u->p) == W_CATCH)
    fail_at(u,
            u->p,
            "a `scope` has no `catch`: errors of its children are taken by "
            "`catch each (…)`; its own are taken by a `try` around it");
}

Node *scope_stmt(Unit *u) {
  Node *n = node_new(u, N_SCOPE, u->p++);
  Try *t = NEW(&u->arena, Try);
  needs_async(u, n->tok, "scope");
  u->body->async->contained = true;
  u->body->natomics++;
  u->body->npauses++;
  *t = (Try){
    .outer = u->body->tries,
    .tail = &t->catches,
    .scope = true,
  };
  scope_enter(u);
  if (accept(u, P_LPAREN)) {
    if (cur(u) != T_IDENT)
      expect(u, T_IDENT, "for the scope's identity");
    n->decl = hidden_decl(u, activity_type(u, u->p), tok_at(u, u->p)->id, u->p);
    u->p++;
    expect(u, P_RPAREN, "after the scope's name");
  } else if (cur(u) == T_IDENT && kind_at(u, u->p + 1) == P_LBRACE &&
             !word_at(u, u->p)) {
    fail_at(u,
            u->p,
            "the name of a scope has to be in parentheses: `scope (%s)`",
            tok_at(u, u->p)->id->name);
  }
  u->body->tries = t;
  TokIndex body = u->p;
  TokIndex other = 0;
  n->a = parse_statement(u);
  u->body->tries = t->outer;
  if (at_each(u))
    n->c = each_clauses(u, t);
  scope_leave(u);
  if (cur(u) == K_ELSE) {
    other = u->p++;
    n->b = parse_statement(u);
  }
  refuse_catch(u);
  n->end = u->p - 1;
  witness_scope(u, n, body, other);
  return n;
}
