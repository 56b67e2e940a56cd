// primary.c: names, literals, parentheses, statement expressions, _Generic and the builtins that
// take types.
#include "fmcc.h"

// Whether the list has a `defer`, or a cleanup attribute that becomes one in an async function.
static bool cleans_up(Node *list) {
  for (; list; list = list->next) {
    Node *s = list;
    while ((s->kind == N_LABEL || s->kind == N_CASE || s->kind == N_DEFAULT) &&
           s->c)
      s = s->c;
    if (s->kind == N_DEFER)
      return true;
    for (Decl *d = s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
      if (d->cleanup)
        return true;
  }
  return false;
}

// Whether the list declares an array of variable length, or a pointer to one.
bool declares_vm(const Node *list) {
  for (; list; list = list->next) {
    const Node *s = list;
    while (s && s->kind == N_LABEL)
      s = s->c;
    for (Decl *d = s && s->kind == N_DECL ? s->decl : NULL; d; d = d->next)
      if (d->type && type_is_vm(d->type))
        return true;
  }
  return false;
}

// ({ …; atomic f(x); }): at the end of a statement expression, `atomic` is an expression.
static void atomic_value(Unit *u, Node *last) {
  Node *s = last && last->kind == N_ATOMIC ? last->a : NULL;
  if (!s || s->kind != N_EXPR || type_is_void(rvalue(u, s->a)))
    return;
  Node *e = node_new(u, N_ATOMIC_EXPR, last->tok);
  e->a = s->a;
  e->end = last->end;
  e->type = rvalue(u, s->a);
  flags_up(e, s->a);
  last->kind = N_EXPR;
  last->a = e;
}

static Node *paren(Unit *u) {
  TokIndex open = u->p++;
  NEST(u);
  Node *n;
  if (cur(u) == P_LBRACE) {
    n = node_new(u, N_STMT_EXPR, open);
    if (!u->body->func)
      fail_at(u,
              open,
              "a statement expression can be used only inside a function");
    int pauses = u->body->npauses;
    int atomics = u->body->natomics;
    int value_depth = u->body->value_depth;
    u->body->value_depth = u->scope_depth + 1;
    size_t marks = u->marks.len;
    n->a = parse_compound(u);
    u->body->value_depth = value_depth;
    Node *last = n->a->a;
    while (last && last->next)
      last = last->next;
    while (last && last->kind == N_LABEL)
      last = last->c;
    atomic_value(u, last);
    bool value = last && last->kind == N_EXPR && last->a;
    n->type = value ? rvalue(u, last->a) : type_scalar(u, TY_VOID);
    if (value && !type_is_void(n->type))
      witness_value(u, n, last, marks);
    // The value is kept in a variable while cleanup runs. Another reason is gcc: a statement
    // expression has no value if an array of variable length is declared after a label, even if
    // the label stands in an inner block.
    bool labels = u->body->natomics > atomics;
    bool kept =
        value && (cleans_up(n->a->a) || (labels && declares_vm(n->a->a)));
    bool pausing = kept || u->body->npauses > pauses;
    n->flags = (uint16_t)(NF_STMT_EXPR | NF_CALLS | (pausing ? NF_PAUSE : 0) |
                          (labels ? NF_LOWER : 0));
  } else {
    n = node_new(u, N_PAREN, open);
    n->a = parse_expr(u);
    n->type = n->a->type;
    n->flags = n->a->flags;
    n->val = n->a->val;
  }
  UNNEST(u);
  n->end = u->p;
  expect(u, P_RPAREN, "to close this parenthesis");
  return n;
}

static Node *leaf(Unit *u, NodeKind k) {
  return node_new(u, k, u->p++);
}

// Adjacent string literals are one literal.
static Node *strings(Unit *u) {
  Node *n = node_new(u, N_STRING, u->p);
  while (cur(u) == T_STRING)
    u->p++;
  n->range = (Range){ n->tok, u->p };
  check_string(u, n);
  return n;
}

// ---- builtins with types in their parentheses ----
static Node *type_arg(Unit *u) {
  Node *n = node_new(u, N_TYPE_ARG, u->p);
  n->tname = parse_type_name(u);
  n->type = n->tname->type;
  return n;
}

static Node *open_builtin(Unit *u, NodeKind k) {
  Node *n = node_new(u, k, u->p++);
  expect(u, P_LPAREN, "after this builtin's name");
  return n;
}

static Node *close_builtin(Unit *u, Node *n) {
  n->end = u->p;
  expect(u, P_RPAREN, "to close this builtin's arguments");
  return n;
}

static Node *va_arg_expr(Unit *u) {
  Node *n = open_builtin(u, N_VA_ARG);
  n->a = parse_assign(u);
  expect(u, P_COMMA, "before the type");
  n->tname = parse_type_name(u);
  n->type = n->tname->type;
  flags_up(n, n->a);
  return close_builtin(u, n);
}

// The path of offsetof so far: the type that it leads to, and the offset. Negative: not known.
typedef struct OffsetPath {
  Type *type;
  int64_t offset;
} OffsetPath;

static Node *offset_member(Unit *u, OffsetPath *path) {
  Node *n = node_new(u, N_DES_MEMBER, u->p);
  if (cur(u) != T_IDENT)
    expect(u, T_IDENT, "of a member");
  n->name = tok_at(u, u->p++)->id;
  Type *t = path->type;
  if (canon(t)->kind == TY_ARRAY)
    t = canon(t)->base;
  bool known = type_is_record(t) && canon(t)->tag->complete;
  Member *m = known ? type_member(t, n->name, NULL) : NULL;
  if (m && type_size(u, t) >= 0)
    type_member(t, n->name, &path->offset);
  else
    path->offset = -1;
  path->type = m ? m->type : type_scalar(u, TY_ERROR);
  return n;
}

static Node *offset_index(Unit *u, OffsetPath *path) {
  Node *n = node_new(u, N_DES_INDEX, u->p - 1);
  n->a = parse_expr(u);
  expect(u, P_RBRACKET, "after the subscript");
  Type *t = canon(path->type);
  path->type = t->kind == TY_ARRAY ? t->base : type_scalar(u, TY_ERROR);
  int64_t size = type_size(u, path->type);
  if (size < 0 || !(n->a->flags & NF_CONST) || path->offset < 0)
    path->offset = INT64_MIN / 2;
  else
    path->offset += size * n->a->val;
  return n;
}

// The designator of offsetof, and the offset while it is known.
static Node *offset_path(Unit *u, Type *t, int64_t *offset) {
  OffsetPath path = { t, *offset };
  Node *first = offset_member(u, &path);
  Node **tail = &first->next;
  for (;; tail = &(*tail)->next) {
    if (accept(u, P_DOT) || accept(u, P_ARROW))
      *tail = offset_member(u, &path);
    else if (accept(u, P_LBRACKET))
      *tail = offset_index(u, &path);
    else
      break;
  }
  *offset = path.offset;
  return first;
}

static Node *offset_of(Unit *u) {
  Node *n = open_builtin(u, N_OFFSETOF);
  int64_t offset = 0;
  n->tname = parse_type_name(u);
  expect(u, P_COMMA, "before the member");
  n->b = offset_path(u, n->tname->type, &offset);
  n->type = size_type(u);
  if (offset >= 0)
    set_const(u, n, offset);
  return close_builtin(u, n);
}

// The qualifiers of an array are those of its elements.
static Type *without_quals(Unit *u, Type *t) {
  if (canon(t)->kind != TY_ARRAY)
    return type_unqual(u, t);
  Type *r = NEW(&u->arena, Type);
  *r = *canon(t);
  r->canon = r;
  r->unqual = NULL;
  r->base = without_quals(u, r->base);
  return r;
}

static Node *types_compatible(Unit *u) {
  Node *n = open_builtin(u, N_TYPES_COMPATIBLE);
  n->a = type_arg(u);
  expect(u, P_COMMA, "between the types");
  n->b = type_arg(u);
  n->type = type_scalar(u, TY_INT);
  Type *a = canon(without_quals(u, n->a->type));
  Type *b = canon(without_quals(u, n->b->type));
  bool enums = a->kind == TY_ENUM || b->kind == TY_ENUM;
  if (a->kind != TY_ERROR && b->kind != TY_ERROR)
    set_const(u, n, enums ? a->tag == b->tag : type_compatible(u, a, b));
  return close_builtin(u, n);
}

static Node *choose_expr(Unit *u) {
  Node *n = open_builtin(u, N_CHOOSE_EXPR);
  n->a = parse_assign(u);
  expect(u, P_COMMA, "after the condition");
  n->b = parse_assign(u);
  expect(u, P_COMMA, "between the expressions");
  n->c = parse_assign(u);
  bool known = n->a->flags & NF_CONST;
  Node *taken = n->a->val ? n->b : n->c;
  n->type = known ? taken->type : type_scalar(u, TY_ERROR);
  n->flags = known ? taken->flags : 0;
  n->val = taken->val;
  n->op = taken == n->b ? CHOOSES_SECOND : CHOOSES_THIRD;
  if (!known) {
    flags_up(n, n->b);
    flags_up(n, n->c);
  }
  if (!known)
    n->flags |= NF_UNKNOWN;
  return close_builtin(u, n);
}

// __builtin_convertvector (value, type), __builtin_bit_cast (type, value).
static Node *convert_vector(Unit *u, NodeKind kind) {
  Node *n = open_builtin(u, kind);
  if (kind == N_BIT_CAST)
    n->tname = parse_type_name(u);
  else
    n->a = parse_assign(u);
  expect(u, P_COMMA, "between the arguments");
  if (kind == N_BIT_CAST)
    n->a = parse_assign(u);
  else
    n->tname = parse_type_name(u);
  n->type = type_unqual(u, n->tname->type);
  flags_up(n, n->a);
  return close_builtin(u, n);
}

// A builtin that is kept as written.
static Node *opaque_builtin(Unit *u, TypeKind result) {
  Node *n = node_new(u, N_OPAQUE, u->p);
  TokIndex from = u->p++;
  if (cur(u) != P_LPAREN)
    expect(u, P_LPAREN, "after this builtin's name");
  u->p = skip_balanced(u, u->p);
  n->range = (Range){ from, u->p };
  n->type = type_scalar(u, result);
  if (result == TY_ERROR)
    n->flags |= NF_UNKNOWN;
  return n;
}

static Param *param_number(Type *f, int i) {
  Param *p = f->params;
  while (p && i--)
    p = p->next;
  return p;
}

// Whether the argument i decides which of the functions is called: they differ in its type.
static bool is_generic(Unit *u, Node *functions, Node *args, int i) {
  Param *p = param_number(canon(functions->type), i);
  for (Node *f = functions; p && f != args; f = f->next) {
    Param *q = param_number(canon(f->type), i);
    if (!q || !type_compatible(u, p->type, q->type))
      return true;
  }
  return false;
}

// The type of a call of <tgmath.h>: (functions…, arguments…). Integers count as double (C11 7.25).
static Type *tgmath_type(Unit *u, Node *functions) {
  Type *sum = NULL;
  Type *unknown = type_scalar(u, TY_ERROR);
  Node *args = functions;
  int i = 0;
  int first = 0;
  while (args && args->type && canon(args->type)->kind == TY_FUNC)
    args = args->next;
  for (Node *a = args; a && args != functions; a = a->next, i++) {
    if (!is_generic(u, functions, args, i))
      continue;
    Type *t = type_is_integer(rvalue(u, a)) ? type_scalar(u, TY_DOUBLE)
                                            : rvalue(u, a);
    if (!type_is_arith(t))
      return unknown;
    if (!sum)
      first = i;
    sum = sum ? type_arith(u, sum, t) : t;
  }
  for (Node *f = functions; sum && f != args; f = f->next) {
    Param *p = param_number(canon(f->type), first);
    if (p && type_compatible(u, p->type, sum))
      return canon(f->type)->base;
  }
  return unknown;
}

static Node *tgmath(Unit *u) {
  Node *n = open_builtin(u, N_TGMATH);
  Node **tail = &n->b;
  do {
    *tail = parse_assign(u);
    flags_up(n, *tail);
    tail = &(*tail)->next;
  } while (accept(u, P_COMMA));
  n->type = tgmath_type(u, n->b);
  if (canon(n->type)->kind == TY_ERROR)
    n->flags |= NF_UNKNOWN;
  return close_builtin(u, n);
}

// ---- _Generic ----
static Node *association(Unit *u) {
  Node *n = node_new(u, N_ASSOC, u->p);
  if (!accept(u, K_DEFAULT))
    n->tname = parse_type_name(u);
  expect(u, P_COLON, "in this association");
  n->a = parse_assign(u);
  return n;
}

static Node *generic(Unit *u) {
  Node *n = node_new(u, N_GENERIC, u->p++);
  Node **tail = &n->b;
  expect(u, P_LPAREN, "after `_Generic`");
  n->a = parse_for_type(u, parse_assign);
  while (accept(u, P_COMMA)) {
    *tail = association(u);
    tail = &(*tail)->next;
  }
  n->end = u->p;
  expect(u, P_RPAREN, "to close `_Generic`");
  check_generic(u, n);
  return n;
}

static Node *name(Unit *u) {
  DialectWord w = word_at(u, u->p);
  if (w == W_YIELD)
    fail_at(u, u->p, "`yield` is a statement and has no value");
  refuse_bare_type(u, u->p);
  if (w)
    fail_at(u, u->p, "the keyword `%s` cannot be used here", word_name(w));
  Node *n = leaf(u, N_IDENT);
  check_ident(u, n, cur(u) == P_LPAREN);
  return n;
}

Node *parse_primary(Unit *u) {
  Node *n;
  switch (cur(u)) {
  case T_IDENT:
    return name(u);
  case T_NUMBER:
    check_number(u, n = leaf(u, N_NUMBER));
    return n;
  case T_CHAR:
    check_char(u, n = leaf(u, N_CHARCONST));
    return n;
  case T_STRING:
    return strings(u);
  case P_LPAREN:
    return paren(u);
  case K_GENERIC:
    return generic(u);
  case K_VA_ARG:
    return va_arg_expr(u);
  case K_OFFSETOF:
    return offset_of(u);
  case K_TYPES_COMPATIBLE:
    return types_compatible(u);
  case K_CHOOSE_EXPR:
    return choose_expr(u);
  case K_TGMATH:
    return tgmath(u);
  case K_CONVERTVECTOR:
    return convert_vector(u, N_CONVERTVECTOR);
  case K_BIT_CAST:
    return convert_vector(u, N_BIT_CAST);
  case K_HAS_ATTRIBUTE:
    return opaque_builtin(u, TY_BOOL);
  default:
    if (cur(u) == P_RPAREN || cur(u) == P_COMMA)
      fail_argument(u, u->p, u->p, "a value is missing in the call of");
    expect(u, T_IDENT, "or a value");
    return NULL;
  }
}
