// lower-loops.c: lowers loops and switch. A loop whose heading (condition, step) contains no pause
// keeps its form. Any other loop becomes an endless loop with a break:
//
//     while (f(x)) …;     for (;;) { t = f(x); if (!(t)) break; …; }
//
// If something has to run before the next turn (a step, the condition of `do`), `continue` becomes
// a goto.
#include "lower/lowering.h"

// if (!(cond)) break;
static Node *exit_unless(Lower *L, Node *cond) {
  Node *inner = without_parentheses(cond);
  TokIndex t = inner->tok;
  Node *not = not_node(L, paren_node(L, inner));
  Node *leave = make_node(L, N_BREAK, t, NULL, NULL);
  return make_node(L, N_IF, t, not, leave);
}

// A loop whose heading contains a pause.
typedef struct Loop {
  Node *cond, *body, *step; // cond, step: NULL: none
  Ident *next;    // the label for `continue`; NULL: the beginning of the body
  bool cond_last; // do … while
} Loop;

// Evaluates the condition and leaves the loop if it is false.
static void put_condition(Lower *L, Node *cond, TokIndex t) {
  Node *c = lower_expr(L, cond);
  put_stmt(L, exit_unless(L, c));
  yield_around(L, cond, t);
}

// Returns the whole body of the endless loop: condition, statements, step.
static Node *loop_body(Lower *L, Loop *k, TokIndex t) {
  Opened o;
  Nest here = {
    .outer = L->nest,
    .kind = NEST_LOOP,
    .next = k->next,
  };
  L->nest = &here;
  open_list(L, &o);
  if (k->cond && !k->cond_last)
    put_condition(L, k->cond, t);
  lower_stmt(L, k->body);
  yield_in_loop(L, t);
  if (k->next)
    put_stmt(L, label_node(L, k->next, t));
  if (k->step) {
    put_value(L, k->step, NULL);
    yield_around(L, k->step, t);
  }
  if (k->cond && k->cond_last)
    put_condition(L, k->cond, t);
  L->nest = here.outer;
  return block_of(L, close_list(L, &o), t, last_token(k->body));
}

static void put_endless(Lower *L, Loop *k, TokIndex t) {
  Node *n = make_node(L, N_FOR, t, NULL, NULL);
  n->d = loop_body(L, k, t);
  put_stmt(L, n);
}

// Returns the lowered body s of a loop with an automatic yield at its beginning, or at its end
// (`last`).
static Node *body_with_yield(Lower *L, Node *s, bool last) {
  Opened o;
  open_list(L, &o);
  if (!last)
    put_auto(L, s->tok);
  lower_stmt(L, s);
  if (last)
    put_auto(L, last_token(s));
  return block_of(L, close_list(L, &o), s->tok, last_token(s));
}

// Returns the lowered body s of a loop whose heading contains no pause. called: the heading calls;
// last: the condition comes after the body.
static Node *plain_body(Lower *L, Node *s, bool called, bool last) {
  Nest here = { .outer = L->nest, .kind = NEST_LOOP };
  bool yields = (called && L->a->auto_yield) || L->a->loop_yield;
  L->nest = &here;
  Node *b;
  if (yields && !in_atomic(L))
    b = body_with_yield(L, s, last);
  else
    b = lower_sub(L, s);
  L->nest = here.outer;
  return b;
}

void lower_while(Lower *L, Node *s) {
  bool is_do = s->kind == N_DO;
  bool called = calls(s->a);
  if (!is_do)
    yield_around(L, s->a, s->tok);
  if (!has_pause(s->a)) {
    s->b = plain_body(L, s->b, called, is_do);
    put_stmt(L, s);
    if (called && L->a->auto_yield)
      put_auto(L, last_token(s));
    return;
  }
  Loop k = {
    .cond = s->a,
    .body = s->b,
    .cond_last = is_do,
  };
  if (is_do)
    k.next = new_label(L);
  put_endless(L, &k, s->tok);
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
    .cond = s->b,
    .body = s->d,
    .step = s->c,
  };
  if (s->c)
    k.next = new_label(L);
  put_endless(L, &k, s->tok);
  Node *first = close_list(L, &o);
  put_stmt(L, block_of(L, first, s->tok, last_token(s)));
}

void lower_for(Lower *L, Node *s) {
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

// Marks declarations before the first case. The versions print initial values as statements, and
// C compilers would warn that these are never executed.
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

void lower_switch(Lower *L, Node *s) {
  Nest here = { .outer = L->nest, .kind = NEST_SWITCH };
  yield_around(L, s->a, s->tok);
  s->a = lower_expr(L, s->a);
  mark_passed_by(s->b);
  L->nest = &here;
  s->b = lower_sub(L, s->b);
  L->nest = here.outer;
  put_stmt(L, s);
}
