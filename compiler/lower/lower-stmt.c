// lower-stmt.c: normalise statements. Control flow stays the source's own where it can; loops whose
// condition or step pauses become endless loops with a break, and `continue` in them becomes a
// goto. Automatic yields are put between full expressions; a jump first leaves what lower-exit.c
// has to clean up.
#include "lower/lowering.h"

#include <string.h>

// ---- automatic yields ----
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

// merged with the yield just before
static void put_auto(Lower *L, TokIndex t) {
  bool reached = !L->last ||
                 (L->last->kind != N_EXPR && L->last->kind != N_PAUSE) ||
                 !ends(L->last);
  if (!reached || yield_point(L->last) || in_atomic(L) || L->no_yields)
    return;
  Node *n = node_new(L->u, N_AUTO, t);
  n->val = new_state(L->a, t, WHY_AUTO);
  put_stmt(L, n);
}

// it can
static bool yields_behind(Lower *L, Node *call) {
  return call && call->kind == N_PAUSE && call->b->kind != N_AWAIT &&
         call->b->kind != N_RT && pauses_there(call->b) && !in_atomic(L) &&
         !L->no_yields;
}

// Behind a full expression. What remains of it behind its last pause may be such that a yield
// between the two is as good: `x = f() + 1` becomes t = f(); x = t + 1, and the check behind the
// call serves.
static void put_auto_after(Lower *L, TokIndex t) {
  Node *call = L->last_but_one;
  if (yields_behind(L, call) && unseen_statement(L->last))
    call->op = PAUSE_YIELDS;
  else
    put_auto(L, t);
}

static bool calls(const Node *e) {
  return e && (e->flags & NF_CALLS);
}

// before or after a full expression
static void yield_around(Lower *L, const Node *e, TokIndex t) {
  if (L->a->auto_yield && calls(e))
    put_auto(L, t);
}

// on the way back
static void yield_in_loop(Lower *L, TokIndex t) {
  if (L->a->loop_yield)
    put_auto(L, t);
}

// ---- statements ----
// a statement that must stay one
Node *lower_sub(Lower *L, Node *s) {
  Node *list = gather(L, lower_stmt, s);
  // or printed as several
  bool several = list && (list->next || list->kind == N_DECL ||
                          list->kind == N_PAUSE || list->kind == N_CODE ||
                          list->kind == N_YIELD || list->kind == N_TAIL);
  if (list && !several)
    return list;
  return block_of(L, list, s->tok, last_token(s));
}

enum { MAX_CLEANUPS = 16 };

// before the declaration is cut up
static int with_cleanup(Node *s, Decl **list) {
  int n = 0;
  for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
    if (d->cleanup && n < MAX_CLEANUPS)
      list[n++] = d;
  return n;
}

void lower_list_of(Lower *L, Node *s) {
  for (Node *next; s; s = next) {
    next = s->next;
    s->next = NULL;
    Node *d = behind_labels(s);
    if (d && d->kind == N_DEFER) { // the rest of the block is its region
      if (d != s)
        put_labels(L, s);
      lower_defer(L, d, next);
      return;
    }
    Decl *cleanups[MAX_CLEANUPS];
    int n = with_cleanup(s, cleanups);
    lower_stmt(L, s);
    if (n) {
      lower_cleanups(L, s, cleanups, n, next);
      return;
    }
  }
}

static void lower_expression(Lower *L, Node *s) {
  Node *e = s->a;
  if (!has_pause(e)) {
    lower_inside(L, e);
    while (e->kind == N_PAREN)
      e = e->a;
    if (e->kind == N_ATOMIC_EXPR && !type_is_void(e->type) &&
        s->op != EXPR_WANTED)
      s->a = to_void(L, e);
    put_stmt(L, s);
    return;
  }
  bool direct = e->kind == N_ASSIGN && e->op == P_ASSIGN &&
                is_pause_call(e->b) &&
                !(e->b->kind == N_AWAIT && e->b->object) &&
                e->a->kind == N_IDENT && e->a->sym && e->a->sym->local &&
                type_compatible(L->u, e->a->type, e->b->type);
  // x = f(…): no temporary; but a handler sees x as it was
  if (direct && !landing_here(L)) {
    bool yields = pauses_there(e->b) && !never_returns(e->b);
    lower_parts(L, e->b);
    // nothing follows in this full expression: the slice may end behind the call
    pause_here(L, e->a, e->b)->op = yields ? PAUSE_YIELDS : 0;
    return;
  }
  Node *bare = e;
  while (bare->kind == N_PAREN)
    bare = bare->a;
  put_effect(L, e);
  if (L->last && L->last->kind == N_PAUSE && L->last->b == bare)
    L->last->op = pauses_there(bare) && !never_returns(bare) ? PAUSE_YIELDS : 0;
}

static void lower_expr_stmt(Lower *L, Node *s) {
  bool c = calls(s->a);
  Node *e = s->a;
  size_t temps = L->a->temps_used;
  if (c)
    yield_around(L, e, s->tok);
  lower_expression(L, s);
  if (c && L->a->auto_yield)
    put_auto_after(L, s->tok);
  L->a->temps_used = temps;
}

// of an array of variable length
static bool length_pauses(Decl *d) {
  for (Type *t = d->type; t && d->name; t = t->base)
    if (t->kind == TY_ARRAY && has_pause(t->len_expr))
      return true;
  return false;
}

static void put_decl(Lower *L, Node *s, Decl *d) {
  Node *n = node_new(L->u, N_DECL, s->tok);
  n->decl = d;
  n->end = s->end;
  put_stmt(L, n);
}

// int x = f(&x): what is taken out of the value has to see x, too.
static void declare_ahead(Lower *L, Node *s, Decl *d) {
  Decl *first = NEW(&L->u->arena, Decl);
  *first = *d;
  first->init = NULL;
  d->ahead = true;
  put_decl(L, s, first);
}

static void lower_declaration(Lower *L, Node *s) {
  bool pauses = false;
  for (Decl *d = s->decl; d; d = d->next)
    pauses |= has_pause(d->init) || length_pauses(d);
  if (!pauses) {
    for (Decl *d = s->decl; d; d = d->next)
      lower_inside(L, d->init);
    put_stmt(L, s);
    return;
  }
  for (Decl *d = s->decl, *next; d;
       d = next) { // one declaration each, in order
    next = d->next;
    d->next = NULL;
    if (d->name)
      lower_lengths(L, d->type);
    if (has_pause(d->init) && d->names_itself && !d->specs->auto_type)
      declare_ahead(L, s, d);
    if (d->init)
      d->init = lower_expr(L, d->init);
    put_decl(L, s, d);
  }
}

// its lengths are read later on
static bool vm_declared(Decl *d) {
  for (; d; d = d->next)
    if (d->type && type_is_vm(d->type))
      return true;
  return false;
}

static void lower_decl(Lower *L, Node *s) {
  bool c = false;
  for (Decl *d = s->decl; d; d = d->next)
    c |= calls(d->init) && d->specs->storage != ST_STATIC;
  c = c && L->a->auto_yield;
  size_t temps = L->a->temps_used;
  if (c)
    put_auto(L, s->tok);
  lower_declaration(L, s);
  if (c)
    put_auto_after(L, s->tok);
  if (!vm_declared(s->decl))
    L->a->temps_used = temps;
}

// A statement that begins right behind a full expression that may call.
static Node *sub_after(Lower *L, Node *s, bool called) {
  if (!called || !L->a->auto_yield || in_atomic(L))
    return lower_sub(L, s);
  Opened o;
  open_list(L, &o);
  put_auto(L, s->tok);
  lower_stmt(L, s);
  return block_of(L, close_list(L, &o), s->tok, last_token(s));
}

// Where a temporary stands for a call now, parentheses around a comparison look like a mistake.
static Node *without_parens(Node *e) {
  Node *k = e;
  while (k->kind == N_PAREN)
    k = k->a;
  return k->kind == N_BINARY && (k->flags & NF_WAS_PAUSE) && k->op >= P_LT &&
                 k->op <= P_NE
             ? k
             : e;
}

// The yield behind a condition that calls, once, where the value is known: not in each branch and
// behind the statement. False: it has to be there, since the C compiler would say of the condition
// what the user did not do.
static bool yield_behind_condition(Lower *L, Node *s) {
  Node *call = L->last;
  if (in_atomic(L) || L->no_yields || s->a->kind == N_ASSIGN)
    return false;
  if (yields_behind(L, call) && unseen(s->a)) {
    call->op = PAUSE_YIELDS;
    return true;
  }
  Symbol *t = new_temp(L, type_scalar(L->u, TY_INT), s->a->tok);
  put_stmt(
      L,
      assign_stmt(L, ident_node(L, t, s->a->tok), truth(L, s->a), s->a->tok));
  put_auto(L, s->tok);
  s->a = ident_node(L, t, s->a->tok);
  return true;
}

static void lower_if(Lower *L, Node *s) {
  bool c = calls(s->a) && L->a->auto_yield;
  size_t temps = L->a->temps_used;
  yield_around(L, s->a, s->tok);
  s->a = without_parens(lower_expr(L, s->a));
  if (c && yield_behind_condition(L, s))
    c = false;
  L->a->temps_used = temps;
  s->b = sub_after(L, s->b, c);
  if (s->c)
    s->c = sub_after(L, s->c, c);
  put_stmt(L, s);
  if (c)
    put_auto(L, last_token(s));
}

// if (!(cond)) break;
static Node *exit_unless(Lower *L, Node *cond) {
  while (cond->kind == N_PAREN)
    cond = cond->a;
  Node *p = make_node(L, N_PAREN, cond->tok, cond, NULL),
       *not = make_node(L, N_UNARY, cond->tok, p, NULL);
  not ->op = P_BANG;
  return make_node(
      L, N_IF, cond->tok, not, make_node(L, N_BREAK, cond->tok, NULL, NULL));
}

typedef struct Loop {
  Node *cond, *body, *step;
  Ident *next;
  bool cond_last;
} Loop;

static Node *loop_body(Lower *L, Loop *k, TokIndex t) {
  Opened o;
  Nest here = { .outer = L->nest, .kind = NEST_LOOP, .next = k->next };
  L->nest = &here;
  open_list(L, &o);
  if (k->cond && !k->cond_last) {
    Node *c = lower_expr(L, k->cond);
    put_stmt(L, exit_unless(L, c));
    yield_around(L, k->cond, t);
  }
  lower_stmt(L, k->body);
  yield_in_loop(L, t);
  if (k->next)
    put_stmt(L, label_node(L, k->next, t));
  if (k->step) {
    put_value(L, k->step, NULL);
    yield_around(L, k->step, t);
  }
  if (k->cond && k->cond_last) {
    Node *c = lower_expr(L, k->cond);
    put_stmt(L, exit_unless(L, c));
    yield_around(L, k->cond, t);
  }
  L->nest = here.outer;
  return block_of(L, close_list(L, &o), t, last_token(k->body));
}

// of a loop whose heading does not pause, but may call
static Node *plain_body(Lower *L, Node *s, bool called, bool last) {
  Nest here = { .outer = L->nest, .kind = NEST_LOOP };
  bool yields = ((called && L->a->auto_yield) || L->a->loop_yield);
  L->nest = &here;
  Node *b;
  if (yields && !in_atomic(L)) {
    Opened o;
    open_list(L, &o);
    if (!last)
      put_auto(L, s->tok);
    lower_stmt(L, s);
    if (last)
      put_auto(L, last_token(s));
    b = block_of(L, close_list(L, &o), s->tok, last_token(s));
  } else {
    b = lower_sub(L, s);
  }
  L->nest = here.outer;
  return b;
}

static void lower_while(Lower *L, Node *s) {
  bool is_do = s->kind == N_DO, c = calls(s->a);
  if (!is_do)
    yield_around(L, s->a, s->tok);
  if (!has_pause(s->a)) {
    s->b = plain_body(L, s->b, c, is_do);
    put_stmt(L, s);
    if (c && L->a->auto_yield)
      put_auto(L, last_token(s));
    return;
  }
  Loop k = { .cond = s->a,
             .body = s->b,
             .next = is_do ? new_label(L) : NULL,
             .cond_last = is_do };
  Node *n = make_node(L, N_FOR, s->tok, NULL, NULL);
  n->d = loop_body(L, &k, s->tok);
  put_stmt(L, n);
}

static bool init_pauses(Node *init) {
  if (init && init->kind == N_EXPR)
    return has_pause(init->a);
  for (Decl *d = init && init->kind == N_DECL ? init->decl : NULL; d;
       d = d->next)
    if (has_pause(d->init))
      return true;
  return false;
}

// { init; for (;;) { if (!cond) break; body; next: step; } }
static void endless_for(Lower *L, Node *s) {
  Opened o;
  open_list(L, &o);
  if (s->a)
    lower_stmt(L, s->a);
  Loop k = {
    .cond = s->b, .body = s->d, .step = s->c, .next = s->c ? new_label(L) : NULL
  };
  Node *n = make_node(L, N_FOR, s->tok, NULL, NULL);
  n->d = loop_body(L, &k, s->tok);
  put_stmt(L, n);
  Node *first = close_list(L, &o);
  put_stmt(L, block_of(L, first, s->tok, last_token(s)));
}

static void lower_for(Lower *L, Node *s) {
  if (init_pauses(s->a) || has_pause(s->b) || has_pause(s->c)) {
    endless_for(L, s);
    return;
  }
  if (s->a && s->a->kind == N_EXPR)
    yield_around(L, s->a->a, s->tok);
  else
    yield_around(L, s->b, s->tok);
  s->d = plain_body(L, s->d, calls(s->b) || calls(s->c), false);
  put_stmt(L, s);
  if (calls(s->b) && L->a->auto_yield)
    put_auto(L, last_token(s));
}

// What is declared before the first case. A value given there would be a statement that is never
// executed.
static void mark_passed_by(Node *list) {
  for (; list && (list->kind == N_DECL || list->kind == N_COMPOUND);
       list = list->next) {
    if (list->kind == N_COMPOUND) {
      mark_passed_by(list->a);
      return;
    }
    for (Decl *d = list->decl; d; d = d->next)
      d->passed_by = true;
  }
}

static void lower_switch(Lower *L, Node *s) {
  Nest here = { .outer = L->nest, .kind = NEST_SWITCH };
  yield_around(L, s->a, s->tok);
  s->a = lower_expr(L, s->a);
  mark_passed_by(s->b);
  L->nest = &here;
  s->b = lower_sub(L, s->b);
  L->nest = here.outer;
  put_stmt(L, s);
}

static void lower_label(Lower *L, Node *s) {
  Node *body = behind_labels(s);
  put_labels(L, s);
  if (body)
    lower_stmt(L, body);
}

// With something to do first: the value waits in a variable.
static void return_later(Lower *L, Node *s) {
  bool kept = s->a && s->a->kind == N_IDENT && s->a->sym == L->ret;
  if (s->a && type_is_void(L->returned)) {
    put_stmt(L, make_node(L, N_EXPR, s->tok, s->a, NULL));
    s->a = NULL;
  } else if (s->a && !kept) {
    if (!L->ret) {
      L->ret = own_temp(L, L->returned, s->tok);
      L->ret->local->zeroed = true;
    }
    put_stmt(L, assign_stmt(L, ident_node(L, L->ret, s->tok), s->a, s->tok));
    s->a = ident_node(L, L->ret, s->tok);
  }
  leave_first(L, s, NULL);
}

static void lower_return(Lower *L, Node *s) {
  Node *e = s->a;
  yield_around(L, e, s->tok);
  while (e && e->kind == N_PAREN)
    e = e->a;
  bool call = !L->plain && e && has_pause(e) && e->kind == N_CALL &&
              pauses_there(e) && is_pause_call(e);
  bool same = call && type_compatible(L->u, e->type, L->returned),
       enclosed = landing_here(L);
  if (call && enclosed)
    warn_enclosed_tail(L, s);
  else if (call && !same)
    warn_converted_tail(L, s, e);
  if (same && !enclosed) {
    lower_parts(L, e);
    note_throwing(L, e);
    Node *n = make_node(L, N_TAIL, s->tok, NULL, e);
    // for frames that hold what others point at: not a tail call after all
    n->val = new_state(L->a, s->tok, WHY_TAIL);
    new_state(L->a, s->tok, WHY_AFTER);
    put_stmt(L, n);
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

static void lower_jump(Lower *L, Node *s) {
  Nest *to = loop_around(L, s->kind == N_BREAK);
  if (leave_first(L, s, to))
    return;
  if (s->kind == N_CONTINUE && to && to->next) {
    s->kind = N_GOTO;
    s->name = to->next;
  }
  put_stmt(L, s);
}

static bool inside(Range r, TokIndex t) {
  return r.from == r.to || (t >= r.from && t <= r.to);
}

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

static void lower_goto(Lower *L, Node *s) {
  LabelPlace *k = L->labels;
  while (k && k->name != s->name)
    k = k->next;
  bool ours = strncmp(s->name->name, "fm__", 4) == 0,
       unknown = !k && !L->plain && !L->local_labels && !ours;
  if (unknown && L->a->up)
    error_at(L->u,
             s->end - 1,
             "there is no label `%s` in this body of `activate`; a jump cannot "
             "leave the body",
             s->name->name);
  else if (unknown)
    error_at(L->u,
             s->end - 1,
             "there is no label `%s` in this function; a jump cannot enter the "
             "body of `activate`",
             s->name->name);
  if (k)
    check_goto(L, s, k);
  if (k && leave_first(L, s, nest_around(L, k->tok)))
    return;
  put_stmt(L, s);
}

// Something is to be done between here and the label: when this place is left, or that one entered.
static bool is_far(Lower *L, Node *s, const LabelPlace *k) {
  const Nest *to = nest_around(L, k->tok);
  for (const Nest *n = L->nest; n && n != to; n = n->outer)
    if (n->kind == NEST_REGION || n->kind == NEST_CLEANUP)
      return true;
  return !inside(k->region, s->tok);
}

// It may lead to every label whose address is taken.
static void lower_computed_goto(Lower *L, Node *s) {
  bool none = true;
  const LabelPlace *k = L->labels;
  for (; k && !(k->taken && is_far(L, s, k)); k = k->next)
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

static void block_items(Lower *L, Node *s) {
  if (L->nest->group)
    lower_joined(L, s, L->nest->group, s->a);
  else
    lower_list_of(L, s->a);
}

static void lower_block(Lower *L, Node *s) {
  Nest here = {
    .outer = L->nest, .kind = NEST_BLOCK, .node = s, .group = s->group
  };
  L->nest = &here;
  s->a = gather(L, block_items, s);
  L->nest = here.outer;
  put_stmt(L, s);
}

static void lower_activate(Lower *L, Node *s) {
  for (size_t i = 0; i < L->a->inner.len; i++) {
    Async *b = L->a->inner.at[i];
    if (b->decl == s->decl)
      lower_async(b);
  }
  if (s->b)
    s->b = lower_expr(L, s->b);
  put_stmt(L, s);
}

static void lower_asm(Lower *L, Node *s) {
  for (Node *o = s->asm_->operands; o; o = o->next)
    o->a = lower_expr(L, o->a);
  put_stmt(L, s);
}

void lower_stmt(Lower *L, Node *s) {
  switch (s->kind) {
  case N_COMPOUND:
    lower_block(L, s);
    break;
  case N_ACTIVATE:
    lower_activate(L, s);
    break;
  case N_ASM:
    lower_asm(L, s);
    break;
  case N_GOTO:
    lower_goto(L, s);
    break;
  case N_EXPR:
    lower_expr_stmt(L, s);
    break;
  case N_DECL:
    lower_decl(L, s);
    break;
  case N_IF:
    lower_if(L, s);
    break;
  case N_WHILE:
  case N_DO:
    lower_while(L, s);
    break;
  case N_FOR:
    lower_for(L, s);
    break;
  case N_SWITCH:
    lower_switch(L, s);
    break;
  case N_CASE:
  case N_DEFAULT:
  case N_LABEL:
    lower_label(L, s);
    break;
  case N_RETURN:
    lower_return(L, s);
    break;
  case N_GOTO_COMPUTED:
    lower_computed_goto(L, s);
    break;
  case N_BREAK:
  case N_CONTINUE:
    lower_jump(L, s);
    break;
  case N_ATOMIC:
    lower_atomic(L, s);
    break;
  case N_THROW:
    lower_throw(L, s);
    break;
  case N_TRY:
    lower_try(L, s);
    break;
  case N_DEFER:
    lower_defer(L, s, NULL);
    break;
  case N_SHIELD:
    lower_shield(L, s);
    break;
  case N_SCOPE:
    lower_scope(L, s);
    break;
  case N_RACE:
    lower_race(L, s);
    break;
  case N_YIELD:
    if (s->flags & NF_PAUSE) {
      s->val = new_state(L->a, s->tok, WHY_YIELD);
      s->d = landing(L, s->tok);
      if (s->d)
        L->a->states[s->val].landing = s->d->name;
    }
    if (meets_cancels(L))
      put_wait(L, "fm__atomic_checkpoint", s->tok, NULL, WHY_THROW);
    else
      put_stmt(L, s);
    break;
  default:
    put_stmt(L, s);
    break;
  }
}

static void drop_yields(Async *a) {
  if (a->still)
    a->auto_yield = a->loop_yield = false;
}

// Another definition may take the place of a weak one.
static void note_steady(Async *a) {
  Symbol *f = a->decl->sym;
  if (!f || f->kind != S_FUNC || a->up || a->boundary)
    return;
  f->steady = !a->throws_inside && !a->type->throws && !a->inner.len &&
              !has_attribute(a->u, f, "weak");
}

void lower_async(Async *a) {
  Node *body = a->tree;
  Lower L = { .u = a->u, .a = a, .returned = a->type->base };
  a->text = (Range){ body->tok,
                     body->kind == N_COMPOUND ? body->end + 1 : body->tok };
  drop_yields(a);
  new_state(a, body->tok, WHY_START); // 0: the beginning
  find_groups(a, body, NULL);
  find_labels(&L, body);
  find_taken_labels(&L, body);
  a->body = gather(&L, lower_stmt, body);
  note_steady(a);
  if (a->nstates <= UINT16_MAX)
    return;
  error_at(
      a->u,
      a->decl->tok,
      "this function has more than %d places at which it can pause: split it",
      UINT16_MAX - 1);
  a->body = NULL;
}

// a plain function that uses the dialect
static Node *lower_plain(Async *a) {
  Node *body = a->tree;
  Lower L = { .u = a->u, .a = a, .returned = a->type->base, .plain = true };
  find_labels(&L, body);
  find_taken_labels(&L, body);
  if (a->decl->specs->is_atomic) { // its whole body is
    Node *n = make_node(&L, N_ATOMIC, body->tok, body, NULL);
    n->end = body->end;
    body = block_of(&L, n, body->tok, body->end);
  }
  return gather(&L, lower_stmt, body);
}

static void lower_jobs(Async *owner) {
  for (size_t i = 0; i < owner->jobs.len; i++)
    lower_async(owner->jobs.at[i]);
}

void lower_unit(Unit *u) {
  for (Item *it = u->items; it; it = it->next) {
    Async *a = it->async ? it->async : it->plain;
    if (!a || it->failed)
      continue;
    u->external = it->external;
    lower_jobs(a);
    if (it->async)
      lower_async(a);
    else
      it->tree = lower_plain(a);
  }
}
