// fold.c: integer constant expressions. They are folded while the tree is built, so no later pass
// has to compute them. Values are kept in 64 bits and wrapped to their type. Types that do not fit
// into 64 bits (__int128, wide _BitInt) are not folded.
#include "fmcc.h"

int64_t wrap_int(Unit *u, Type *t, int64_t v) {
  int bits =
      canon(t)->kind == TY_POINTER ? (u->opt.ilp32 ? 32 : 64) : int_bits(u, t);
  if (canon(t)->kind == TY_BOOL)
    return v != 0;
  if (bits <= 0 || bits >= 64)
    return v;
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  uint64_t x = (uint64_t)v & mask;
  if (!type_is_unsigned(u, t) && (x >> (bits - 1)))
    x |= ~mask;
  return (int64_t)x;
}

void set_const(Unit *u, Node *e, int64_t v) {
  e->flags |= NF_CONST;
  e->val = wrap_int(u, e->type, v);
}

static bool foldable(Unit *u, Node *e) {
  return (e->flags & NF_CONST) && type_is_integer(e->type) &&
         int_bits(u, e->type) <= 64;
}

void fold_unary(Unit *u, Node *e) {
  if (!foldable(u, e->a) || !type_is_integer(e->type))
    return;
  uint64_t v = (uint64_t)e->a->val;
  switch (e->op) {
  case P_PLUS:
    set_const(u, e, (int64_t)v);
    break;
  case P_MINUS:
    set_const(u, e, (int64_t)(0 - v));
    break;
  case P_TILDE:
    set_const(u, e, (int64_t)~v);
    break;
  case P_BANG:
    set_const(u, e, !v);
    break;
  default:
    break;
  }
}

static bool fold_shift(Unit *u, Node *e, uint64_t a, int64_t n, int64_t *v) {
  int bits = int_bits(u, e->type);
  if (n < 0 || n >= bits)
    return false;
  bool arithmetic = !type_is_unsigned(u, e->type);
  *v = e->op == P_SHL ? (int64_t)(a << n)
       : arithmetic   ? (int64_t)a >> n
                      : (int64_t)(a >> n);
  return true;
}

static bool
fold_divide(TokenKind op, bool is_unsigned, int64_t a, int64_t b, int64_t *v) {
  if (b == 0 || (!is_unsigned && b == -1 && a == INT64_MIN))
    return false;
  if (is_unsigned)
    *v = (int64_t)(op == P_SLASH ? (uint64_t)a / (uint64_t)b
                                 : (uint64_t)a % (uint64_t)b);
  else
    *v = op == P_SLASH ? a / b : a % b;
  return true;
}

static bool
fold_compare(TokenKind op, bool is_unsigned, int64_t a, int64_t b, int64_t *v) {
  bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
  switch (op) {
  case P_LT:
    *v = less;
    return true;
  case P_GT:
    *v = !less && a != b;
    return true;
  case P_LE:
    *v = less || a == b;
    return true;
  case P_GE:
    *v = !less;
    return true;
  case P_EQ:
    *v = a == b;
    return true;
  case P_NE:
    *v = a != b;
    return true;
  default:
    return false;
  }
}

// Both operands have been converted to the common type.
static bool
fold_common(TokenKind op, bool is_unsigned, int64_t a, int64_t b, int64_t *v) {
  uint64_t x = (uint64_t)a;
  uint64_t y = (uint64_t)b;
  switch (op) {
  case P_PLUS:
    *v = (int64_t)(x + y);
    return true;
  case P_MINUS:
    *v = (int64_t)(x - y);
    return true;
  case P_STAR:
    *v = (int64_t)(x * y);
    return true;
  case P_AMP:
    *v = a & b;
    return true;
  case P_PIPE:
    *v = a | b;
    return true;
  case P_CARET:
    *v = a ^ b;
    return true;
  case P_SLASH:
  case P_PERCENT:
    return fold_divide(op, is_unsigned, a, b, v);
  default:
    return fold_compare(op, is_unsigned, a, b, v);
  }
}

static bool fold_operator(Unit *u, Node *e, int64_t *v) {
  Node *l = e->a;
  Node *r = e->b;
  if (e->op == P_SHL || e->op == P_SHR)
    return fold_shift(u, e, (uint64_t)wrap_int(u, e->type, l->val), r->val, v);
  Type *t = type_arith(u, l->type, r->type);
  if (int_bits(u, t) > 64)
    return false;
  int64_t a = wrap_int(u, t, l->val);
  int64_t b = wrap_int(u, t, r->val);
  return fold_common((TokenKind)e->op, type_is_unsigned(u, t), a, b, v);
}

void fold_binary(Unit *u, Node *e) {
  int64_t v;
  if (e->op == P_ANDAND || e->op == P_OROR) {
    if (!(e->a->flags & NF_CONST))
      return;
    bool left = e->a->val != 0;
    if (left == (e->op == P_OROR))
      set_const(u, e, left);
    else if (e->b->flags & NF_CONST)
      set_const(u, e, e->b->val != 0);
    return;
  }
  if (!foldable(u, e->a) || !foldable(u, e->b) || !type_is_integer(e->type))
    return;
  if (fold_operator(u, e, &v))
    set_const(u, e, v);
}

void fold_cond(Unit *u, Node *e) {
  if (!(e->a->flags & NF_CONST) || !type_is_integer(e->type))
    return;
  Node *taken = e->a->val ? (e->b ? e->b : e->a) : e->c;
  if (foldable(u, taken))
    set_const(u, e, taken->val);
}

void fold_cast(Unit *u, Node *e) {
  if (!(e->a->flags & NF_CONST))
    return;
  if (type_is_integer(e->type) && int_bits(u, e->type) <= 64)
    set_const(u, e, e->a->val);
}
