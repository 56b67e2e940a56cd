// unawaited.c: tasks whose errors would be lost. A spawn whose handle is dropped obeys the rule for
// dropped spawns (throws.c), in whatever form the handle is dropped. A task that throws, is kept in
// a local variable and is never awaited or handed on draws a warning: -Wunawaited-task.
//
// In: expressions as they are parsed; Symbol.mentions counts the mentions of a variable that may
// lead to an await. Out: entries of Unit.thrown, and of Unit.kept until the end of the function.
#include "fmcc.h"

// The value of a statement expression. NULL: it has none.
static Node *last_value(Node *e) {
  Node *last = e->a->a;
  while (last && last->next)
    last = last->next;
  while (last && last->kind == N_LABEL)
    last = last->c;
  return last && last->kind == N_EXPR ? last->a : NULL;
}

// The expressions that can give the value of e: one, or two of `?:`. *second is NULL if there is
// only one.
Node *value_parts(Node *e, Node **second) {
  *second = NULL;
  for (Node *part;; e = part) {
    switch (e->kind) {
    case N_PAREN:
    case N_EXTENSION:
    case N_ATOMIC_EXPR:
      part = e->a;
      break;
    case N_BINARY:
      part = e->op == P_COMMA ? e->b : NULL;
      break;
    case N_STMT_EXPR:
      part = last_value(e);
      break;
    case N_CHOOSE_EXPR:
      part = e->op == CHOOSES_SECOND ? e->b : e->c;
      break;
    case N_COND:
      *second = e->c;
      return e->b ? e->b : e->a;
    default:
      return e;
    }
    if (!part)
      return e;
  }
}

static void drop_task(Unit *u, Node *e) {
  if (e->kind == N_SPAWN) {
    e->op |= SPAWN_DROP;
    if (!(e->op & SPAWN_DETACHED))
      note_dropped(u, throws_of(u, e), e->tok, "this `spawn`");
    return;
  }
  bool task = e->type && canon(e->type)->kind == TY_TASK;
  bool named = e->kind == N_IDENT || e->kind == N_INDEX ||
               e->kind == N_MEMBER || e->kind == N_ARROW;
  bool share = e->kind == N_CALL && e->a->kind == N_IDENT &&
               tok_is(u, e->a->tok, "fm_share");
  if (task && !named && !share && e->kind != N_ASSIGN)
    note_unawaited(u, throws_of(u, e), first_token(e));
}

void drop_value(Unit *u, Node *e) {
  Node *second;
  e = value_parts(e, &second);
  if (second) {
    drop_value(u, e);
    drop_value(u, second);
  } else {
    drop_task(u, e);
    forget_use(e);
  }
}

// The last statement gives the value of a statement expression; it does not drop its value.
bool is_value_of_block(Unit *u) {
  return u->body->value_depth && u->body->value_depth == u->scope_depth &&
         cur(u) == P_SEMI && kind_at(u, u->p + 1) == P_RBRACE;
}

// ---- kept tasks ----
// A mention that leads to no await.
void forget_use(Node *e) {
  while (e->kind == N_PAREN || e->kind == N_INDEX || e->kind == N_EXTENSION)
    e = e->a;
  if (e->kind == N_IDENT && e->sym && e->sym->mentions > 0)
    e->sym->mentions--;
}

static bool holds_tasks(const Symbol *s) {
  Type *t = canon(s->type);
  while (t->kind == TY_ARRAY)
    t = canon(t->base);
  return t->kind == TY_TASK;
}

static bool is_detached(Node *e) {
  Node *second;
  e = value_parts(e, &second);
  if (second)
    return is_detached(e) && is_detached(second);
  return e->kind == N_SPAWN && (e->op & SPAWN_DETACHED);
}

void note_kept(Unit *u, Symbol *into, Node *from) {
  if (!into || into->kept || !holds_tasks(into) || is_detached(from))
    return;
  Try *scope = u->body->tries;
  while (scope && !scope->scope)
    scope = scope->outer;
  Thrown *k = NEW(&u->arena, Thrown);
  *k = (Thrown){
    .set = into->throws,
    .tok = first_token(from),
    .keeper = into,
    .each = scope,
    .next = u->body->whole->kept,
  };
  if (scope)
    k->at = scope->outer;
  if (scope)
    k->thrower = u->body->func;
  u->body->whole->kept = k;
  into->kept = true;
}

void check_kept(Unit *u, Thrown *list) {
  for (Thrown *k = list; k; k = k->next)
    if (!k->keeper->mentions)
      warn_unawaited(u, k);
}
