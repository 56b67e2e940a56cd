// check.c: the type of every expression, from the types of its parts (C11 6.5, and GNU's
// additions). A mistake is an error here only where fmcc could not go on; constraint violations
// that the C compiler reports itself (and may accept with a warning) are left to it. TY_ERROR fits
// everywhere and silences further errors.
#include "fmcc.h"

#include <stdlib.h>

static Type *scalar(Unit *u, TypeKind k) {
  return type_scalar(u, k);
}
Type *size_type(Unit *u) {
  return scalar(u, is_i386_like(u) ? TY_UINT : TY_ULONG);
}
static Type *diff_type(Unit *u) {
  return scalar(u, is_i386_like(u) ? TY_INT : TY_LONG);
}

void flags_up(Node *e, Node *part) {
  if (part)
    e->flags |= part->flags & (NF_STMT_EXPR | NF_VM | NF_UNKNOWN | NF_PAUSE |
                               NF_CALLS | NF_LOWER);
}

void give_type(Node *e, Type *t) {
  e->type = t;
  if (unknown(t))
    e->flags |= NF_UNKNOWN;
  if (type_is_vm(t))
    e->flags |= NF_VM;
}

Type *rvalue(Unit *u, Node *e) {
  if (!e->type)
    return scalar(u, TY_ERROR);
  Type *c = canon(e->type);
  if (c->kind == TY_ARRAY && u->body->async)
    note_address(e);
  if (c->kind == TY_ARRAY)
    return type_pointer(u, c->base);
  if (c->kind == TY_FUNC)
    return type_pointer(u, e->type);
  return type_unqual(u, e->type);
}

void used_as_value(Unit *u, Node *e) {
  if (u->body->async && e->type && canon(e->type)->kind == TY_ARRAY)
    note_address(e);
}

bool check_no_task(Unit *u, Node *e, TokIndex t) {
  if (!e->type || canon(e->type)->kind != TY_TASK)
    return true;
  error_at(u,
           t,
           "a `%s` is not a value; `await` gives its result",
           type_text(u, e->type));
  return false;
}

static Node *bare(Node *e) {
  while (e->kind == N_PAREN || e->kind == N_EXTENSION)
    e = e->a;
  return e;
}

// The type of an operand of arithmetic: a narrow bit-field becomes an int.
static Type *operand(Unit *u, Node *e) {
  Type *t = rvalue(u, e);
  Member *m = e->flags & NF_BITFIELD ? bare(e)->member : NULL;
  return m && type_is_integer(t) && m->width < 32 ? scalar(u, TY_INT) : t;
}

// The value of a bit-field that is passed on (by assignment, comma, ++). With gcc it keeps its
// width, with clang it does not.
static void pass_bitfield(Unit *u, Node *e, Node *from) {
  if (!(from->flags & NF_BITFIELD))
    return;
  e->flags |= NF_ODD_BITFIELD;
  if (u->opt.clang)
    return;
  e->flags |= NF_BITFIELD;
  e->member = bare(from)->member;
}

bool is_null(Node *e) {
  return (e->flags & NF_NULLPTR) ||
         ((e->flags & NF_CONST) && e->val == 0 && type_is_integer(e->type));
}

// ---- unary ----
// An expression that pauses becomes a variable of ours, which the C compiler would allow to change.
// So fmcc itself checks for an lvalue.
static void check_place(Unit *u, Node *e, const char *what) {
  Node *k = e;
  while (k->kind == N_PAREN || k->kind == N_EXTENSION || k->kind == N_MEMBER)
    k = k->a;
  bool value = k->kind == N_CALL || k->kind == N_AWAIT ||
               k->kind == N_STMT_EXPR || k->kind == N_COND ||
               k->kind == N_ATOMIC_EXPR;
  if (value && (k->flags & NF_PAUSE) && canon(e->type)->kind != TY_ARRAY &&
      canon(e->type)->kind != TY_ERROR)
    error_at(u,
             first_token(e),
             "this is a value, not a variable: it cannot be %s",
             what);
}

static bool is_async_function(const Node *e) {
  return canon(e->type)->kind == TY_FUNC && canon(e->type)->is_async;
}

static void address_of(Unit *u, Node *e) {
  note_address(e->a);
  note_va_address(u, e->a);
  // a descriptor is an array
  if (is_async_function(e->a) && !u->body->func)
    edit(u, (Range){ e->tok, e->tok + 1 }, "&*");
  give_type(e, type_pointer(u, e->a->type));
}

static void dereference(Unit *u, Node *e) {
  Type *t = canon(rvalue(u, e->a));
  if (t->kind == TY_POINTER) {
    give_type(e, t->base);
    e->flags |= NF_LVALUE;
    // f is an array, so *f would be the descriptor
    if (is_async_function(e) && !u->body->func)
      edit(u, (Range){ e->tok, e->tok + 1 }, "");
    return;
  }
  if (t->kind != TY_ERROR)
    error_at(u,
             e->tok,
             "a value of type `%s` is not a pointer: it cannot be dereferenced",
             type_text(u, e->a->type));
  give_type(e, scalar(u, TY_ERROR));
}

// The type of a comparison of two such vectors.
static Type *vector_of_ints(Unit *u, Type *v) {
  Type *c = canon(v);
  bool wide = u->opt.clang || u->opt.ilp32;
  switch (type_size(u, c->base)) {
  case 1:
    return type_vector(u, scalar(u, u->opt.clang ? TY_CHAR : TY_SCHAR), c->len);
  case 2:
    return type_vector(u, scalar(u, TY_SHORT), c->len);
  case 4:
    return type_vector(u, scalar(u, TY_INT), c->len);
  case 8:
    return type_vector(u, scalar(u, wide ? TY_LLONG : TY_LONG), c->len);
  default:
    return scalar(u, TY_ERROR);
  }
}

static void arithmetic_unary(Unit *u, Node *e) {
  bool fits = check_no_task(u, e->a, e->tok);
  Type *t = fits ? operand(u, e->a) : scalar(u, TY_ERROR);
  Type *c = canon(t);
  bool part = e->op == K_REAL || e->op == K_IMAG;
  if (e->op == P_BANG && c->kind == TY_VECTOR)
    give_type(e, vector_of_ints(u, c));
  else if (e->op == P_BANG)
    give_type(e, scalar(u, TY_INT));
  else if (part)
    give_type(e, c->kind == TY_COMPLEX ? c->base : t);
  else
    give_type(e, type_is_integer(t) ? type_promote(u, t) : t);
  if (part && (e->a->flags & NF_LVALUE))
    e->flags |= NF_LVALUE;
  if (e->op != P_BANG)
    e->flags |= e->a->flags & NF_ODD_BITFIELD;
  fold_unary(u, e);
}

// e gets the flags of the array lengths in the type that is written in it.
static void lengths_up(Node *e, Type *t) {
  for (Type *k = type_is_vm(t) ? t : NULL; k; k = k->base)
    if (k->kind == TY_ARRAY && k->len_expr)
      flags_up(e, k->len_expr);
}

static void size_of(Unit *u, Node *e) {
  bool type = e->kind == N_SIZEOF_TYPE || e->kind == N_ALIGNOF_TYPE;
  bool align = e->kind == N_ALIGNOF || e->kind == N_ALIGNOF_TYPE;
  Type *t = type ? e->tname->type : e->a->type;
  int64_t n = align ? type_align(u, t) : type_size(u, t);
  if (canon(t)->kind == TY_FUNC && canon(t)->is_async) {
    u->hold_errors = false;
    error_at(u, e->tok, "a function has no %s", align ? "alignment" : "size");
  }
  e->type = size_type(u);
  e->flags &= (uint16_t) ~(NF_PAUSE | NF_CALLS); // the operand is not evaluated
  // except for the lengths of a variable array
  if (type)
    lengths_up(e, t);
  if (type_is_vm(t))
    e->flags |= NF_VM;
  // the alignment of an object may differ from that of its type
  if (align && (!type || is_i386_like(u)))
    n = -1;
  if (n >= 0)
    set_const(u, e, n);
}

void check_unary(Unit *u, Node *e) {
  flags_up(e, e->a);
  switch (e->kind) {
  case N_SIZEOF:
  case N_SIZEOF_TYPE:
  case N_ALIGNOF:
  case N_ALIGNOF_TYPE:
    size_of(u, e);
    return;
  case N_POSTFIX:
  case N_PREFIX:
    check_place(u, e->a, "changed");
    give_type(e, rvalue(u, e->a));
    pass_bitfield(u, e, e->a);
    return;
  default:
    break;
  }
  if (e->op == P_AMP) {
    check_place(u, e->a, "pointed at");
    address_of(u, e);
  } else if (e->op == P_STAR) {
    dereference(u, e);
  } else {
    arithmetic_unary(u, e);
  }
}

// ---- binary ----
static bool comparison(TokenKind op) {
  return op >= P_LT && op <= P_NE;
}

static bool is_logical(TokenKind op) {
  return op == P_ANDAND || op == P_OROR;
}

static Type *vector_operation(Unit *u, TokenKind op, Type *a, Type *b) {
  Type *v = canon(a)->kind == TY_VECTOR ? a : b;
  bool asks = comparison(op) || is_logical(op);
  return asks ? vector_of_ints(u, v) : type_unqual(u, v);
}

static Type *pointer_arithmetic(Unit *u, Node *e, Type *a, Type *b) {
  bool pa = canon(a)->kind == TY_POINTER;
  bool pb = canon(b)->kind == TY_POINTER;
  if (e->op == P_MINUS && pa && pb)
    return diff_type(u);
  if ((e->op == P_PLUS || e->op == P_MINUS) && pa && type_is_integer(b))
    return a;
  if (e->op == P_PLUS && pb && type_is_integer(a))
    return b;
  error_at(u,
           e->tok,
           "this operator cannot take operands of types `%s` and `%s`",
           type_text(u, e->a->type),
           type_text(u, e->b->type));
  return scalar(u, TY_ERROR);
}

static Type *binary_type(Unit *u, Node *e) {
  Type *a = operand(u, e->a);
  Type *b = operand(u, e->b);
  TokenKind op = (TokenKind)e->op;
  bool asks = is_logical(op) || comparison(op);
  if (asks && !check_no_task(u, e->a, e->tok))
    return scalar(u, TY_ERROR);
  if (asks && !check_no_task(u, e->b, e->tok))
    return scalar(u, TY_ERROR);
  if (unknown(a) || unknown(b))
    return scalar(u, is_logical(op) ? TY_INT : TY_ERROR);
  if (canon(a)->kind == TY_VECTOR || canon(b)->kind == TY_VECTOR)
    return vector_operation(u, op, a, b);
  if (asks)
    return scalar(u, TY_INT);
  if ((op == P_SHL || op == P_SHR) && type_is_integer(a))
    return type_promote(u, a);
  if (type_is_arith(a) && type_is_arith(b))
    return type_arith(u, a, b);
  return pointer_arithmetic(u, e, a, b);
}

void check_binary(Unit *u, Node *e) {
  flags_up(e, e->a);
  flags_up(e, e->b);
  if (e->op == P_COMMA) {
    drop_value(u, e->a);
    give_type(e, rvalue(u, e->b));
    pass_bitfield(u, e, e->b);
    e->flags |= e->b->flags & NF_ODD_BITFIELD;
    return;
  }
  TokenKind op = (TokenKind)e->op;
  give_type(e, binary_type(u, e));
  if (!comparison(op) && !is_logical(op))
    e->flags |= (e->a->flags | e->b->flags) & NF_ODD_BITFIELD;
  fold_binary(u, e);
}

void check_assign(Unit *u, Node *e) {
  check_place(u, e->a, "assigned to");
  used_as_value(u, e->b);
  if (e->op == P_ASSIGN && is_through(e->a, "fm__out"))
    check_given(u, e->b, e->a->type);
  else if (e->op == P_ASSIGN || type_is_void(e->b->type))
    check_convert(u, e->b, e->a->type);
  if (e->op == P_ASSIGN)
    give_throws_to(u, e->a, e->b);
  if (e->op == P_ASSIGN && canon(e->a->type)->kind == TY_TASK)
    forget_use(e->a);
  flags_up(e, e->a);
  flags_up(e, e->b);
  give_type(e, rvalue(u, e->a));
  pass_bitfield(u, e, e->a);
}

// ---- ?: ----
// Two pointers: the composite of their targets, with the qualifiers of both.
static Type *pointed_union(Unit *u, Type *a, Type *b) {
  Type *x = canon(a)->base;
  Type *y = canon(b)->base;
  unsigned quals = canon(x)->quals | canon(y)->quals;
  Type *to = scalar(u, TY_VOID);
  if (type_is_void(x))
    to = x;
  else if (type_is_void(y))
    to = y;
  else if (type_compatible(u, type_unqual(u, x), type_unqual(u, y)))
    to = type_throwing_both(u, type_composite(u, x, y), x, y);
  return type_pointer(u, type_qualify(u, to, quals));
}

static Type *cond_pointers(Unit *u, Node *x, Node *y, Type *a, Type *b) {
  bool pa = canon(a)->kind == TY_POINTER;
  bool pb = canon(b)->kind == TY_POINTER;
  if (pa && (is_null(y) || !pb))
    return a;
  if (pb && (is_null(x) || !pa))
    return b;
  return pointed_union(u, a, b);
}

void check_cond(Unit *u, Node *e) {
  Node *yes = e->b ? e->b : e->a;
  Node *no = e->c;
  check_no_task(u, e->a, first_token(e->a));
  flags_up(e, e->a);
  flags_up(e, yes);
  flags_up(e, no);
  Type *a = operand(u, yes);
  Type *b = operand(u, no);
  e->flags |= (yes->flags | no->flags) & NF_ODD_BITFIELD;
  if (unknown(a) || unknown(b))
    give_type(e, scalar(u, TY_ERROR));
  else if (canon(rvalue(u, e->a))->kind == TY_VECTOR)
    give_type(e, a);
  else if (type_is_void(a) || type_is_void(b))
    give_type(e, scalar(u, TY_VOID));
  else if (type_is_arith(a) && type_is_arith(b))
    give_type(e, type_arith(u, a, b));
  else if (canon(a)->kind == TY_POINTER || canon(b)->kind == TY_POINTER)
    give_type(e, cond_pointers(u, yes, no, a, b));
  else
    give_type(e, a);
  fold_cond(u, e);
}

// ---- casts, subscripts, members ----
// (int)2.5 is an integer constant, too.
static void fold_float_cast(Unit *u, Node *e) {
  Node *n = bare(e->a);
  if (n->kind != N_NUMBER || !type_is_real_float(n->type) ||
      !type_is_integer(e->type))
    return;
  const char *text = u->text + tok_at(u, n->tok)->pos;
  TypeKind k = (TypeKind)canon(n->type)->kind;
  long double d;
  if (k == TY_FLOAT)
    d = strtof(text, NULL);
  else if (k == TY_DOUBLE)
    d = strtod(text, NULL);
  else
    d = strtold(text, NULL);
  if (canon(e->type)->kind == TY_BOOL)
    set_const(u, e, d != 0);
  else if (k <= TY_LDOUBLE && d < 9e18L)
    set_const(u, e, (int64_t)d);
}

void check_cast(Unit *u, Node *e) {
  if (!type_is_void(e->tname->type) && canon(e->a->type)->kind == TY_TASK)
    error_at(u,
             e->tok,
             "a `%s` cannot be cast; `await` gives its result",
             type_text(u, e->a->type));
  if (type_is_void(e->tname->type))
    drop_value(u, e->a);
  used_as_value(u, e->a);
  flags_up(e, e->a);
  lengths_up(e, e->tname->type);
  give_type(e, type_unqual(u, e->tname->type));
  fold_cast(u, e);
  fold_float_cast(u, e);
  Type *t = canon(e->type);
  if (t->kind == TY_POINTER && type_is_void(t->base) &&
      !canon(t->base)->quals && is_null(e->a))
    e->flags |= NF_NULLPTR;
}

void check_index(Unit *u, Node *e) {
  flags_up(e, e->a);
  flags_up(e, e->b);
  Type *a = canon(rvalue(u, e->a));
  Type *b = canon(rvalue(u, e->b));
  Type *p = a->kind == TY_POINTER || a->kind == TY_VECTOR ? a : b;
  e->flags |= NF_LVALUE;
  if (p->kind == TY_POINTER || p->kind == TY_VECTOR) {
    give_type(e, p->base);
    return;
  }
  if (a->kind != TY_ERROR && b->kind != TY_ERROR)
    error_at(u,
             e->tok,
             "a value of type `%s` is neither an array nor a pointer: it has "
             "no elements",
             type_text(u, e->a->type));
  give_type(e, scalar(u, TY_ERROR));
}

// The argument of a macro of the library has the wrong type. Only one error is reported: further
// uses of the argument in the macro draw none.
static void wrong_kind(Unit *u, Node *e, Type *record, const char *wanted) {
  Node *of = bare(e->a);
  error_at(u,
           e->end,
           "%s is expected here, not a value of type `%s`",
           wanted,
           type_text(u, record));
  if (of->kind == N_IDENT && of->sym && is_ours(of->sym->name))
    of->sym->type = scalar(u, TY_ERROR);
}

static void no_member(Unit *u, Node *e, Type *record, Ident *name) {
  bool pointer = canon(rvalue(u, e->a))->kind == TY_POINTER;
  bool advise = e->kind == N_MEMBER && pointer;
  if (!type_is_record(record) && library_kind(name->name))
    wrong_kind(u, e, e->a->type, library_kind(name->name));
  else if (!type_is_record(record))
    error_at(u,
             e->tok,
             "a value of type `%s` has no members%s",
             type_text(u, e->a->type),
             advise ? "; use `->` with a pointer" : "");
  else if (!canon(record)->tag->complete)
    error_at(u,
             e->tok,
             "`%s` is declared but not defined here: its members are not known",
             type_text(u, record));
  else if (library_kind(name->name))
    wrong_kind(u, e, record, library_kind(name->name));
  else
    error_at(u,
             e->end,
             "`%s` has no member named `%s`",
             type_text(u, record),
             name->name);
}

// The type on the left of `.` or `->`.
static Type *left_of_member(Unit *u, Node *e, Ident *name) {
  if (e->kind != N_ARROW)
    return canon(e->a->type);
  Type *t = canon(rvalue(u, e->a));
  if (type_is_record(t) && library_kind(name->name))
    error_at(u,
             e->end,
             "the address of this object is expected here: write `&` before "
             "it");
  else if (type_is_record(t))
    error_at(u,
             e->tok,
             "a value of type `%s` is not a pointer; use `.` with it",
             type_text(u, e->a->type));
  return t->kind == TY_POINTER ? canon(t->base) : t;
}

static void mark_bitfield(Unit *u, Node *e, const Member *m) {
  e->flags |= NF_BITFIELD;
  if (int_bits(u, m->type) > 32 && m->width >= 32)
    e->flags |= NF_ODD_BITFIELD;
}

void check_member(Unit *u, Node *e, Ident *name) {
  flags_up(e, e->a);
  Type *t = left_of_member(u, e, name);
  if (t->kind == TY_ERROR || t->kind == TY_VECTOR) { // clang's v.xyz
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  bool has_members = type_is_record(t) && t->tag->complete;
  Member *m = has_members ? type_member(t, name, NULL) : NULL;
  if (!m) {
    no_member(u, e, t, name);
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  e->member = m;
  give_type(e, type_qualify(u, m->type, t->quals & ~(unsigned)Q_ATOMIC));
  if (e->kind == N_ARROW || (e->a->flags & NF_LVALUE))
    e->flags |= NF_LVALUE;
  if (m->width >= 0)
    mark_bitfield(u, e, m);
}

// ---- _Generic ----
void check_generic(Unit *u, Node *e) {
  Type *t = rvalue(u, e->a);
  Node *taken = NULL;
  for (Node *a = e->b; a; a = a->next) {
    if (!a->tname)
      taken = taken ? taken : a;
    else if (!unknown(t) && canon(a->tname->type)->quals == 0 &&
             type_compatible(u, t, a->tname->type))
      taken = a;
  }
  if (!taken || unknown(t)) {
    for (Node *a = e->b; a; a = a->next)
      flags_up(e, a->a);
    give_type(e, scalar(u, TY_ERROR));
    return;
  }
  taken->op = ASSOC_CHOSEN;
  give_type(e, taken->a->type);
  e->flags |= taken->a->flags;
  e->val = taken->a->val;
}
