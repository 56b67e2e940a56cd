// entry.c: decides where a function checks on entry whether the stack is low or its slice is over.
// Paths that only compute something and return need no check:
//
//     if (n < 2) return n;               or: return n < 2 ? n : f(n - 1) + f(n - 2);
//     /* the check */ …
//
// A function that leaves at the check later begins again, with its parameters. So the code before
// the check must be repeatable: running it twice has the same effect as running it once.
// In: lowered functions. Out: a statement N_ENTRY where the check stands, unless that is the
// beginning. Automatic yields before it are dropped, because the check is a yield as well.
#include "fmcc.h"

typedef struct Search {
  Async *a;
  TokIndex yields; // an automatic yield that was passed; 0: none
  bool spares;     // some path through the function does not come to the check
} Search;

// ---- code that is repeatable ----
static bool is_param(const Async *a, const Symbol *s) {
  for (const Param *q = a->type->params; q; q = q->next)
    if (q->sym == s)
      return true;
  return false;
}

// e is a variable of the function, or a part of one, that no other code can see, and no parameter.
static bool is_own(const Async *a, const Node *e) {
  while (e->kind == N_PAREN || e->kind == N_MEMBER)
    e = e->a;
  const Local *k = e->kind == N_IDENT && e->sym ? e->sym->local : NULL;
  return k && !k->addresses && !k->captured && !is_param(a, e->sym);
}

static bool repeatable(const Async *a, const Node *e);

static bool repeatable_parts(const Async *a, const Node *e) {
  Children parts = children((Node *)e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    if (!repeatable(a, k))
      return false;
  return true;
}

static bool repeatable_arguments(const Async *a, const Node *call) {
  for (const Node *k = call->b; k; k = k->next)
    if (!repeatable(a, k))
      return false;
  return true;
}

// Kinds of expressions that are repeatable if their parts are.
// clang-format off
static const bool repeatable_if_parts_are[N_PART + 1] = {
  [N_ARROW] = true,
  [N_BINARY] = true,
  [N_CAST] = true,
  [N_CHARCONST] = true,
  [N_COND] = true,
  [N_IDENT] = true,
  [N_INDEX] = true,
  [N_INIT] = true,
  [N_INIT_LIST] = true,
  [N_MEMBER] = true,
  [N_NUMBER] = true,
  [N_PAREN] = true,
  [N_STRING] = true,
  [N_UNARY] = true,
};
// clang-format on

static bool repeatable(const Async *a, const Node *e) {
  if (!e || (e->flags & NF_CONST))
    return true;
  if ((e->flags & (NF_VM | NF_PAUSE | NF_CALLS)) ||
      (e->type && canon(e->type)->quals & (Q_VOLATILE | Q_ATOMIC)))
    return false;
  switch (e->kind) {
  case N_CALL:
    return is_pure_call(e) && repeatable_arguments(a, e);
  case N_ASSIGN:
  case N_PREFIX:
  case N_POSTFIX:
    return is_own(a, e->a) && repeatable_parts(a, e);
  default:
    return repeatable_if_parts_are[e->kind] && repeatable_parts(a, e);
  }
}

static bool repeatable_decl(const Async *a, const Decl *d) {
  for (; d; d = d->next)
    if (d->specs->storage != ST_STATIC &&
        (!repeatable(a, d->init) || d->cleanup ||
         (d->sym && type_is_vm(d->type))))
      return false;
  return true;
}

static bool repeatable_statement(const Async *a, const Node *s) {
  switch (s->kind) {
  case N_EMPTY:
  case N_STATIC_ASSERT:
    return true;
  case N_EXPR:
    return repeatable(a, s->a);
  case N_DECL:
    return repeatable_decl(a, s->decl);
  case N_COMPOUND:
    for (s = s->a; s; s = s->next)
      if (!repeatable_statement(a, s))
        return false;
    return true;
  default:
    return false;
  }
}

// ---- paths through the function ----
// The function may pause or throw in s.
static bool pauses_in(Node *s) {
  if ((s->kind == N_PAUSE && s->val) || s->kind == N_TAIL ||
      s->kind == N_AUTO || s->kind == N_YIELD || s->kind == N_ACTIVATE ||
      s->kind == N_THROW || s->kind == N_RETHROW)
    return true;
  Children parts = children(s, PART_VALUE | PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    if (pauses_in(k))
      return true;
  return false;
}

static bool any_pauses(Node *list) {
  for (; list; list = list->next)
    if (pauses_in(list))
      return true;
  return false;
}

// s ends with a return.
static bool returns(const Node *s) {
  while (s && s->kind == N_COMPOUND) {
    s = s->a;
    while (s && s->next)
      s = s->next;
  }
  return s && s->kind == N_RETURN;
}

// Of a branch without a pause: if the code after it is reached, only repeatable code has run.
static bool can_pass(const Search *f, Node *s) {
  return repeatable_statement(f->a, s) || returns(s);
}

// Returns the branch of the `if` s in which the check can stand, because all pauses after the
// condition are in it; NULL: there is none. rest: something after the `if` pauses.
static Node *branch_with_check(Node *s, bool rest) {
  bool in_b = pauses_in(s->b);
  bool in_c = s->c && pauses_in(s->c);
  Node *with = in_b ? s->b : s->c;
  Node *without = in_b ? s->c : s->b;
  if (in_b == in_c || with->kind != N_COMPOUND)
    return NULL;
  return !rest || (without && returns(without)) ? with : NULL;
}

static Node **place_of_check(Search *f, Node **at, bool after, bool nested);

// Returns where the check stands, at or inside the `if` at `at`, whose condition is repeatable;
// NULL: after it. rest: something after it pauses.
static Node **place_at_if(Search *f, Node **at, bool rest) {
  Node *s = *at;
  Node *with = branch_with_check(s, rest);
  f->spares |= with || returns(s->b) || (s->c && returns(s->c));
  if (with)
    return place_of_check(f, &with->a, rest, true);
  bool passes =
      !pauses_in(s) && can_pass(f, s->b) && (!s->c || can_pass(f, s->c));
  return passes ? NULL : at;
}

// Returns where the check stands in the list. after: something after the list pauses; nested: the
// list is not the function's own block.
static Node **place_of_check(Search *f, Node **at, bool after, bool nested) {
  for (; *at; at = &(*at)->next) {
    Node *s = *at;
    bool rest = after || any_pauses(s->next);
    if (s->kind == N_AUTO) {
      f->yields = f->yields ? f->yields : s->tok;
      continue;
    }
    if (s->kind == N_COMPOUND && pauses_in(s))
      return place_of_check(f, &s->a, rest, true);
    if (s->kind == N_IF && repeatable(f->a, s->a)) {
      Node **place = place_at_if(f, at, rest);
      if (place)
        return place;
      continue;
    }
    // a declaration might hide a parameter, and the code at the check stores the parameters
    bool hides = nested && s->kind == N_DECL;
    if (hides || pauses_in(s) || !repeatable_statement(f->a, s))
      return at;
  }
  return at;
}

// Drops the automatic yields before the statement `until`. Returns true if it has come there.
static bool drop_yields(Node *list, const Node *until) {
  for (; list; list = list->next) {
    if (list == until)
      return true;
    if (list->kind == N_AUTO)
      list->kind = N_EMPTY;
    else if (list->kind == N_COMPOUND && drop_yields(list->a, until))
      return true;
    else if (list->kind == N_IF && (drop_yields(list->b, until) ||
                                    (list->c && drop_yields(list->c, until))))
      return true;
  }
  return false;
}

void sink_entry(Async *a) {
  if (a->body->kind != N_COMPOUND || a->nstates == 1)
    return;
  Search f = { .a = a };
  Node **at = place_of_check(&f, &a->body->a, false, false);
  if (!f.spares || at == &a->body->a)
    return;
  Node *n = node_new(a->u, N_ENTRY, *at ? (*at)->tok : a->body->end);
  n->next = *at;
  *at = n;
  a->entry = n;
  if (!f.yields || !a->auto_yield)
    return;
  drop_yields(a->body->a, n);
  a->entry_yield = f.yields;
}
