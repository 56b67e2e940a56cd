// labels.c: looks through a body before it is lowered, because a jump may stand before its label.
// Finds the labels, the region (regions.c) that each label stands in, and the block that waits for
// each activity that shares variables. Also answers which construct is around a statement.
#include "lower/lowering.h"

Async *inner_async(Async *a, const Decl *d) {
  FOR_EACH (Async, body, a->inner) {
    if (body->decl == d)
      return body;
  }
  return NULL;
}

// Sets the group of the activate s: that of the innermost block that declares a variable which the
// activity shares. The block waits for the group.
static void find_group(Async *a, Node *s, Nest *nest) {
  const Async *body = inner_async(a, s->decl);
  Nest *n = nest;
  while (n && n->outer && n->node->val > body->share_depth)
    n = n->outer;
  if (body->share_depth < 0 || !n)
    return;
  if (!n->node->group)
    n->node->group = ++a->ngroups;
  s->val = n->node->group;
}

// As find_groups(), for the statement expressions in e.
static void find_groups_in(Async *a, Node *e, Nest *nest) {
  if (!(e->flags & NF_STMT_EXPR) && e->kind != N_ASSOC)
    return;
  if (e->kind == N_STMT_EXPR)
    find_groups(a, e->a, nest);
  Children parts = children(e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    find_groups_in(a, k, nest);
}

void find_groups(Async *a, Node *s, Nest *nest) {
  Nest here = {
    .outer = nest,
    .kind = NEST_BLOCK,
    .node = s,
  };
  if (s->kind == N_ACTIVATE)
    find_group(a, s, nest);
  Children parts = children(s, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    find_groups(a, k, s->kind == N_COMPOUND ? &here : nest);
  Children values = children(s, PART_VALUE);
  for (Node *k; (k = next_child(&values));)
    find_groups_in(a, k, nest);
}

// ---- the labels, and the region of each ----
// As find_labels(), for the statement expressions in e.
static void find_labels_in(Lower *L, Node *e) {
  if (!(e->flags & NF_STMT_EXPR) && e->kind != N_ASSOC)
    return;
  if (e->kind == N_STMT_EXPR)
    find_labels(L, e->a);
  Children parts = children(e, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    find_labels_in(L, k);
}

// As find_labels(), for the expressions of a statement.
static void find_labels_here(Lower *L, Node *s) {
  Children parts = children(s, PART_VALUE);
  for (Node *k; (k = next_child(&parts));)
    find_labels_in(L, k);
}

static void find_labels_inside(Lower *L, Node *s) {
  Children parts = children(s, PART_STATEMENT);
  for (Node *k; (k = next_child(&parts));)
    find_labels(L, k);
}

// As find_labels(), for s inside the given region. s may be NULL.
static void find_labels_of(Lower *L, Node *s, Node *region) {
  Range outer = L->region;
  if (!s)
    return;
  L->region = (Range){ region->tok, last_token(region) };
  find_labels(L, s);
  L->region = outer;
}

static bool is_label(const Node *s) {
  return s->kind == N_CASE || s->kind == N_DEFAULT || s->kind == N_LABEL;
}

Node *after_labels(Node *s) {
  while (s && is_label(s))
    s = s->c;
  return s;
}

void put_labels(Lower *L, Node *s) {
  Node *inner = s;
  while (inner->c && is_label(inner->c))
    inner = inner->c;
  if (inner->c)
    inner->c = node_new(L->u, N_EMPTY, inner->c->tok);
  put_stmt(L, s);
}

// The statements after a defer or a variable that is cleaned up, to the end of the block, are a
// region.
static void find_labels_block(Lower *L, Node *s) {
  Range outer = L->region;
  for (Node *k = s->a; k; k = k->next) {
    find_labels(L, k);
    Node *d = after_labels(k);
    bool cleans = d && d->kind == N_DEFER;
    for (Decl *v = k->kind == N_DECL ? k->decl : NULL; v; v = v->next)
      cleans |= v->cleanup != NULL;
    if (cleans)
      L->region = (Range){ d->end, s->end };
  }
  L->region = outer;
}

static void find_labels_case(Lower *L, Node *s) {
  if (L->region.from != L->switch_region.from)
    error_at(L->u,
             s->tok,
             "a jump cannot enter this block, and the `switch` of this label "
             "is outside of it; after a `defer`, put braces around the case "
             "that has it");
  find_labels(L, s->c);
}

static void find_labels_switch(Lower *L, Node *s) {
  Range outer = L->switch_region;
  L->switch_region = L->region;
  find_labels(L, s->b);
  L->switch_region = outer;
}

static void find_label(Lower *L, Node *s) {
  for (LabelPlace *o = L->labels; o && !L->plain; o = o->next)
    if (o->name == s->name && !L->local_labels)
      error_at(L->u,
               s->tok,
               "the label `%s` is defined twice in this function",
               s->name->name);
  LabelPlace *k = NEW(&L->u->arena, LabelPlace);
  *k = (LabelPlace){
    .name = s->name, .tok = s->tok, .region = L->region, .next = L->labels
  };
  L->labels = k;
  find_labels(L, s->c);
}

void find_labels(Lower *L, Node *s) {
  if (!s)
    return;
  find_labels_here(L, s);
  switch (s->kind) {
  case N_LABEL:
    find_label(L, s);
    break;
  case N_COMPOUND:
    find_labels_block(L, s);
    break;
  case N_SWITCH:
    find_labels_switch(L, s);
    break;
  case N_CASE:
  case N_DEFAULT:
    find_labels_case(L, s);
    break;
  case N_ATOMIC:
  case N_DEFER:
  case N_SHIELD:
  case N_CATCH:
    find_labels_of(L, s->a, s->a);
    break;
  case N_SCOPE:
    find_labels_of(L, s->a, s->a);
    find_labels(L, s->b);
    break;
  case N_TRY:
    find_labels_of(L, s->a, s->a);
    for (Node *k = s->b; k; k = k->next)
      find_labels(L, k);
    find_labels_of(L, s->c, s->c);
    break;
  case N_ARM:
    for (Node *k = s->c; k; k = k->next)
      find_labels_of(L, k, s);
    break;
  case N_LOCAL_LABELS:
    L->local_labels = true;
    break;
  default:
    find_labels_inside(L, s);
    break;
  }
}

// The body takes the address of the label: `&&name`.
static bool is_taken(const Unit *u, const Ident *name, const Node *body) {
  FOR_EACH (const Node, n, u->label_uses) {
    if (n->name == name && n->tok >= body->tok && n->tok <= body->end)
      return true;
  }
  return false;
}

void find_taken_labels(Lower *L, const Node *body) {
  for (LabelPlace *k = L->labels; k; k = k->next)
    k->taken = is_taken(L->u, k->name, body);
}

Nest *loop_around(Lower *L, bool switches) {
  Nest *n = L->nest;
  while (n && n->kind != NEST_LOOP && !(switches && n->kind == NEST_SWITCH))
    n = n->outer;
  return n;
}

Nest *nest_around(Lower *L, TokIndex label) {
  Nest *n = L->nest;
  while (n && !(n->node && n->node->tok <= label && label <= n->node->end))
    n = n->outer;
  return n;
}
