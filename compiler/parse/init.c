// init.c: initializers: their syntax, and the length that they give an array of unknown length.
//
//     initializer = assign | "{" [ [ designators ] initializer { "," … } [ "," ] ] "}"
//     designators = { "[" constant [ "..." constant ] "]" | "." name } "="
//                 | name ":" | "[" constant "]"
#include "fmcc.h"

static Node *designators(Unit *u) {
  Node *first = NULL;
  Node **tail = &first;
  // the old form of GNU C: `name: value`
  if (cur(u) == T_IDENT && kind_at(u, u->p + 1) == P_COLON) {
    Node *n = node_new(u, N_DES_MEMBER, u->p);
    n->name = tok_at(u, u->p)->id;
    u->p += 2;
    return n;
  }
  while (cur(u) == P_DOT || cur(u) == P_LBRACKET) {
    Node *n = node_new(u, cur(u) == P_DOT ? N_DES_MEMBER : N_DES_INDEX, u->p);
    if (accept(u, P_DOT)) {
      if (cur(u) != T_IDENT)
        expect(u, T_IDENT, "of a member");
      n->name = tok_at(u, u->p++)->id;
    } else {
      u->p++;
      n->a = parse_fixed(u);
      if (accept(u, P_ELLIPSIS))
        n->b = parse_fixed(u);
      expect(u, P_RBRACKET, "after the subscript");
    }
    *tail = n;
    tail = &n->next;
  }
  bool alone = first && first->kind == N_DES_INDEX && !first->next;
  // GNU C: `[2] 5` needs no `=`
  if (first && !accept(u, P_ASSIGN) && !alone)
    expect(u, P_ASSIGN, "after this designator");
  return first;
}

static Node *list(Unit *u) {
  Node *n = node_new(u, N_INIT_LIST, u->p++);
  Node **tail = &n->a;
  NEST(u);
  while (cur(u) != P_RBRACE) {
    Node *e = *tail = node_new(u, N_INIT, u->p);
    tail = &e->next;
    e->b = designators(u);
    e->a = parse_initializer(u);
    flags_up(e, e->a);
    flags_up(n, e->a);
    if (!accept(u, P_COMMA))
      break;
  }
  UNNEST(u);
  n->end = u->p;
  expect(u, P_RBRACE, "to close this initializer");
  n->flags &= (uint16_t) ~(NF_CONST | NF_NULLPTR | NF_LVALUE);
  return n;
}

Node *parse_initializer(Unit *u) {
  if (cur(u) == P_LBRACE)
    return list(u);
  Node *e = parse_assign(u);
  used_as_value(u, e);
  return e;
}

// ---- how far an initializer reaches ----
// A cursor over a brace list. An aggregate without braces of its own takes as many elements as it
// needs. check: whether each value fits its object; member: the object is part of a structure.
typedef struct Cursor {
  Node *at;
  bool check;
  bool member;
} Cursor;

// The value without its parentheses.
static Node *plain_value(Node *e) {
  while (e && (e->kind == N_PAREN || e->kind == N_EXTENSION))
    e = e->a;
  return e;
}

static bool is_char_array(Unit *u, Type *t, Node *value) {
  Type *c = canon(t);
  Node *s = plain_value(value);
  return c->kind == TY_ARRAY && s && s->kind == N_STRING &&
         type_is_integer(c->base) &&
         type_size(u, c->base) == type_size(u, canon(s->type)->base);
}

static Member *first_member(Type *t) {
  Member *m = canon(t)->tag->members;
  while (m && !m->name && m->width >= 0)
    m = m->next;
  return m;
}

static void take(Unit *u, Type *t, Cursor *c);

static void take_record(Unit *u, Type *t, Cursor *c) {
  bool is_union = canon(t)->kind == TY_UNION;
  for (Member *m = first_member(t); m && c->at && !c->at->b;
       m = is_union ? NULL : m->next)
    if (m->name || m->width < 0)
      take(u, m->type, c);
}

static void take_array(Unit *u, Type *t, Cursor *c) {
  for (int64_t i = 0; i < canon(t)->len && c->at && !c->at->b; i++)
    take(u, canon(t)->base, c);
}

// The object of type t, without braces of its own, takes its elements from the list.
static void take(Unit *u, Type *t, Cursor *c) {
  Node *value = c->at->a;
  Type *k = canon(t);
  bool aggregate = k->kind == TY_ARRAY || type_is_record(k);
  bool whole =
      value->kind == N_INIT_LIST || !aggregate || is_char_array(u, t, value) ||
      (value->type && type_is_record(k) && type_compatible(u, k, value->type));
  if (whole) {
    c->at = c->at->next;
    if (c->check)
      check_initializer(u, t, value, c->member);
    return;
  }
  Node *before = c->at;
  NEST(u);
  if (k->kind == TY_ARRAY)
    take_array(u, t, c);
  else
    take_record(u, t, c);
  UNNEST(u);
  // an empty aggregate takes nothing: the loop has to go on
  if (c->at == before)
    c->at = c->at->next;
}

// Whether there is a next element, without a designator.
static bool more_undesignated(const Cursor *c) {
  return c->at && !c->at->b;
}

static void continue_inside(Unit *u, Type *t, Node *designator, Cursor *c);

static void continue_struct(Unit *u, Type *t, Node *designator, Cursor *c) {
  Member *m = t->tag->members;
  while (m && m->name != designator->name)
    m = m->next;
  if (!m)
    return;
  continue_inside(u, m->type, designator->next, c);
  for (m = m->next; m && more_undesignated(c); m = m->next)
    if (m->name || m->width < 0)
      take(u, m->type, c);
}

static void continue_array(Unit *u, Type *t, Node *designator, Cursor *c) {
  Node *last = designator->b ? designator->b : designator->a;
  continue_inside(u, t->base, designator->next, c);
  for (int64_t i = last->val + 1; i < t->len && more_undesignated(c); i++)
    take(u, t->base, c);
}

// After [i].x = …, what follows goes on after x, inside element i, as far as that reaches.
static void continue_inside(Unit *u, Type *t, Node *designator, Cursor *c) {
  if (!designator || !more_undesignated(c))
    return;
  t = canon(t);
  if (designator->kind == N_DES_MEMBER && t->kind == TY_STRUCT)
    continue_struct(u, t, designator, c);
  else if (designator->kind == N_DES_INDEX && t->kind == TY_ARRAY)
    continue_array(u, t, designator, c);
}

// ---- whether functions and tasks in an initializer fit ----
// t: the type to which the first designator applies.
static void
check_designated(Unit *u, Type *t, Node *des, Node *value, bool member) {
  Type *k = canon(t);
  for (; des; des = des->next) {
    Member *m = NULL;
    if (des->kind == N_DES_MEMBER && type_is_record(k))
      m = type_member(k, des->name, NULL);
    if (des->kind == N_DES_MEMBER ? !m : k->kind != TY_ARRAY)
      return;
    member |= m != NULL;
    k = canon(m ? m->type : k->base);
  }
  check_initializer(u, k, value, member);
}

void check_initializer(Unit *u, Type *t, Node *init, bool member) {
  Type *k = canon(t);
  bool array = k->kind == TY_ARRAY;
  bool record = type_is_record(k);
  if (!u->dialect || !init)
    return;
  if (init->kind != N_INIT_LIST) {
    check_functions(u, init, t);
    if (member)
      give_throws(u, init, t, NULL);
    return;
  }
  Cursor c = { init->a, true, member || record };
  NEST(u);
  while (c.at) {
    Node *at = c.at;
    if (at->b) {
      check_designated(u, t, at->b, at->a, member);
      c.at = at->next;
      continue_inside(u, t, at->b, &c);
    } else if (record) {
      take_record(u, t, &c);
      // more elements than members
      if (c.at && !c.at->b)
        break;
    } else {
      take(u, array ? k->base : t, &c); // a scalar in braces: { 3 }
    }
  }
  UNNEST(u);
}

static int64_t count(Unit *u, Type *element, Node *init, bool *known) {
  int64_t index = 0;
  int64_t most = 0;
  Cursor c = { init->a, false, false };
  while (c.at) {
    Node *d = c.at->b;
    if (d && d->kind == N_DES_INDEX) {
      Node *last = d->b ? d->b : d->a;
      if (!(last->flags & NF_CONST))
        *known = false;
      index = last->val;
    }
    if (d) {
      c.at = c.at->next;
      continue_inside(u, element, d->next, &c);
    } else {
      take(u, element, &c);
    }
    if (index == INT64_MAX) {
      *known = false;
      return -1;
    }
    if (++index > most)
      most = index;
  }
  return most;
}

Type *init_complete(Unit *u, Type *t, Node *init) {
  Type *c = canon(t);
  if (c->kind != TY_ARRAY || !c->incomplete || !init)
    return t;
  bool braced_string = init->kind == N_INIT_LIST && init->a && !init->a->next &&
                       !init->a->b && is_char_array(u, t, init->a->a);
  Node *s = plain_value(braced_string ? init->a->a : init);
  if (braced_string || is_char_array(u, t, s))
    return type_resize(u, t, canon(s->type)->len);
  if (init->kind != N_INIT_LIST)
    return init->type && canon(init->type)->kind == TY_ARRAY
               ? type_resize(u, t, canon(init->type)->len)
               : t;
  bool known = true;
  int64_t n = count(u, c->base, init, &known);
  return known ? type_resize(u, t, n) : t;
}
