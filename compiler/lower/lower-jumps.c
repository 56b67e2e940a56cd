// lower-jumps.c: lowers return, break, continue and goto. A jump first runs the cleanup of the
// regions (regions.c) that it leaves. `return f(x);` becomes a tail call, N_TAIL, if nothing has to
// be done in this function after f. Refuses jumps that would enter a region.
#include "lower/lowering.h"

// ---- return ----
// A return out of a region: the value is kept in a variable while cleanups run.
static void return_later(Lower *L, Node *s) {
  bool kept = s->a && s->a->kind == N_IDENT && s->a->sym == L->ret;
  if (s->a && type_is_void(L->returned)) {
    put_expr(L, s->a, s->tok);
    s->a = NULL;
  } else if (s->a && !kept) {
    if (!L->ret) {
      L->ret = own_temp(L, L->returned, s->tok);
      L->ret->local->zeroed = true;
    }
    put_assign(L, L->ret, s->a, s->tok);
    s->a = ident_node(L, L->ret, s->tok);
  }
  leave_first(L, s, NULL);
}

static void put_tail_call(Lower *L, Node *s, Node *call) {
  lower_parts(L, call);
  note_throwing(L, call);
  Node *n = make_node(L, N_TAIL, s->tok, NULL, call);
  // the states are used if the frame has to stay until the callee has ended (tail.c)
  n->val = new_state(L->a, s->tok, WHY_TAIL);
  new_state(L->a, s->tok, WHY_AFTER);
  put_stmt(L, n);
}

static bool is_async_call(Lower *L, const Node *e) {
  return !L->plain && e && has_pause(e) && e->kind == N_CALL &&
         pauses_there(e) && is_pause_call(e);
}

void lower_return(Lower *L, Node *s) {
  yield_around(L, s->a, s->tok);
  Node *e = without_parentheses(s->a);
  bool call = is_async_call(L, e);
  bool same = call && type_compatible(L->u, e->type, L->returned);
  bool enclosed = landing_here(L);
  if (call && enclosed)
    warn_enclosed_tail(L, s);
  else if (call && !same)
    warn_converted_tail(L, s, e);
  if (same && !enclosed) {
    put_tail_call(L, s, e);
    return;
  }
  if (s->a)
    s->a = lower_expr(L, s->a);
  if (s->a && s->a->kind == N_CODE)
    s->a = NULL;
  if (enclosed && leaving_costs(L))
    return_later(L, s);
  else
    put_stmt(L, s);
}

// ---- break, continue ----
void lower_jump(Lower *L, Node *s) {
  Nest *to = loop_around(L, s->kind == N_BREAK);
  if (leave_first(L, s, to))
    return;
  if (s->kind == N_CONTINUE && to && to->next) {
    s->kind = N_GOTO;
    s->name = to->next;
  }
  put_stmt(L, s);
}

// ---- goto ----
// The token stands in the region. An empty region is the whole body.
static bool inside(Range r, TokIndex t) {
  return r.from == r.to || (t >= r.from && t <= r.to);
}

// Reports a goto that leaves a cleanup or enters a region.
static void check_goto(Lower *L, Node *s, LabelPlace *k) {
  Nest *to = nest_around(L, k->tok);
  for (Nest *n = L->nest; n && n != to; n = n->outer)
    if (n->kind == NEST_CLEANUP) {
      error_at(L->u, s->tok, "a jump cannot leave `finally` or `defer`");
      return;
    }
  if (inside(k->region, s->tok))
    return;
  error_at(
      L->u,
      s->tok,
      "this jump to `%s` skips the beginning of something (a `defer`, a "
      "variable that is cleaned up, a `try`, `scope`, `shield` or `atomic`)",
      s->name->name);
  note_at(L->u, k->tok, "the label is here");
}

static LabelPlace *find_place(Lower *L, const Ident *name) {
  LabelPlace *k = L->labels;
  while (k && k->name != name)
    k = k->next;
  return k;
}

static void refuse_unknown_label(Lower *L, Node *s) {
  const char *text =
      L->a->each ? "there is no label `%s` in this clause; a jump cannot leave "
                   "the clause `catch each`"
      : L->a->up ? "there is no label `%s` in this body of `activate`; a jump "
                   "cannot leave the body"
                 : "there is no label `%s` in this function; a jump cannot "
                   "enter the body of `activate` or a clause `catch each`";
  error_at(L->u, s->end - 1, text, s->name->name);
}

void lower_goto(Lower *L, Node *s) {
  LabelPlace *k = find_place(L, s->name);
  bool ours = is_ours(s->name);
  if (!k && !L->plain && !L->local_labels && !ours)
    refuse_unknown_label(L, s);
  if (k)
    check_goto(L, s, k);
  if (k && leave_first(L, s, nest_around(L, k->tok)))
    return;
  put_stmt(L, s);
}

// A jump from s to the label would leave or enter a region.
static bool crosses_region(Lower *L, Node *s, const LabelPlace *k) {
  const Nest *to = nest_around(L, k->tok);
  for (const Nest *n = L->nest; n && n != to; n = n->outer)
    if (n->kind == NEST_REGION || n->kind == NEST_CLEANUP)
      return true;
  return !inside(k->region, s->tok);
}

// The jump may lead to every label whose address is taken.
void lower_computed_goto(Lower *L, Node *s) {
  bool none = true;
  const LabelPlace *k = L->labels;
  for (; k && !(k->taken && crosses_region(L, s, k)); k = k->next)
    none &= !k->taken;
  if (k || (none && leaving_costs(L)))
    error_at(L->u,
             s->tok,
             "the target of this `goto` is not known, and something may have "
             "to be done on the way (a `defer`, the beginning or end of a "
             "`try`, `scope`, `shield` or `atomic` …): use `switch`");
  if (k)
    note_at(L->u, k->tok, "the target may be `%s`", k->name->name);
  put_stmt(L, s);
}
