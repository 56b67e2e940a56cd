// expr.c: expressions by precedence. Each node gets its type as soon as its parts are known
// (check.c). So the tree is checked and folded, and no later pass has to compute types.
//
//     expr        = assign { "," assign }
//     assign      = unary assign-op assign | conditional
//     conditional = binary [ "?" [ expr ] ":" conditional ]
//     binary      = cast { op cast }                        (by precedence)
//     cast        = "(" type ")" cast | compound-literal | unary
//     unary       = op cast | "sizeof" … | "_Alignof" … | "&&" label | postfix
//     postfix     = primary { "[" expr "]" | "(" args ")" | "." name | "->" name | "++" | "--" }
#include "fmcc.h"

int precedence(TokenKind k) {
  // clang-format off
  static const uint8_t levels[K_COUNT] = {
    [P_OROR] = 1,
    [P_ANDAND] = 2,
    [P_PIPE] = 3,
    [P_CARET] = 4,
    [P_AMP] = 5,
    [P_EQ] = 6,
    [P_NE] = 6,
    [P_LT] = 7,
    [P_GT] = 7,
    [P_LE] = 7,
    [P_GE] = 7,
    [P_SHL] = 8,
    [P_SHR] = 8,
    [P_PLUS] = 9,
    [P_MINUS] = 9,
    [P_STAR] = 10,
    [P_SLASH] = 10,
    [P_PERCENT] = 10,
  };
  // clang-format on
  return levels[k];
}

static bool assignment_op(TokenKind k) {
  return k == P_ASSIGN || (k >= P_MUL_A && k <= P_OR_A);
}

// ---- binary and above ----
static Node *
binary_node(Unit *u, NodeKind kind, TokIndex op, Node *a, Node *b) {
  Node *n = node_new(u, kind, op);
  n->op = (uint8_t)kind_at(u, op);
  n->a = a;
  n->b = b;
  return n;
}

static Node *binary(Unit *u, Node *left, int least) {
  for (;;) {
    TokIndex op = u->p;
    int prec = precedence(cur(u));
    if (!prec || prec < least)
      return left;
    u->p++;
    NEST(u);
    Node *right = parse_cast(u);
    while (precedence(cur(u)) > prec)
      right = binary(u, right, precedence(cur(u)));
    UNNEST(u);
    left = binary_node(u, N_BINARY, op, left, right);
    check_binary(u, left);
  }
}

static Node *conditional_rest(Unit *u, Node *cond) {
  if (cur(u) != P_QUESTION)
    return cond;
  Node *n = node_new(u, N_COND, u->p++);
  NEST(u);
  n->a = cond;
  if (cur(u) != P_COLON)
    n->b = parse_expr(u);
  n->end = u->p;
  expect(u, P_COLON, "in this `? :`");
  n->c = parse_conditional(u);
  UNNEST(u);
  check_cond(u, n);
  return n;
}

Node *parse_conditional(Unit *u) {
  return conditional_rest(u, binary(u, parse_cast(u), 1));
}

Node *parse_assign(Unit *u) {
  NEST(u);
  Node *e = parse_conditional(u);
  if (assignment_op(cur(u))) {
    TokIndex op = u->p++;
    e = binary_node(u, N_ASSIGN, op, e, parse_assign(u));
    check_assign(u, e);
  }
  UNNEST(u);
  return e;
}

Node *parse_expr(Unit *u) {
  Node *e = parse_assign(u);
  while (cur(u) == P_COMMA) {
    TokIndex op = u->p++;
    e = binary_node(u, N_BINARY, op, e, parse_assign(u));
    check_binary(u, e);
  }
  return e;
}

Node *parse_fixed(Unit *u) {
  Node *e = parse_conditional(u);
  if (e->flags & NF_PAUSE)
    error_at(u,
             first_token(e),
             "this has to be a constant, and this expression may pause");
  e->flags &= (uint16_t)~NF_PAUSE;
  return e;
}

bool parse_constant(Unit *u, int64_t *v) {
  Node *e = parse_fixed(u);
  *v = e->val;
  return (e->flags & NF_CONST) != 0;
}

// ---- postfix ----
static Node *arguments(Unit *u) {
  Node *first = NULL;
  Node **tail = &first;
  if (cur(u) == P_RPAREN)
    return NULL;
  do {
    *tail =
        starts_type(u, u->p) ? node_new(u, N_TYPE_ARG, u->p) : parse_assign(u);
    if ((*tail)->kind == N_TYPE_ARG) { // an argument of some builtins
      (*tail)->tname = parse_type_name(u);
      (*tail)->type = (*tail)->tname->type;
    }
    tail = &(*tail)->next;
  } while (accept(u, P_COMMA));
  return first;
}

static Node *call(Unit *u, Node *f) {
  Node *n = node_new(u, N_CALL, u->p++);
  NEST(u);
  n->a = f;
  n->b = arguments(u);
  UNNEST(u);
  n->end = u->p;
  expect(u, P_RPAREN, "after the arguments");
  check_call(u, n);
  return n;
}

static Node *subscript(Unit *u, Node *a) {
  Node *n = node_new(u, N_INDEX, u->p++);
  NEST(u);
  n->a = a;
  n->b = parse_expr(u);
  UNNEST(u);
  n->end = u->p;
  expect(u, P_RBRACKET, "after the subscript");
  check_index(u, n);
  return n;
}

static Node *member(Unit *u, Node *a) {
  Node *n = node_new(u, cur(u) == P_DOT ? N_MEMBER : N_ARROW, u->p);
  n->a = a;
  n->end = ++u->p;
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "of a member");
  check_member(u, n, tok_at(u, u->p++)->id);
  return n;
}

static Node *postfix(Unit *u, Node *e) {
  for (;;) {
    switch (cur(u)) {
    case P_LPAREN:
      e = call(u, e);
      break;
    case P_LBRACKET:
      e = subscript(u, e);
      break;
    case P_DOT:
    case P_ARROW:
      e = member(u, e);
      break;
    case P_INC:
    case P_DEC: {
      Node *n = node_new(u, N_POSTFIX, u->p);
      n->op = (uint8_t)kind_at(u, u->p++);
      n->a = e;
      check_unary(u, n);
      e = n;
      break;
    }
    default:
      return e;
    }
  }
}

// ---- unary and casts ----
// ( type ) { … }
static Node *literal(Unit *u, TypeName *t, TokIndex open) {
  Node *n = node_new(u, N_COMPOUND_LIT, open);
  n->tname = t;
  n->a = parse_initializer(u);
  n->type = init_complete(u, t->type, n->a);
  check_initializer(u, t->type, n->a, OF_MEMBER);
  n->flags |= NF_LVALUE;
  flags_up(n, n->a);
  if (u->body->async)
    name_literal(u, n);
  return n;
}

static Node *cast_or_literal(Unit *u) {
  TokIndex open = u->p++;
  TypeName *t = parse_type_name(u);
  expect(u, P_RPAREN, "after the type");
  if (cur(u) == P_LBRACE)
    return postfix(u, literal(u, t, open));
  Node *n = node_new(u, N_CAST, open);
  n->tname = t;
  NEST(u);
  n->a = parse_cast(u);
  UNNEST(u);
  check_cast(u, n);
  return n;
}

Node *parse_cast(Unit *u);
static Node *unary(Unit *u);

Node *parse_cast(Unit *u) {
  if (cur(u) == P_LPAREN && starts_type(u, u->p + 1) &&
      kind_at(u, u->p + 1) != K_EXTENSION)
    return cast_or_literal(u);
  if (cur(u) == P_LPAREN && kind_at(u, u->p + 1) == K_EXTENSION &&
      starts_type(u, u->p + 2))
    return cast_or_literal(u);
  return unary(u);
}

Node *parse_for_type(Unit *u, Node *(*parse)(Unit *)) {
  Thrown *thrown = u->body->thrown;
  u->only_type++;
  Node *n = parse(u);
  u->only_type--;
  u->body->thrown = thrown;
  return n;
}

static Node *size_or_align(Unit *u, NodeKind of_expr, NodeKind of_type) {
  TokIndex t = u->p++;
  bool type = cur(u) == P_LPAREN && starts_type(u, u->p + 1);
  Node *n = node_new(u, type ? of_type : of_expr, t);
  if (type) {
    TokIndex open = u->p++;
    n->tname = parse_type_name(u);
    n->end = u->p;
    expect(u, P_RPAREN, "after the type");
    if (cur(u) == P_LBRACE) { // sizeof (T){ … }
      Node *lit = literal(u, n->tname, open);
      n->kind = (uint8_t)of_expr;
      n->tname = NULL;
      n->a = postfix(u, lit);
    }
  } else {
    NEST(u);
    n->a = parse_for_type(u, unary);
    UNNEST(u);
  }
  check_unary(u, n);
  return n;
}

static Node *operator_node(Unit *u, NodeKind kind) {
  Node *n = node_new(u, kind, u->p);
  n->op = (uint8_t)kind_at(u, u->p++);
  NEST(u);
  bool literal = cur(u) == P_LPAREN && starts_type(u, u->p + 1); // ++(int){3}
  n->a = kind == N_PREFIX && !literal ? unary(u) : parse_cast(u);
  UNNEST(u);
  check_unary(u, n);
  return n;
}

static Node *label_address(Unit *u) {
  Node *n = node_new(u, N_LABEL_ADDR, u->p++);
  n->end = u->p;
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "of a label after `&&`");
  n->name = tok_at(u, u->p++)->id;
  n->type = type_pointer(u, type_scalar(u, TY_VOID));
  vec_push(&u->label_uses, n);
  if (u->body->async)
    u->body->async->label_at = n->tok;
  if (u->body->async && !u->body->async->still) {
    u->body->async->still = n->tok;
    u->body->async->still_is = STILL_LABEL;
  }
  return n;
}

static Node *extension(Unit *u) {
  Node *n = node_new(u, N_EXTENSION, u->p++);
  NEST(u);
  n->a = parse_cast(u);
  UNNEST(u);
  n->type = n->a->type;
  n->flags = n->a->flags;
  n->val = n->a->val;
  return n;
}

static Node *size_of(Unit *u) {
  Thrown *thrown = u->body->thrown; // the operand is not evaluated
  Node *n = size_or_align(u, N_SIZEOF, N_SIZEOF_TYPE);
  u->body->thrown = thrown;
  return n;
}

// await, spawn, run …. NULL: the word is not used as a keyword.
static Node *dialect_unary(Unit *u, DialectWord w) {
  bool begins =
      w == W_AWAIT || w == W_SPAWN || w == W_RUN || w == W_ATOMIC || w == W_JOB;
  if (begins && !u->body->func) {
    u->hold_errors = false;
    fail_at(u, u->p, "`%s` can be used only in functions", word_name(w));
  }
  return w ? parse_dialect_expr(u, w) : NULL;
}

static Node *unary(Unit *u) {
  switch (cur(u)) {
  case P_INC:
  case P_DEC:
    return operator_node(u, N_PREFIX);
  case P_AMP:
  case P_STAR:
  case P_PLUS:
  case P_MINUS:
  case P_TILDE:
  case P_BANG:
  case K_REAL:
  case K_IMAG:
    return operator_node(u, N_UNARY);
  case P_ANDAND:
    return label_address(u);
  case K_SIZEOF:
    return size_of(u);
  case K_ALIGNOF:
    return size_or_align(u, N_ALIGNOF, N_ALIGNOF_TYPE);
  case K_EXTENSION:
    return extension(u);
  default:
    break;
  }
  Node *n = dialect_unary(u, word_at(u, u->p));
  return n ? n : postfix(u, parse_primary(u));
}
