// type.c: making types, and the relations between them (C11 6.2.5, 6.2.7, 6.3.1). A Type is never
// changed once others can see it. Sugar (typedef names, typeof) stays in the tree for printing and
// messages; `canon` looks through it.
#include "fmcc.h"

const char *const scalar_names[] = {
  [TY_ERROR] = "<unknown>",
  [TY_VOID] = "void",
  [TY_BOOL] = "_Bool",
  [TY_CHAR] = "char",
  [TY_SCHAR] = "signed char",
  [TY_UCHAR] = "unsigned char",
  [TY_SHORT] = "short",
  [TY_USHORT] = "unsigned short",
  [TY_INT] = "int",
  [TY_UINT] = "unsigned int",
  [TY_LONG] = "long",
  [TY_ULONG] = "unsigned long",
  [TY_LLONG] = "long long",
  [TY_ULLONG] = "unsigned long long",
  [TY_INT128] = "__int128",
  [TY_UINT128] = "unsigned __int128",
  [TY_BITINT] = "_BitInt",
  [TY_UBITINT] = "unsigned _BitInt",
  [TY_FLOAT16] = "_Float16",
  [TY_BF16] = "__bf16",
  [TY_FLOAT] = "float",
  [TY_DOUBLE] = "double",
  [TY_LDOUBLE] = "long double",
  [TY_FLOAT32] = "_Float32",
  [TY_FLOAT64] = "_Float64",
  [TY_FLOAT128] = "__float128",
  [TY_FLOAT32X] = "_Float32x",
  [TY_FLOAT64X] = "_Float64x",
  [TY_DEC32] = "_Decimal32",
  [TY_DEC64] = "_Decimal64",
  [TY_DEC128] = "_Decimal128",
};

// ---- making them ----
Type *type_new(Unit *u, TypeKind k, Type *base) {
  Type *t = NEW(&u->arena, Type);
  t->kind = (uint8_t)k;
  t->base = base;
  t->canon = t;
  t->len = -1;
  return t;
}

Type *type_scalar(Unit *u, TypeKind k) {
  if (!u->scalars[k])
    u->scalars[k] = type_new(u, k, NULL);
  return u->scalars[k];
}

Type *type_pointer(Unit *u, Type *to) {
  return type_new(u, TY_POINTER, to);
}

Type *type_array(Unit *u, Type *of, int64_t len) {
  Type *t = type_new(u, TY_ARRAY, of);
  t->len = len;
  return t;
}

Type *type_vector(Unit *u, Type *of, int64_t len) {
  Type *t = type_new(u, TY_VECTOR, of);
  t->len = len;
  return t;
}

Type *type_resize(Unit *u, Type *t, int64_t len) {
  Type *r = NEW(&u->arena, Type);
  *r = *canon(t);
  r->canon = r;
  r->unqual = NULL;
  r->incomplete = false;
  r->len = len;
  return r;
}

Type *type_sugar(Unit *u, TypeKind k, Type *base) {
  Type *t = type_new(u, k, base);
  t->canon = base->canon;
  return t;
}

// An array is qualified through its elements.
static Type *qualify_array(Unit *u, Type *t, unsigned quals) {
  Type *r = NEW(&u->arena, Type);
  *r = *t;
  r->base = type_qualify(u, t->base, quals);
  r->canon = r;
  r->unqual = NULL;
  return r;
}

Type *type_qualify(Unit *u, Type *t, unsigned quals) {
  if ((t->quals | quals) == t->quals)
    return t;
  if (t->kind == TY_ERROR)
    return t;
  if (t->kind == TY_ARRAY)
    return qualify_array(u, t, quals);
  Type *r = NEW(&u->arena, Type);
  *r = *t;
  r->quals |= (uint8_t)quals;
  r->unqual = t->quals ? t->unqual : t;
  r->canon = t->canon == t ? r : type_qualify(u, t->canon, quals);
  return r;
}

Type *type_unqual(Unit *u, Type *t) {
  if (!canon(t)->quals)
    return t;
  // the sugar has no qualifiers of its own
  if (t->canon->quals == t->quals && t->unqual)
    return t->unqual;
  Type *c = canon(t);
  if (c->unqual)
    return c->unqual;
  Type *r = NEW(&u->arena, Type);
  *r = *c;
  r->quals = 0;
  r->canon = r;
  return c->unqual = r;
}

// The type without const, at every level of an array: for a field that is assigned later.
Type *type_writable(Unit *u, Type *t) {
  Type *c = canon(t);
  if (c->kind == TY_ARRAY) {
    Type *element = type_writable(u, c->base);
    if (element == c->base)
      return t;
    Type *r = NEW(&u->arena, Type);
    *r = *c;
    r->base = element;
    r->canon = r;
    return r;
  }
  if (!(c->quals & Q_CONST))
    return t;
  return type_qualify(u, type_unqual(u, t), c->quals & ~(unsigned)Q_CONST);
}

bool type_has_const_member(Type *t) {
  Type *c = canon(t);
  if (c->kind == TY_ARRAY)
    return type_has_const_member(c->base);
  if (!type_is_record(c) || !c->tag->complete)
    return false;
  for (Member *m = c->tag->members; m; m = m->next) {
    Type *k = canon(m->type);
    while (k->kind == TY_ARRAY)
      k = canon(k->base);
    if ((k->quals & Q_CONST) || type_has_const_member(k))
      return true;
  }
  return false;
}

// ---- kinds ----
bool type_is_void(Type *t) {
  return canon(t)->kind == TY_VOID;
}
bool type_is_integer(Type *t) {
  TypeKind k = (TypeKind)canon(t)->kind;
  return (k >= TY_BOOL && k <= TY_UBITINT) || k == TY_ENUM;
}
bool type_is_real_float(Type *t) {
  TypeKind k = (TypeKind)canon(t)->kind;
  return k >= TY_FLOAT16 && k <= TY_DEC128;
}
bool type_is_arith(Type *t) {
  return type_is_integer(t) || type_is_real_float(t) ||
         canon(t)->kind == TY_COMPLEX;
}
bool type_is_scalar(Type *t) {
  return type_is_arith(t) || canon(t)->kind == TY_POINTER;
}
bool type_is_record(Type *t) {
  return canon(t)->kind == TY_STRUCT || canon(t)->kind == TY_UNION;
}

bool type_is_unsigned(Unit *u, Type *t) {
  t = canon(t);
  switch (t->kind) {
  case TY_BOOL:
  case TY_UCHAR:
  case TY_USHORT:
  case TY_UINT:
  case TY_ULONG:
  case TY_ULLONG:
  case TY_UINT128:
  case TY_UBITINT:
    return true;
  case TY_CHAR:
    return u->opt.unsigned_char;
  case TY_ENUM:
    return t->tag->underlying ? type_is_unsigned(u, t->tag->underlying) : true;
  default:
    return false;
  }
}

bool type_is_vm(Type *t) {
  for (; t; t = t->base) {
    if (t->kind == TY_TYPEDEF || t->kind == TY_TYPEOF)
      t = canon(t);
    if (t->kind == TY_ARRAY && t->vla)
      return true;
    if (t->kind == TY_FUNC)
      return false;
  }
  return false;
}

Type *type_to_unsigned(Unit *u, Type *t) {
  switch (canon(t)->kind) {
  case TY_CHAR:
  case TY_SCHAR:
    return type_scalar(u, TY_UCHAR);
  case TY_SHORT:
    return type_scalar(u, TY_USHORT);
  case TY_INT:
    return type_scalar(u, TY_UINT);
  case TY_LONG:
    return type_scalar(u, TY_ULONG);
  case TY_LLONG:
    return type_scalar(u, TY_ULLONG);
  case TY_INT128:
    return type_scalar(u, TY_UINT128);
  default:
    return t;
  }
}

// ---- compatibility ----
// The default argument promotions.
static Type *promoted_default(Unit *u, Type *t) {
  if (canon(t)->kind == TY_FLOAT)
    return type_scalar(u, TY_DOUBLE);
  return type_is_integer(t) ? type_promote(u, t) : t;
}

static bool prototype_fits_oldstyle(Unit *u, Type *proto) {
  if (proto->variadic)
    return false;
  for (Param *p = proto->params; p; p = p->next)
    if (!type_compatible(u, p->type, promoted_default(u, p->type)))
      return false;
  return true;
}

// Whether t is a transparent union that takes the argument.
static bool takes(Unit *u, Type *t, Type *argument) {
  t = canon(t);
  if (t->kind != TY_UNION || !t->tag->transparent)
    return false;
  for (Member *m = t->tag->members; m; m = m->next)
    if (type_compatible(u, m->type, argument))
      return true;
  return false;
}

static bool params_compatible(Unit *u, Type *a, Type *b) {
  return type_compatible(u, a, b) || takes(u, a, b) || takes(u, b, a);
}

// The type of a builtin: the C compiler knows more of it than fmcc.
static bool is_builtins_type(const Type *f) {
  return f->oldstyle && f->variadic;
}

static bool same_params(Unit *u, Type *a, Type *b) {
  Param *p = a->params;
  Param *q = b->params;
  for (; p && q; p = p->next, q = q->next)
    if (!params_compatible(u, p->type, q->type))
      return false;
  return !p && !q;
}

static bool functions_compatible(Unit *u, Type *a, Type *b) {
  if (a->is_async != b->is_async || !type_compatible(u, a->base, b->base))
    return false;
  if (a->oldstyle && b->oldstyle)
    return true;
  if (is_builtins_type(a) || is_builtins_type(b))
    return true;
  if (a->oldstyle)
    return prototype_fits_oldstyle(u, b);
  if (b->oldstyle)
    return prototype_fits_oldstyle(u, a);
  return a->variadic == b->variadic && same_params(u, a, b);
}

static bool same_qualified(Unit *u, Type *a, Type *b) {
  return canon(a)->quals == canon(b)->quals && type_compatible(u, a, b);
}

// Whether t is the integer type that holds the enum e.
static bool enum_fits(Unit *u, Type *e, Type *t) {
  return e->kind == TY_ENUM && e->tag->underlying &&
         type_compatible(u, e->tag->underlying, t);
}

static bool lengths_fit(const Type *a, const Type *b) {
  bool open = a->len < 0 || a->vla || a->incomplete;
  bool other_open = b->len < 0 || b->vla || b->incomplete;
  return a->len == b->len || open || other_open;
}

// a and b are canonical, different, and of the same kind.
static bool same_kind_compatible(Unit *u, Type *a, Type *b) {
  switch (a->kind) {
  case TY_ENUM:
  case TY_STRUCT:
  case TY_UNION:
    return a->tag == b->tag;
  case TY_COMPLEX:
  case TY_TASK:
  case TY_JOB:
  case TY_COMPLETION:
    return type_compatible(u, a->base, b->base);
  case TY_POINTER:
    return same_qualified(u, a->base, b->base);
  case TY_VECTOR:
    return a->len == b->len && type_compatible(u, a->base, b->base);
  case TY_ARRAY:
    return same_qualified(u, a->base, b->base) && lengths_fit(a, b);
  case TY_FUNC:
    return functions_compatible(u, a, b);
  case TY_BITINT:
  case TY_UBITINT:
    return a->bits == b->bits;
  default:
    return true;
  }
}

bool type_compatible(Unit *u, Type *a, Type *b) {
  a = canon(a);
  b = canon(b);
  if (a == b || a->kind == TY_ERROR || b->kind == TY_ERROR)
    return true;
  if (a->kind != b->kind)
    return enum_fits(u, a, b) || enum_fits(u, b, a);
  return same_kind_compatible(u, a, b);
}

Type *type_composite(Unit *u, Type *a, Type *b) {
  Type *x = canon(a);
  Type *y = canon(b);
  if (x == y || x->kind != y->kind)
    return a;
  if (x->kind == TY_POINTER) {
    Type *base = type_composite(u, x->base, y->base);
    return base == x->base   ? a
           : base == y->base ? b
                             : type_qualify(u, type_pointer(u, base), x->quals);
  }
  if (x->kind == TY_ARRAY)
    return (x->incomplete || x->vla) && !y->incomplete ? b : a;
  if (x->kind == TY_FUNC)
    return x->oldstyle && !y->oldstyle ? b : a;
  return a;
}

// ---- conversions ----
Type *type_promote(Unit *u, Type *t) {
  Type *c = canon(t);
  switch (c->kind) {
  case TY_BOOL:
  case TY_CHAR:
  case TY_SCHAR:
  case TY_UCHAR:
  case TY_SHORT:
  case TY_USHORT:
    return type_scalar(u, TY_INT);
  case TY_ENUM:
    return c->tag->underlying ? type_promote(u, c->tag->underlying)
                              : type_scalar(u, TY_UINT);
  default:
    return type_unqual(u, t);
  }
}

// Which of two real floating types holds the other (6.3.1.8; TS 18661-3 for the _Float types).
static int float_rank(Type *t) {
  // clang-format off
  static const uint8_t rank[] = {
    [TY_FLOAT16] = 1,
    [TY_BF16] = 1,
    [TY_FLOAT] = 2,
    [TY_FLOAT32] = 3,
    [TY_FLOAT32X] = 4,
    [TY_DOUBLE] = 5,
    [TY_FLOAT64] = 6,
    [TY_FLOAT64X] = 7,
    [TY_LDOUBLE] = 8,
    [TY_FLOAT128] = 9,
    [TY_DEC32] = 10,
    [TY_DEC64] = 11,
    [TY_DEC128] = 12,
  };
  // clang-format on
  return rank[canon(t)->kind];
}

static Type *real_part(Type *t) {
  return canon(t)->kind == TY_COMPLEX ? canon(t)->base : t;
}

// The rank of an integer type. Types of the same width have an order, too: int < long < long long.
static int int_rank(Unit *u, Type *t) {
  // clang-format off
  static const uint8_t order[] = {
    [TY_INT] = 1,
    [TY_UINT] = 1,
    [TY_LONG] = 2,
    [TY_ULONG] = 2,
    [TY_LLONG] = 3,
    [TY_ULLONG] = 3,
    [TY_INT128] = 4,
    [TY_UINT128] = 4,
    [TY_BITINT] = 0,
    [TY_UBITINT] = 0,
  };
  // clang-format on
  return int_bits(u, t) * 8 + order[canon(t)->kind];
}

static Type *integer_arith(Unit *u, Type *a, Type *b) {
  a = type_promote(u, a);
  b = type_promote(u, b);
  bool ua = type_is_unsigned(u, a);
  bool ub = type_is_unsigned(u, b);
  if (int_rank(u, a) == int_rank(u, b))
    return ua ? a : b;
  Type *high = int_rank(u, a) > int_rank(u, b) ? a : b;
  Type *low = high == a ? b : a;
  if (ua == ub || type_is_unsigned(u, high))
    return high;
  return int_bits(u, high) > int_bits(u, low) ? high
                                              : type_to_unsigned(u, high);
}

static Type *real_arith(Unit *u, Type *a, Type *b) {
  bool fa = type_is_real_float(a);
  bool fb = type_is_real_float(b);
  if (fa && fb)
    return float_rank(a) >= float_rank(b) ? type_unqual(u, a)
                                          : type_unqual(u, b);
  if (fa || fb)
    return type_unqual(u, fa ? a : b);
  return integer_arith(u, a, b);
}

Type *type_arith(Unit *u, Type *a, Type *b) {
  bool complex = canon(a)->kind == TY_COMPLEX || canon(b)->kind == TY_COMPLEX;
  Type *t = real_arith(u, real_part(a), real_part(b));
  return complex ? type_new(u, TY_COMPLEX, t) : t;
}

// ---- members ----
Member *type_member(Type *record, Ident *name, int64_t *offset) {
  for (Member *m = canon(record)->tag->members; m; m = m->next) {
    if (m->name == name) {
      if (offset)
        *offset += m->offset;
      return m;
    }
    if (m->name || m->width >= 0 || !type_is_record(m->type))
      continue;
    int64_t inner = 0;
    Member *found = type_member(m->type, name, &inner);
    if (found && offset)
      *offset += m->offset + inner;
    if (found)
      return found;
  }
  return NULL;
}

// The initialiser for zero: usually `{0}`. clang refuses that if there is no first element to
// initialise, for example in an array of length 0.
const char *type_zero(Type *t) {
  t = canon(t);
  if (type_is_scalar(t))
    return "0";
  while (t->kind == TY_ARRAY || type_is_record(t)) {
    if (t->kind == TY_ARRAY && t->len == 0)
      return "{}";
    Member *m = t->kind == TY_ARRAY ? NULL : t->tag->members;
    // skips padding bits
    while (m && !m->name && m->width >= 0)
      m = m->next;
    if (t->kind != TY_ARRAY && !m)
      return "{}";
    t = canon(m ? m->type : t->base);
  }
  return "{0}";
}

Type *type_fixed(Unit *u, Type *t) {
  if (!type_is_vm(t))
    return t;
  Type *r = NEW(&u->arena, Type);
  *r = *canon(t);
  r->canon = r;
  r->unqual = NULL;
  if (r->vla) {
    r->vla = r->star = r->is_static = false;
    r->len_expr = NULL;
    r->len = 1;
  }
  r->base = type_fixed(u, r->base);
  return r;
}

const char *type_spelled(Unit *u, Type *t) {
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  print_type(&p, t, "", 0);
  return take_text(u, &b);
}

const char *type_text(Unit *u, Type *t) {
  Buf b = { 0 };
  Printer p = text_printer(u, &b);
  p.spell = true;
  p.user = true;
  print_type(&p, t, "", 0);
  while (b.len && b.data[b.len - 1] == ' ')
    b.len--;
  return take_text(u, &b);
}
