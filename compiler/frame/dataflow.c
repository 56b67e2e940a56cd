// dataflow.c: the dataflow engine: walks over a lowered body with a set of variables. In: the body,
// the rules of an analysis, the set at the beginning of the walk. The walk follows the control flow
// of the statements. Each branch is walked with a copy of the set. A loop is walked until the set
// at its head no longer grows. A label keeps the set that its gotos bring (backward: the set that
// holds at the label), and the body is walked until these sets no longer grow.
//
// A backward analysis takes the steps of each construct in the opposite order, and a jump takes the
// set that holds at its target.
#include "fmcc.h"

#include <stdlib.h>

struct LabelSet {
  Ident *name;
  SetWord *set;
  LabelSet *next;      // in Flow.labels
  LabelSet *neighbour; // with the same place in Flow.label_table
};

// ---- sets ----
SetWord *new_set(Flow *f) {
  return arena_alloc(&f->a->u->arena, f->words * sizeof(SetWord));
}

static void copy_set(Flow *f, SetWord *to, const SetWord *from) {
  memcpy(to, from, f->words * sizeof(SetWord));
}

static SetWord *copy_of(Flow *f, const SetWord *from) {
  SetWord *to = new_set(f);
  copy_set(f, to, from);
  return to;
}

void empty_set(Flow *f, SetWord *set) {
  memset(set, 0, f->words * sizeof(SetWord));
}

bool add_set(Flow *f, SetWord *to, const SetWord *from) {
  bool grown = false;
  for (size_t i = 0; i < f->words; i++) {
    grown |= (from[i] & ~to[i]) != 0;
    to[i] |= from[i];
  }
  return grown;
}

void set_bit(SetWord *set, size_t i, bool value) {
  SetWord bit = (SetWord)1 << i % 64;
  set[i / 64] = value ? set[i / 64] | bit : set[i / 64] & ~bit;
}

bool has_bit(const SetWord *set, size_t i) {
  return set[i / 64] >> i % 64 & 1;
}

static bool backward(const Flow *f) {
  return f->rules->backward;
}

// ---- jumps ----
// Returns the set of the label; makes an empty one the first time.
static SetWord *label_set(Flow *f, Ident *name) {
  size_t places = (size_t)f->a->nlabels + 8; // the user's own labels are few
  if (!f->label_table)
    f->label_table = arena_alloc(&f->a->u->arena, places * sizeof(LabelSet *));
  LabelSet **place = &f->label_table[name->hash % places];
  for (LabelSet *l = *place; l; l = l->neighbour)
    if (l->name == name)
      return l->set;
  LabelSet *l = NEW(&f->a->u->arena, LabelSet);
  *l = (LabelSet){ name, new_set(f), f->labels, *place };
  f->labels = *place = l;
  return l->set;
}

// Control goes from the place where `set` holds to the place where `there` holds. Returns true if
// `there` has grown.
static bool edge(Flow *f, SetWord *there, SetWord *set) {
  if (!there)
    return false;
  if (!backward(f))
    return add_set(f, there, set);
  add_set(f, set, there);
  return false;
}

void flow_to(Flow *f, const Node *jump, SetWord *set) {
  if (jump)
    f->changed |= edge(f, label_set(f, jump->name), set);
}

// Follows the jump s to its target.
static void leave(Flow *f, Node *s, SetWord *set) {
  switch (s->kind) {
  case N_BREAK:
    edge(f, f->brk, set);
    break;
  case N_CONTINUE:
    edge(f, f->cont, set);
    break;
  case N_GOTO:
    flow_to(f, s, set);
    break;
  case N_GOTO_COMPUTED:
    for (LabelSet *l = f->labels; l; l = l->next)
      f->changed |= edge(f, l->set, set);
    break;
  case N_THROW:
  case N_RETHROW:
    flow_to(f, s->d, set);
    break;
  default:
    break;
  }
}

// The statement after a jump is not reached from it.
static void jump(Flow *f, Node *s, SetWord *set) {
  if (backward(f)) {
    empty_set(f, set);
    leave(f, s, set);
    flow_expr(f, s->a, set);
  } else {
    flow_expr(f, s->a, set);
    leave(f, s, set);
    empty_set(f, set);
  }
}

// ---- expressions ----
static void stmt(Flow *f, Node *s, SetWord *set);

void flow_exprs(Flow *f, Node *list, SetWord *set) {
  for (; list; list = list->next)
    flow_expr(f, list, set);
}

// Either x or y is evaluated. Either may be NULL.
static void either(Flow *f, Node *x, Node *y, SetWord *set) {
  SetWord *other = copy_of(f, set);
  flow_expr(f, x, set);
  flow_expr(f, y, other);
  add_set(f, set, other);
}

// `first` is evaluated, then either x or y.
static void choice(Flow *f, Node *first, Node *x, Node *y, SetWord *set) {
  if (!backward(f))
    flow_expr(f, first, set);
  either(f, x, y, set);
  if (backward(f))
    flow_expr(f, first, set);
}

static void parts(Flow *f, Node *e, SetWord *set) {
  Children c =
      backward(f) ? children_backward(e, PART_VALUE) : children(e, PART_VALUE);
  for (Node *k; (k = next_child(&c));)
    flow_expr(f, k, set);
}

void flow_expr(Flow *f, Node *e, SetWord *set) {
  if (!e || f->rules->expression(f, e, set))
    return;
  bool logical = e->kind == N_BINARY && (e->op == P_ANDAND || e->op == P_OROR);
  if (e->kind == N_COND)
    choice(f, e->a, e->b, e->c, set);
  else if (logical)
    choice(f, e->a, e->b, NULL, set);
  else if (e->kind == N_STMT_EXPR)
    stmt(f, e->a, set);
  else if (e->kind != N_ARM) // the variables that an arm uses live in the frame
    parts(f, e, set);
}

// ---- statements ----
static void list_backward(Flow *f, Node *s, SetWord *set) {
  Vec all = { 0 };
  for (; s; s = s->next)
    vec_push(&all, s);
  while (all.len > 0)
    stmt(f, all.at[--all.len], set);
  vec_free(&all);
}

static void list(Flow *f, Node *s, SetWord *set) {
  if (backward(f)) {
    list_backward(f, s, set);
    return;
  }
  for (; s; s = s->next)
    stmt(f, s, set);
}

static void decls(Flow *f, Decl *d, SetWord *set) {
  if (!d)
    return;
  if (backward(f))
    decls(f, d->next, set);
  f->rules->declarator(f, d, set);
  if (!backward(f))
    decls(f, d->next, set);
}

typedef struct Loop {
  Node *cond;
  Node *body;
  Node *step;
  bool cond_last; // do … while
  SetWord *out;   // the set that holds after the loop
} Loop;

// From the head of the loop to its head again.
static void turn(Flow *f, const Loop *k, SetWord *set) {
  if (!k->cond_last) {
    flow_expr(f, k->cond, set);
    if (k->cond)
      add_set(f, k->out, set);
  }
  f->cont = new_set(f);
  stmt(f, k->body, set);
  add_set(f, set, f->cont);
  flow_expr(f, k->step, set);
  if (k->cond_last) {
    flow_expr(f, k->cond, set);
    add_set(f, k->out, set);
  }
}

// From the end of the loop to its end again.
static void turn_backward(Flow *f, const Loop *k, SetWord *set) {
  if (k->cond_last) {
    add_set(f, set, k->out);
    flow_expr(f, k->cond, set);
  }
  flow_expr(f, k->step, set);
  f->cont = copy_of(f, set);
  stmt(f, k->body, set);
  if (!k->cond_last) {
    if (k->cond)
      add_set(f, set, k->out);
    flow_expr(f, k->cond, set);
  }
}

// Walks over the turns of the loop until the set at its head no longer grows.
static void turns(Flow *f, Loop *k, SetWord *set) {
  if (backward(f)) {
    k->out = copy_of(f, set);
    empty_set(f, set);
  } else {
    k->out = new_set(f);
  }
  f->brk = k->out;
  SetWord *head = copy_of(f, set);
  do {
    copy_set(f, set, head);
    if (backward(f))
      turn_backward(f, k, set);
    else
      turn(f, k, set);
  } while (add_set(f, head, set));
  copy_set(f, set, backward(f) ? head : k->out);
}

static void loop(Flow *f, Node *s, SetWord *set) {
  bool is_for = s->kind == N_FOR;
  Loop k = {
    .cond = is_for ? s->b : s->a,
    .body = is_for ? s->d : s->b,
    .step = is_for ? s->c : NULL,
    .cond_last = s->kind == N_DO,
  };
  SetWord *brk = f->brk;
  SetWord *cont = f->cont;
  if (is_for && s->a && !backward(f))
    stmt(f, s->a, set);
  turns(f, &k, set);
  f->brk = brk;
  f->cont = cont;
  if (is_for && s->a && backward(f))
    stmt(f, s->a, set);
}

static void switch_body(Flow *f, Node *s, SetWord *set) {
  if (backward(f)) {
    f->brk = copy_of(f, set);
    f->cases = new_set(f);
    stmt(f, s->b, set);
    if (!f->has_default)
      add_set(f, f->cases, f->brk);
    copy_set(f, set, f->cases);
  } else {
    f->brk = new_set(f);
    f->cases = copy_of(f, set);
    empty_set(f, set);
    stmt(f, s->b, set);
    add_set(f, set, f->brk);
    if (!f->has_default)
      add_set(f, set, f->cases);
  }
}

static void switch_stmt(Flow *f, Node *s, SetWord *set) {
  SetWord *brk = f->brk;
  SetWord *cases = f->cases;
  bool had = f->has_default;
  if (!backward(f))
    flow_expr(f, s->a, set);
  f->has_default = false;
  switch_body(f, s, set);
  f->brk = brk;
  f->cases = cases;
  f->has_default = had;
  if (backward(f))
    flow_expr(f, s->a, set);
}

static void if_stmt(Flow *f, Node *s, SetWord *set) {
  if (!backward(f))
    flow_expr(f, s->a, set);
  SetWord *other = copy_of(f, set);
  stmt(f, s->b, set);
  if (s->c)
    stmt(f, s->c, other);
  add_set(f, set, other);
  if (backward(f))
    flow_expr(f, s->a, set);
}

// Control comes to the label s from its jumps and from the statement before it.
static void meet(Flow *f, Node *s, SetWord *set) {
  bool of_switch = s->kind != N_LABEL;
  SetWord *there = of_switch ? f->cases : label_set(f, s->name);
  if (s->kind == N_DEFAULT)
    f->has_default = true;
  if (!there)
    return;
  if (!backward(f))
    add_set(f, set, there);
  else if (add_set(f, there, set) && !of_switch)
    f->changed = true;
}

static void label_stmt(Flow *f, Node *s, SetWord *set) {
  if (!backward(f))
    meet(f, s, set);
  if (s->c)
    stmt(f, s->c, set);
  if (backward(f))
    meet(f, s, set);
}

// ---- the statements at which functions pause: an analysis has a rule for each ----
static void pause_stmt(Flow *f, Node *s, SetWord *set) {
  f->rules->pause(f, s, set);
}

static void tail_stmt(Flow *f, Node *s, SetWord *set) {
  f->rules->tail(f, s, set);
}

static void yield_stmt(Flow *f, Node *s, SetWord *set) {
  f->rules->yield(f, s, set);
}

static void auto_stmt(Flow *f, Node *s, SetWord *set) {
  f->rules->auto_yield(f, s, set);
}

static void block_stmt(Flow *f, Node *s, SetWord *set) {
  list(f, s->a, set);
}

static void decl_stmt(Flow *f, Node *s, SetWord *set) {
  decls(f, s->decl, set);
}

// The function for each kind of statement. Of other kinds, the expressions in them are walked.
// clang-format off
static void (*const walks[N_PART + 1])(Flow *, Node *, SetWord *) = {
  [N_AUTO] = auto_stmt,
  [N_BREAK] = jump,
  [N_CASE] = label_stmt,
  [N_COMPOUND] = block_stmt,
  [N_CONTINUE] = jump,
  [N_DECL] = decl_stmt,
  [N_DEFAULT] = label_stmt,
  [N_DO] = loop,
  [N_FOR] = loop,
  [N_GOTO] = jump,
  [N_GOTO_COMPUTED] = jump,
  [N_IF] = if_stmt,
  [N_LABEL] = label_stmt,
  [N_PAUSE] = pause_stmt,
  [N_RETHROW] = jump,
  [N_RETURN] = jump,
  [N_SWITCH] = switch_stmt,
  [N_TAIL] = tail_stmt,
  [N_THROW] = jump,
  [N_WHILE] = loop,
  [N_YIELD] = yield_stmt,
};
// clang-format on

static void stmt(Flow *f, Node *s, SetWord *set) {
  if (f->rules->other)
    f->rules->other(f, s, set);
  if (walks[s->kind])
    walks[s->kind](f, s, set);
  else
    parts(f, s, set);
}

void flow_through(Flow *f, const SetWord *start) {
  SetWord *set = new_set(f);
  do {
    f->changed = false;
    copy_set(f, set, start);
    stmt(f, f->a->body, set);
  } while (f->changed);
}
