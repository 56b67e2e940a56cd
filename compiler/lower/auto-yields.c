// auto-yields.c: puts automatic yields, N_AUTO, into lowered bodies: before and after full
// expressions that call, and with -fauto-yield=loops once in each turn of a loop. merge-yields.c
// later drops yields that stand next to another one.
#include "lower/lowering.h"

// Other activities may run at the end of s, so that a yield after it is not needed.
static bool yield_point(const Node *s) {
  return s && (s->kind == N_AUTO || s->kind == N_YIELD ||
               (s->kind == N_PAUSE && s->op == PAUSE_YIELDS));
}

bool in_atomic(Lower *L) {
  for (Nest *n = L->nest; n; n = n->outer)
    if (n->kind == NEST_ATOMIC)
      return true;
  return false;
}

bool meets_cancels(Lower *L) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_SCOPE) {
    if (n->kind == NEST_ATOMIC || n->kind == NEST_SHIELD ||
        n->kind == NEST_CLEANUP)
      return false;
    n = n->outer;
  }
  return n && in_atomic(L);
}

// The place after the statement `last` may be reached.
static bool falls_through(const Node *last) {
  bool may_end = last && (last->kind == N_EXPR || last->kind == N_PAUSE);
  return !may_end || !ends(last);
}

void put_auto(Lower *L, TokIndex t) {
  if (!falls_through(L->last) || yield_point(L->last))
    return;
  if (in_atomic(L) || L->no_yields)
    return;
  Node *n = node_new(L->u, N_AUTO, t);
  n->val = new_state(L->a, t, WHY_AUTO);
  put_stmt(L, n);
}

// The check after the call, an N_PAUSE, can serve as an automatic yield.
static bool may_yield_after(Lower *L, Node *call) {
  if (!call || call->kind != N_PAUSE || in_atomic(L) || L->no_yields)
    return false;
  return call->b->kind != N_AWAIT && call->b->kind != N_RT &&
         pauses_there(call->b);
}

void put_auto_after(Lower *L, TokIndex t) {
  Node *call = L->last_but_one;
  if (may_yield_after(L, call) && unseen_statement(L->last))
    call->op = PAUSE_YIELDS;
  else
    put_auto(L, t);
}

bool calls(const Node *e) {
  return e && (e->flags & NF_CALLS);
}

void yield_around(Lower *L, const Node *e, TokIndex t) {
  if (L->a->auto_yield && calls(e))
    put_auto(L, t);
}

void yield_in_loop(Lower *L, TokIndex t) {
  if (L->a->loop_yield)
    put_auto(L, t);
}

bool yield_after_condition(Lower *L, Node *s) {
  Node *call = L->last;
  TokIndex t = s->a->tok;
  if (in_atomic(L) || L->no_yields || s->a->kind == N_ASSIGN)
    return false;
  if (may_yield_after(L, call) && unseen(s->a)) {
    call->op = PAUSE_YIELDS;
    return true;
  }
  Symbol *value = new_temp(L, type_scalar(L->u, TY_INT), t);
  put_assign(L, value, truth_node(L, s->a), t);
  put_auto(L, s->tok);
  s->a = ident_node(L, value, t);
  return true;
}
