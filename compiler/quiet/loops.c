// loops.c: loops that end whatever other activities do. An activity may wait in a loop for another
// activity, with nothing in it but calls: `while (!is_set(flag)) ;`. Such a loop must keep the
// yields around its calls. A loop needs no yields if its end depends on its own variables alone:
//
//     for (i = 0; i < n; i++) …                        a variable of the condition counts
//     while (lo < hi) if (…) hi = mid; else lo = mid + 1;     each turn moves a bound
//     while (lower(*a) == lower(*b)) a++, b++;         a pointer of the condition moves
//
// These are variables that no other code can reach. A pointer that moves in one direction comes to
// the end of its array. The condition may have further parts after `&&`. In doubt, a loop does not
// end by itself.
#include "fmcc.h"

static const Node *bare(const Node *e) {
  while (e && e->kind == N_PAREN)
    e = e->a;
  return e;
}

static bool is_own_variable(const Node *e) {
  const Local *k = e->kind == N_IDENT && e->sym ? e->sym->local : NULL;
  return k && !k->addresses && !k->addressed && !k->captured &&
         type_is_scalar(canon(e->sym->type)) &&
         !(canon(e->sym->type)->quals & (Q_VOLATILE | Q_ATOMIC));
}

bool is_own_value(const Node *e) {
  e = bare(e);
  if (!e || (e->flags & NF_CONST))
    return true;
  switch (e->kind) {
  case N_NUMBER:
  case N_CHARCONST:
    return true;
  case N_IDENT:
    return is_own_variable(e) || (e->sym && e->sym->kind == S_ENUMCONST);
  case N_UNARY:
    return e->op != P_STAR && e->op != P_AMP && is_own_value(e->a);
  case N_CAST:
    return is_own_value(e->a);
  case N_BINARY:
    return is_own_value(e->a) && is_own_value(e->b);
  default:
    return false;
  }
}

// The change of a variable in each turn of a loop.
typedef enum Step {
  STEP_NONE,
  STEP_UP,
  STEP_DOWN,
  STEP_SET,
  STEP_OTHER,
} Step;

static const Symbol *changed_variable(const Node *e) {
  if (e->kind != N_ASSIGN && e->kind != N_PREFIX && e->kind != N_POSTFIX)
    return NULL;
  const Node *to = bare(e->a);
  return to->kind == N_IDENT ? to->sym : NULL;
}

static bool is_positive(const Node *e) {
  return (e->flags & NF_CONST) && e->val > 0;
}

// The kind of change that e makes to the variable v.
static Step step_of(const Node *e, const Symbol *v) {
  if (changed_variable(e) != v)
    return STEP_NONE;
  if (e->kind != N_ASSIGN)
    return e->op == P_INC ? STEP_UP : STEP_DOWN;
  switch (e->op) {
  case P_ADD_A:
    return is_positive(e->b) ? STEP_UP : STEP_OTHER;
  case P_SUB_A:
    return is_positive(e->b) ? STEP_DOWN : STEP_OTHER;
  case P_SHR_A:
    return is_positive(e->b) ? STEP_DOWN : STEP_OTHER;
  case P_DIV_A:
    return is_positive(e->b) && e->b->val > 1 ? STEP_DOWN : STEP_OTHER;
  case P_ASSIGN:
    return STEP_SET;
  default:
    return STEP_OTHER;
  }
}

// The kind of all changes of v below n, or NONE. OTHER: they differ.
static Step steps_in(Node *n, const Symbol *v) {
  Step all = step_of(n, v);
  if (n->kind == N_DECL)
    for (const Decl *d = n->decl; d; d = d->next)
      if (d->sym == v)
        return STEP_OTHER;
  Children parts = children(n, PART_ALL);
  for (Node *k; (k = next_child(&parts));) {
    Step s = steps_in(k, v);
    if (s != STEP_NONE && all != STEP_NONE && s != all)
      return STEP_OTHER;
    all = s != STEP_NONE ? s : all;
  }
  return all;
}

// ---- changes in every turn ----
typedef struct Turn {
  const Symbol *v; // a change of this variable is looked for;
  const Node *
      set; // NULL, or: an assignment of own values to any variable of this expression
} Turn;

static bool names_variable(const Node *e, const Symbol *v) {
  if (e->kind == N_IDENT && e->sym == v)
    return true;
  Children parts = children((Node *)e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (names_variable(k, v))
      return true;
  return false;
}

static bool is_change(const Turn *t, const Node *e) {
  const Symbol *v = changed_variable(e);
  if (!v)
    return false;
  if (!t->set)
    return v == t->v;
  if (e->kind == N_ASSIGN && (!is_own_value(e->b) || (e->b->flags & NF_CONST)))
    return false;
  return names_variable(t->set, v);
}

// Whether every evaluation of e makes the change.
static bool always(const Turn *t, const Node *e) {
  if (!e)
    return false;
  if (is_change(t, e))
    return true;
  bool only_first =
      e->kind == N_COND ||
      (e->kind == N_BINARY && (e->op == P_ANDAND || e->op == P_OROR));
  if (only_first)
    return always(t, e->a);
  if (e->kind == N_STMT_EXPR)
    return false;
  Children parts = children((Node *)e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (always(t, k))
      return true;
  return false;
}

static const Node *last_of(const Node *s) {
  while (s && s->kind == N_COMPOUND) {
    s = s->a;
    while (s && s->next)
      s = s->next;
  }
  return s;
}

static bool leaves_loop(const Node *s) {
  s = last_of(s);
  return s && (s->kind == N_RETURN || s->kind == N_BREAK);
}

// Whether every way through s makes the change, or leaves the loop.
static bool always_done(const Turn *t, const Node *s) {
  switch (s->kind) {
  case N_EXPR:
    return always(t, s->a);
  case N_DECL:
    for (const Decl *d = s->decl; d; d = d->next)
      if (always(t, d->init))
        return true;
    return false;
  case N_COMPOUND:
    for (s = s->a; s; s = s->next)
      if (always_done(t, s))
        return true;
    return false;
  case N_IF:
    if (always(t, s->a))
      return true;
    return s->c && (always_done(t, s->b) || leaves_loop(s->b)) &&
           (always_done(t, s->c) || leaves_loop(s->c));
  default:
    return false;
  }
}

static bool continues(Node *s) {
  if (s->kind == N_CONTINUE)
    return true;
  if (s->kind == N_FOR || s->kind == N_WHILE || s->kind == N_DO)
    return false;
  Children parts = children(s, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (continues(k))
      return true;
  return false;
}

typedef struct Loop {
  const Node *node;
  const Node *cond;
  const Node *step;
  const Node *body;
} Loop;

static Loop loop_parts(const Node *s) {
  bool is_for = s->kind == N_FOR;
  return (Loop){
    .node = s,
    .cond = is_for ? s->b : s->a,
    .step = is_for ? s->c : NULL,
    .body = is_for ? s->d : s->b,
  };
}

static bool each_turn(const Loop *l, const Turn *t) {
  if (always(t, l->cond) || always(t, l->step))
    return true;
  return always_done(t, l->body) && !continues((Node *)l->body);
}

// Whether the loop only counts v up, or only down, and does so in each turn.
static bool counts(const Loop *l, const Symbol *v) {
  Step all = STEP_NONE;
  const Node *parts[] = { l->cond, l->step, l->body };
  for (int i = 0; i < 3; i++) {
    Step s = parts[i] ? steps_in((Node *)parts[i], v) : STEP_NONE;
    if (s != STEP_NONE && all != STEP_NONE && s != all)
      return false;
    all = s != STEP_NONE ? s : all;
  }
  return (all == STEP_UP || all == STEP_DOWN) &&
         each_turn(l, &(Turn){ .v = v });
}

// ---- conditions ----
static bool calls_or_changes(const Node *e) {
  if ((e->kind == N_CALL) || e->kind == N_STMT_EXPR || e->kind == N_ASSIGN ||
      e->kind == N_AWAIT)
    return true;
  Children parts = children((Node *)e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (calls_or_changes(k))
      return true;
  return false;
}

// Whether e is a variable that is counted, or `n--`.
static bool is_counted(const Loop *l, const Node *e) {
  e = bare(e);
  if (e->kind == N_PREFIX || e->kind == N_POSTFIX)
    e = bare(e->a);
  return is_own_variable(e) && counts(l, e->sym);
}

static bool is_relation(const Node *e) {
  return e->kind == N_BINARY && e->op >= P_LT && e->op <= P_GE;
}

static bool ends_by(const Loop *l, const Node *c) {
  bool compares = is_relation(c) || (c->kind == N_BINARY && c->op == P_NE);
  if (!compares)
    return is_counted(l, c);
  if ((is_counted(l, c->a) && !calls_or_changes(c->b)) ||
      (is_counted(l, c->b) && !calls_or_changes(c->a)))
    return true;
  return is_relation(c) && is_own_value(c->a) && is_own_value(c->b) &&
         each_turn(l, &(Turn){ .set = c });
}

static bool ends_by_any(const Loop *l, const Node *c) {
  c = bare(c);
  if (c->kind == N_BINARY && c->op == P_ANDAND)
    return ends_by_any(l, c->a) || ends_by_any(l, c->b);
  return ends_by(l, c);
}

// Whether the condition names a pointer that each turn moves in the same direction.
static bool moves_pointer(const Loop *l, const Node *c) {
  if (c->kind == N_IDENT)
    return is_own_variable(c) && canon(c->sym->type)->kind == TY_POINTER &&
           counts(l, c->sym);
  Children parts = children((Node *)c, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (moves_pointer(l, k))
      return true;
  return false;
}

bool ends_by_itself(const Node *loop) {
  Loop l = loop_parts(loop);
  return l.cond && !(l.cond->flags & NF_CONST) &&
         (ends_by_any(&l, l.cond) || moves_pointer(&l, l.cond));
}

// ---- loops with few turns ----
// Bounds of such loops. No type of a variable is too small for them.
static bool is_small(const Node *e) {
  return e && (e->flags & NF_CONST) && e->val >= 0 && e->val <= MOST_TURNS;
}

// The value that the variable v has before the first turn, or NULL.
static const Node *first_value(const Node *loop, const Symbol *v) {
  const Node *s = loop->kind == N_FOR ? loop->a : NULL;
  if (s && s->kind == N_DECL)
    for (const Decl *d = s->decl; d; d = d->next)
      if (d->sym == v)
        return d->init;
  const Node *e = s && s->kind == N_EXPR ? bare(s->a) : NULL;
  bool sets = e && e->kind == N_ASSIGN && e->op == P_ASSIGN;
  return sets && changed_variable(e) == v ? e->b : NULL;
}

// Whether a label or a case leads into s from outside, past the first value.
static bool is_entered(Node *s) {
  if (s->kind == N_LABEL || s->kind == N_CASE || s->kind == N_DEFAULT)
    return true;
  Children parts = children(s, PART_ALL);
  for (Node *k; (k = next_child(&parts));)
    if (is_entered(k))
      return true;
  return false;
}

static bool counts_in(const Loop *l, const Symbol *v, Step step) {
  const Node *by = l->step ? bare(l->step) : NULL;
  return by && step_of(by, v) == step && counts(l, v);
}

int few_turns(const Node *loop) {
  Loop l = loop_parts(loop);
  const Node *c = l.cond ? bare(l.cond) : NULL;
  while (c && c->kind == N_BINARY && c->op == P_ANDAND)
    c = bare(c->a);
  const Node *x = c && is_relation(c) ? bare(c->a) : NULL;
  if (!x || !is_own_variable(x) || !is_small(c->b))
    return 0;
  const Node *from = first_value(loop, x->sym);
  if (!is_small(from) || is_entered((Node *)l.body))
    return 0;
  bool up = c->op == P_LT || c->op == P_LE;
  // an unsigned variable is never less than 0
  if (!up && c->op == P_GE && c->b->val == 0)
    return 0;
  if (!counts_in(&l, x->sym, up ? STEP_UP : STEP_DOWN))
    return 0;
  int64_t turns = up ? c->b->val - from->val : from->val - c->b->val;
  turns += c->op == P_LE || c->op == P_GE;
  return turns > 0 ? (int)turns : 1;
}
